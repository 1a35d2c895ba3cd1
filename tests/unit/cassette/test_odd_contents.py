"""Every file that kit writes, kit loads: contents that break careless writers and readers."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.emit import dumps
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.key import Keyer
from kit.cassette.load import loads
from kit.cassette.match import Playlist
from kit.errors import CassetteInvalid
from tests.fakes.cassettes import JSON, URL, cassette, compact
from tests.fakes.event_streams import CONVERSE, anthropic, frame, gemini, responses, sse
from tests.fakes.examples import costly
from tests.fakes.json_values import odd_json, values

URLS = st.sampled_from(
    [
        URL,
        "https://api.openai.com/v1/responses",
        "https://api.anthropic.com/v1/messages",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream",
        "https://x.org/a?b=c#d",
        "http://[::1]:8080/",
    ]
)


def nested(depth: int, opening: str = '{"a":', closing: str = "}") -> bytes:
    return (opening * depth + "1" + closing * depth).encode()


def check(request: bytes, answer: bytes, *, url: str = URL, media: bool = False) -> str:
    """Written, read and played; gives the text."""
    asked = HttpRequest("POST", url, JSON, request)
    items = tuple(
        Interaction(number, "model", asked, HttpResponse(200, JSON, answer), 0, 0) for number in (1, 2)
    )
    files: dict[str, bytes] = {}
    text = dumps(cassette(*items), files if media else None)
    keyer = Keyer()
    found = loads(text, keyer=keyer, media=files.__getitem__)
    assert found.interactions == items
    assert not found.edited
    playlist = Playlist(found.interactions, keyer)
    for _ in items:
        played = playlist.take(Keyer().http("POST", url, "application/json", request))
        assert played is not None
        assert played.response == items[0].response
    return text


@pytest.mark.parametrize(
    "content",
    [
        *(
            '"\ufffe\uffff"',
            '"\x7f\x80\x85\u2028\u2029"',
            '"\\u0000"',
            '"\x00"',
            '"\\ud83d"',
            '"\\ud83d\\ude00"',
        ),
        *(
            '"a\\r\\nb\\r\\n"',
            '"\\t\\tx  \\n \\n"',
            '"..."',
            '"---\\na: b"',
            '"% x"',
            '"!!python/name:os.system"',
        ),
        *('{"a":1,"a":2}', '{"":""," ":"  "}', '{"a\\nb":"c"}', '{"' + "k" * 3000 + '":1}', '{"<<":{"a":1}}'),
        *(
            "123456789012345678901234567890",
            "1" * 5000,
            "-0",
            "-0.0",
            "1.10",
            "1E400",
            "1e5",
            "NaN",
            "-Infinity",
        ),
        *(
            '{"a": 1,\r\n "b":2}\r\n',
            "\ufeff{}",
            " {} \n",
            "null",
            "true",
            '""',
            "[]",
            "{}",
            '"*a &b"',
            "[&a 1, *a]",
        ),
    ],
)
def test_odd_json(content: str) -> None:
    """As a body, as a part of a message, and as text inside a call's arguments."""
    raw = content.encode("utf-8", "surrogatepass")
    check(raw, raw)
    message = b'{"messages":[{"role":"user","content":' + raw + b"}]}"
    check(message, b'{"choices":[{"message":' + raw + b"}]}")
    arguments = json.dumps(content).encode()
    check(b'{"messages":[{"role":"user","tool_calls":[{"function":{"arguments":' + arguments + b"}}]}]}", raw)


ODD_BYTES = [
    *(b"\x00", b"\xff\xfe\x00", b"\r\n\r\n", b"a\rb", b" \n\t", b"\x1f\x8b\x08junk", bytes(range(256))),
    *("\ufffe\ufdd0\U0001ffff".encode(), "\u2028\x85".encode(), b"- a\n- *b\n", b"kit: cassette 1\n"),
    *(b"version https://git-lfs.github.com/spec/v1\n", b"<<<<<<< ours\n=======\n>>>>>>> theirs\n"),
    *(b"\nvolatile:\n  digest: 'x'\n", b"\ncalls:\n"),
]


@pytest.mark.parametrize("content", ODD_BYTES)
def test_odd_bytes(content: bytes) -> None:
    """No JSON at all: control characters, broken Unicode, what looks like a part of a cassette."""
    check(content, content)


