"""Secrets in binary event streams."""

from __future__ import annotations

import base64
import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.load import loads
from kit.redaction.frames import find_in_frames, readable
from kit.redaction.redactor import Redactor
from kit.redaction.rule import DEFAULT_RULES
from kit.redaction.search import Search
from kit.wire.eventframe import opened
from kit.wire.eventstream import messages
from tests.fakes.cassettes import call, cassette, compact
from tests.fakes.event_streams import CONVERSE, EVENT, frame
from tests.fakes.examples import costly
from tests.fakes.planted_secrets import planted

KIND = "application/vnd.amazon.eventstream"
KEY = "sk-abcdefgh123456"
BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")


def scrubbed(body: bytes, kind: str = KIND) -> bytes:
    return Redactor().body(body, kind, is_answer=True)


def wrapped(event: Any) -> bytes:
    """An event as `invoke-with-response-stream` sends it."""
    inner = base64.b64encode(compact(event)).decode()
    return frame(compact({"bytes": inner, "p": "abcdefg"}), EVENT)


def delta(text: str, index: int = 0) -> Any:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}


def said(body: bytes) -> list[Any]:
    """The payloads, opened; each frame is one that a parser takes."""
    assert all(message.intact for message in messages(body))
    return [json.loads(one.payloads[-1]) for one in opened(body)]


@pytest.mark.parametrize("kind", [KIND, "application/octet-stream", ""])
def test_payloads_and_headers_are_masked(kind: str) -> None:
    """By field and by look, whatever the stream is called; checksums hold."""
    body = frame(compact({"password": "open", "text": f"a {KEY} b"}), (":api-key", "hunter2"), (":x", KEY))
    shown = scrubbed(body, kind)
    (message,) = messages(shown)
    assert message.intact
    assert message.headers == {":api-key": "<secret-1>", ":x": "<secret-2>"}
    assert json.loads(message.payload) == {"password": "<secret-3>", "text": "a <secret-2> b"}
    assert scrubbed(shown, kind) == shown


def test_events_inside_are_masked_over_their_deltas() -> None:
    """A key in pieces has its mask in the first, in base64 as it came; blocks do not mix."""
    texts = [("my sk-abcd", 0), ("ghp_abcdefghij", 1), ("efgh", 0), ("123456 x", 0), ("0123456789", 1)]
    shown = scrubbed(b"".join(wrapped(delta(*text)) for text in texts))
    assert [event["delta"]["text"] for event in said(shown)] == ["my <secret-1>", "<secret-2>", "", " x", ""]
    assert b"<secret" not in shown


def test_converse_s_blocks_are_told_apart() -> None:
    """By their own name for the index."""
    pieces = [(0, "sk-abcd"), (1, "sk-ijkl"), (0, "efgh123456 x"), (1, "mnop123456 y")]
    body = b"".join(
        frame(compact({"contentBlockIndex": at, "delta": {"text": text}}), EVENT) for at, text in pieces
    )
    assert [event["delta"]["text"] for event in said(scrubbed(body))] == [
        "<secret-1>",
        "<secret-2>",
        " x",
        " y",
    ]


def test_what_holds_no_secret_keeps_its_bytes() -> None:
    """The stream, and of one with a secret each frame without."""
    frames = [frame(json.dumps(event).encode(), (":event-type", kind)) for kind, event in CONVERSE]
    frames += [wrapped(delta("word")), frame(b"\0\xff\0", EVENT), frame(b"plain \xff", EVENT), b"\0\0\0"]
    body = b"".join(frames)
    assert scrubbed(body) == body
    spoilt = wrapped(delta("x"))[:-1] + b"?"
    shown = scrubbed(spoilt + body[:-3] + wrapped(delta(KEY)))
    assert shown.startswith(spoilt + body[:-3])
    assert KEY not in readable(shown)


@pytest.mark.parametrize("body", [b"", KEY.encode(), b'{"message":"sk-abcdefgh123456"}'])
def test_what_is_no_frame_is_text(body: bytes) -> None:
    """Errors come under the same name."""
    assert scrubbed(body) == body.replace(KEY.encode(), b"<secret-1>")


@pytest.mark.parametrize("missing", [2, 4, 5, 20, 30])
def test_a_stream_that_was_cut_is_masked_to_its_end(missing: int) -> None:
    """The last frame never came whole; what came of it was seen by the client's reader."""
    body = wrapped(delta("a")) + wrapped(delta(KEY + " and more words"))[:-missing]
    shown = scrubbed(body)
    assert KEY not in readable(shown)
    assert "<secret-1>" in readable(shown)


def test_masks_of_a_served_answer_are_seen_in_base64() -> None:
    """Replay numbers on behind them."""
    redactor = Redactor()
    redactor.reserve(wrapped(delta("<secret-1> <secret-2>")))
    assert redactor.text(KEY) == "<secret-3>"


def test_spans_are_those_of_each_text() -> None:
    """In the order of the texts of all frames."""
    frames = opened(frame(compact({"a": KEY}), (":h", KEY)))
    texts = [text for one in frames for text in one.texts]
    found = find_in_frames(frames, texts, Search(DEFAULT_RULES))
    assert [[(span.start, span.end) for span in spans] for spans in found] == [[(0, 17)], [(6, 23)]]


def everything(text: str) -> str:
    """A text, and whatever stands in it in base64, at any depth."""
    found = [text]
    for part in found:
        for match in BASE64.finditer(part):
            content = base64.b64decode(match[0][: len(match[0]) // 4 * 4], validate=False)
            found.append(content.decode("latin-1"))
        if len(found) > 400:
            break
    return "\n".join(found)


@costly(25)
@given(st.integers(0, 2**32), st.data())
def test_no_secret_is_in_the_file_in_any_form(seed: int, data: st.DataObject) -> None:
    """Of any kind, in payloads, headers, events inside, whole or in pieces; the same stream is replayed."""
    chance = random.Random(seed)
    kinds = planted(chance)
    secret, text = kinds[data.draw(st.sampled_from(sorted(kinds)))]
    cuts = sorted(chance.sample(range(1, len(text)), min(2, len(text) - 1)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    in_pieces = [delta(piece) for piece in pieces]
    make = data.draw(st.sampled_from([wrapped, lambda event: frame(compact(event), EVENT)]))
    body = b"".join(map(make, [delta("Well: "), *in_pieces, delta(" so."), delta(text, 1)]))
    if "\n" not in text:
        body += frame(b"{}", (":error-message", text))
    one = call(1, compact({"a": 1}), scrubbed(body), headers=(("content-type", KIND),))
    file = dumps(cassette(one))
    shown = one.response.body  # type: ignore[union-attr]
    joined = "".join(event["delta"]["text"] for event in said(shown) if event.get("index") == 0)
    for place in (file, joined, readable(shown), everything(file), everything(shown.decode("latin-1"))):
        assert secret not in place
    again: Cassette = loads(file)
    assert again.interactions[0].response == one.response
