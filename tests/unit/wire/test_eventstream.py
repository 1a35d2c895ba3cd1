"""Framing of AWS event streams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.eventstream import is_eventstream, messages
from tests.fakes.eventstream import framed


def test_messages_carry_their_headers_and_payload() -> None:
    """What Bedrock puts around each event."""
    first, second = messages(framed("messageStart", b'{"role":"assistant"}') + framed("metadata", b"{}"))
    assert (first.kind, first.payload) == ("messageStart", b'{"role":"assistant"}')
    assert first.headers[":content-type"] == "application/json"
    assert first.intact
    assert first.finished
    assert not first.is_exception
    assert second.kind == "metadata"


def test_an_exception_is_told_from_an_event() -> None:
    """The server fails in the middle of a stream that began with 200."""
    (message,) = messages(framed("throttlingException", b'{"message":"slow"}', kind="exception"))
    assert message.is_exception
    assert message.kind == "throttlingException"


@pytest.mark.parametrize("flipped", [3, 9, 14, -1])
def test_a_changed_byte_is_seen(flipped: int) -> None:
    """By the checksum where the lengths still hold, else as a tail that is no message."""
    body = bytearray(framed("contentBlockDelta", b'{"delta":{"text":"hi"}}'))
    body[flipped] ^= 1
    assert not all(message.intact for message in messages(bytes(body)))


def test_a_scrubbed_payload_is_still_read() -> None:
    """A mask of the same length breaks the checksum and nothing else."""
    body = framed("contentBlockDelta", b'{"delta":{"text":"secret"}}').replace(b"secret", b"<mask>")
    (message,) = messages(body)
    assert message.finished
    assert not message.intact
    assert message.payload == b'{"delta":{"text":"<mask>"}}'


def test_headers_of_every_type_are_stepped_over() -> None:
    """Only text is kept; numbers, times and bytes before it do not hide it."""
    odd = b"".join(
        bytes([1]) + b"h" + bytes([kind]) + b"\0" * length
        for kind, length in {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}.items()
    )
    odd += b"\1b\6\0\3xyz"
    (message,) = messages(framed("chunk", b"{}", before=odd))
    assert message.kind == "chunk"


def test_a_stream_that_was_cut_ends_in_a_tail() -> None:
    """What came whole stays, the rest is kept as it is."""
    whole = framed("messageStart", b"{}")
    first, tail = messages(whole + framed("messageStop", b"{}")[:-5])
    assert first.finished
    assert not tail.finished


def test_a_body_is_known_by_its_first_message() -> None:
    """Where the content type is lost."""
    assert is_eventstream(framed("messageStart", b"{}"))
    assert not is_eventstream(b'{"output":{}}')
    assert not is_eventstream(b"")


@given(st.binary(max_size=300), st.binary(max_size=20))
def test_no_bytes_raise_and_none_is_lost(body: bytes, block: bytes) -> None:
    """Each byte is in exactly one message, whatever the bytes; broken headers give what can be read."""
    assert b"".join(message.raw for message in messages(body)) == body
    assert len(messages(framed("chunk", b"{}", before=block))) == 1