@pytest.mark.parametrize("depth", [30, 100, 500, 1_500, 20_000])
@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_deep_nesting(depth: int, opening: str, closing: str) -> None:
    """Shown as text where nobody could read it, whatever the stack of this Python holds."""
    deep = nested(depth, opening, closing)
    check(deep, deep)
    check(b'{"messages":[{"content":' + deep + b"}]}", b"data: " + deep + b"\n\n")


def test_deep_values_of_tools() -> None:
    """A tool may give back anything."""
    value: Any = 1
    for _ in range(300):
        value = [{"a": value}]
    item = Interaction(1, "tool", ToolRequest("t", {"x": value}), ToolResponse(value), 0, 0)
    (found,) = loads(dumps(cassette(item))).interactions
    assert json.dumps(found.response.result) == json.dumps(value)  # type: ignore[union-attr]


def embeddings(count: int) -> bytes:
    chance = random.Random(7)
    numbers = ([chance.uniform(-1, 1) for _ in range(1536)] for _ in range(count))
    return compact({"data": [{"index": place, "embedding": row} for place, row in enumerate(numbers)]})


@pytest.mark.parametrize("count", [3, pytest.param(170, marks=pytest.mark.slow)])
def test_embeddings(count: int) -> None:
    """Vectors of 1536 floats: a line for each, not for each number."""
    content = embeddings(count)
    text = check(b'{"input":["a"]}', content)
    assert len(text) < 2.2 * len(content)
    assert text.count("\n") < 10 * count + 40


@pytest.mark.parametrize("media", [False, True])
@pytest.mark.parametrize("megabytes", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_large_bodies(megabytes: int, *, media: bool) -> None:
    """Text, bytes and base64, with media beside the file and without."""
    binary = random.Random(1).randbytes(megabytes * 750_000)
    text = ("line of prose, with an é\n" * megabytes * 40_000).encode()
    size = len(check(compact({"input": base64.b64encode(binary).decode()}), binary, media=media))
    assert (size < 100_000) == media
    check(text, text, media=media)


def test_compressed_bodies() -> None:
    """What nobody could decode comes back as it was."""
    brotli = base64.b64decode("CwWASGVsbG8sIFdvcmxkIQM=")
    zstd = base64.b64decode("KLUv/SANaQAASGVsbG8sIFdvcmxkIQ==")
    for content, name in ((brotli, "br"), (zstd, "zstd")):
        headers = (("content-type", "application/json"), ("content-encoding", name))
        answer = HttpResponse(200, headers, content)
        item = Interaction(1, "other", HttpRequest("GET", "https://x.org/", (), b""), answer, 0, 0)
        assert loads(dumps(cassette(item))).interactions == (item,)


@costly(30)
@given(
    odd_json | values.map(json.dumps) | st.text(),
    st.binary() | values.map(lambda value: json.dumps(value).encode()),
    URLS,
)
def test_any_body_comes_back(request: str, answer: bytes, url: str) -> None:
    """Whatever an agent sends and a server answers."""
    check(request.encode("utf-8", "surrogatepass"), answer, url=url)


@costly(30)
@given(st.sampled_from([responses(), anthropic(), gemini()]), st.data())
def test_any_stream_comes_back(events: list[dict[str, Any]], data: st.DataObject) -> None:
    """Cut anywhere, with anything in between."""
    content = bytearray(sse(*events))
    at = data.draw(st.integers(0, len(content)))
    content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=6))
    check(b'{"messages":[]}', bytes(content[: data.draw(st.integers(0, len(content)))]))


@costly(30)
@given(st.data())
def test_any_frames_come_back(data: st.DataObject) -> None:
    """Torn, or with a byte changed: then they are kept in base64."""
    content = bytearray(
        b"".join(frame(json.dumps(event).encode(), (":event-type", name)) for name, event in CONVERSE)
    )
    if data.draw(st.booleans()):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    check(b'{"messages":[]}', bytes(content[: data.draw(st.integers(1, len(content)))]))


def test_an_alias_bomb_is_refused() -> None:
    """No cassette of kit holds an alias, so none is expanded."""
    bomb = "calls: &a [&b [1, 1], *b, *b]\n" + "x: [*a, *a, *a]\n"
    text = dumps(cassette()).replace("calls: []\n", bomb)
    with pytest.raises(CassetteInvalid, match=r"anchors \(&\) and aliases \(\*\) are not allowed"):
        loads(text)
