"""How a body is searched."""

from __future__ import annotations

import json

import pytest

from kit.redaction.body import is_binary, is_framed
from kit.redaction.redactor import Redactor
from tests.fakes.event_streams import EVENT, frame

KEY = "sk-abcdefgh123456"
CUT = ("sk-abcd", "efgh123456")


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"", "application/json", True),
        (b"a\0b", "", True),
        (b"a\0b", "multipart/form-data; boundary=x", False),
        (b"ab", "Image/PNG", True),
        (b"ab", "text/plain; charset=utf-8", False),
    ],
)
def test_bytes_that_are_no_text(body: bytes, content_type: str, expected: bool) -> None:
    """Nothing is masked in them."""
    assert is_binary(body, content_type) is expected


@pytest.mark.parametrize("content_type", ["text/event-stream", "text/plain", "", "application/json"])
def test_a_stream_is_known_by_its_look_in_answers(content_type: str) -> None:
    """Servers send event streams under other names."""
    events = [f"data: {json.dumps({'delta': {'text': piece}})}\n\n" for piece in CUT]
    shown = Redactor().body("".join(events).encode(), content_type, is_answer=True)
    assert shown.decode() == 'data: {"delta": {"text": "<secret-1>"}}\n\ndata: {"delta": {"text": ""}}\n\n'


@pytest.mark.parametrize("content_type", ["application/x-ndjson", "application/json", "application/json-seq"])
def test_json_lines_are_streams(content_type: str) -> None:
    """Ollama's stream, whatever it is called."""
    body = "".join(f'{{"response":"{piece}"}}\n' for piece in CUT).encode()
    masked = b'{"response":"<secret-1>"}\n{"response":""}\n'
    assert Redactor().body(body, content_type, is_answer=True) == masked


def test_an_array_of_events_is_a_stream_in_answers() -> None:
    """Gemini's stream without `alt=sse`; in a request each piece stands for itself."""
    events = [
        {"candidates": [{"content": {"parts": [{"text": piece}], "role": "model"}, "index": 0}]}
        for piece in ("it is ", *CUT, " indeed")
    ]
    body = json.dumps(events, indent=2).encode()
    shown = json.loads(Redactor().body(body, "application/json", is_answer=True))
    texts = [event["candidates"][0]["content"]["parts"][0]["text"] for event in shown]
    assert texts == ["it is ", "<secret-1>", "", " indeed"]
    assert Redactor().body(body, "application/json") is body


def test_fields_of_an_upload() -> None:
    """A form in parts: a secret by its field, another by its look in a file, JSON in a part; binary stays."""
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="api_key"\r\n\r\nplainword\r\n',
        (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
            b"Content-Type: text/plain\r\n\r\nuse sk-abcdefgh123456 now\r\n"
        ),
        b'--x\r\nContent-Disposition: form-data; name="meta"\r\n\r\n{"password": "open"}\r\n',
        b'--x\r\nContent-Disposition: form-data; name="secret"; filename="b"\r\n\r\n\x00\xff\r\n--x--\r\n',
    ]
    shown = Redactor().body(b"".join(parts), "multipart/form-data; boundary=x")
    expected = b"".join(parts).replace(b"plainword", b"<secret-1>").replace(KEY.encode(), b"<secret-2>")
    assert shown == expected.replace(b'"open"', b'"<secret-3>"')
    assert Redactor().body(shown, "multipart/form-data; boundary=x") == shown


def test_frames_are_known_by_name_or_by_look() -> None:
    """And an empty body is none."""
    kind = "application/vnd.amazon.eventstream; x=1"
    assert is_framed(frame(b"{}", EVENT), "")
    assert is_framed(b"{}", kind)
    assert not is_framed(b"", kind)
    assert not is_framed(b"{}", "application/json")
