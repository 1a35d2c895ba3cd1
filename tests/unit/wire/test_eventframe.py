"""Frames that are opened, changed and closed."""

from __future__ import annotations

import base64
import json
import struct
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.eventframe import closed, opened
from kit.wire.eventstream import messages
from tests.fakes.event_streams import EVENT, frame
from tests.fakes.examples import costly

INNER = '{"delta":{"text":"wörd"}}'


def texts_of(body: bytes) -> list[str]:
    return [text for one in opened(body) for text in one.texts]


def changed(body: bytes, old: str, new: str) -> bytes:
    """The body after a text was replaced wherever it stands."""
    return closed(opened(body), [text.replace(old, new) for text in texts_of(body)])


def invoked(inner: str) -> bytes:
    """A payload as `invoke-with-response-stream` sends it."""
    encoded = base64.b64encode(inner.encode()).decode()
    return f'{{"bytes":"{encoded}","p":"abc"}}'.encode()


@given(st.binary(max_size=80))
def test_any_bytes_come_back(body: bytes) -> None:
    """Frames or not."""
    assert closed(opened(body), texts_of(body)) == body


def test_what_is_inside_is_opened() -> None:
    """Headers, the payload without its base64, and the text of that."""
    (one,) = opened(frame(invoked(INNER), EVENT))
    assert one.names == (":event-type",)
    assert one.texts == ("chunk", '{"bytes":"', '","p":"abc"}', INNER)
    assert one.payloads == ('{"bytes":"","p":"abc"}', INNER)


@pytest.mark.parametrize("inner", [b"\xff\xfe\xfd", b"a\0b"])
def test_base64_of_bytes_stays(inner: bytes) -> None:
    """A picture is no text."""
    payload = json.dumps({"bytes": base64.b64encode(inner).decode()})
    assert opened(frame(payload.encode(), EVENT))[0].payloads == (payload,)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@costly(40)
@given(st.lists(st.tuples(TEXT, TEXT, st.booleans()), min_size=1, max_size=4), TEXT)
def test_a_change_gives_the_frames_of_what_it_says(told: list[tuple[str, str, bool]], word: str) -> None:
    """Lengths and checksums are those that AWS would have written; other frames keep their bytes."""

    def body(word: str) -> bytes:
        return b"".join(
            frame(
                invoked(f"{text}{word}{text}!") if is_inner else f"{text}{word}".encode(),
                (":h", f"{head}{word}"),
            )
            for head, text, is_inner in told
        ) + frame(b"same", EVENT)

    mark = "\uf8ff" * 5
    if mark not in repr(told):
        assert changed(body(mark), mark, word) == body(word)


def test_headers_of_other_types_are_kept() -> None:
    """Numbers between texts stand where they stood."""
    head = b"\1a\2\x07" + b"\1b\6\0\3old" + b"\1c\4\0\0\0\1" + b"\1d\7\0\3old" + b"\1e\7\0"
    raw = frame(b"{}", EVENT)
    prelude = struct.pack("!II", 16 + len(head) + 2, len(head))
    raw = prelude + struct.pack("!I", crc32(prelude)) + head + b"{}"
    raw += struct.pack("!I", crc32(raw))
    again = changed(raw, "old", "longer")
    assert messages(again)[0].intact
    assert again[12:-6] == head.replace(b"\0\3old", b"\0\6longer")


def test_a_value_is_cut_where_its_length_ends() -> None:
    """A header holds no more than 65535 bytes."""
    body = changed(frame(b"{}", (":h", "x")), "x", "y" * 70_000)
    (message,) = messages(body)
    assert message.intact
    assert message.headers[":h"] == "y" * 65_535


def test_what_was_broken_stays_broken() -> None:
    """A checksum that was wrong is wrong by the same bits: the client fails in replay as it did before."""
    good, new = frame(b'{"a":"old"}', EVENT), frame(b'{"a":"newer"}', EVENT)
    spoilt = good[:-1] + bytes([good[-1] ^ 5])
    assert changed(spoilt, "old", "newer") == new[:-1] + bytes([new[-1] ^ 5])


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_tail_misses_as_many_bytes_as_before(cut: int) -> None:
    """Of a frame that the stream cut off what arrived is changed, and no longer text completes it."""
    whole = frame(b'{"a":"old"}', (":o", "x"), (":b", "old"))
    first = frame(b"{}", EVENT)
    cut = min(cut, len(whole) - 1)
    tail = changed(first + whole[:cut], "old", "much longer")[len(first) :]
    assert b"old" not in tail
    if b"old" in whole[:cut] and cut > 12:
        assert crc32(tail[:8]) == int.from_bytes(tail[8:12], "big")
        assert int.from_bytes(tail[:4], "big") - len(tail) == len(whole) - cut


def test_base64_that_was_cut_off_is_opened_as_far_as_it_came() -> None:
    """Whole groups of four; the rest stays."""
    whole = frame(invoked('{"text":"old"}'), EVENT)
    end = whole.index(b'","p"')
    tail = changed(whole[: end - 2], "old", "new")
    assert base64.b64decode(tail[tail.index(b'"bytes":"') + 9 :]) == b'{"text":"new'
    assert opened(tail)[0].inner == ('{"text":"new',)


@pytest.mark.parametrize("total", [5, 40, 1 << 31 | 1])
def test_a_prelude_that_makes_no_sense_is_text(total: int) -> None:
    """All of the tail may change, and no length is believed."""
    prelude = struct.pack("!II", total, 90)
    raw = prelude + struct.pack("!I", crc32(prelude)) + b" old old old old old"
    assert changed(raw, "old", "new") == raw.replace(b"old", b"new")
