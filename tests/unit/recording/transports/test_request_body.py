"""Bodies of requests, in every shape a client takes."""

from __future__ import annotations

import io
from typing import Any

import pytest

from kit.recording.transports.request_body import read_body


@pytest.mark.parametrize(
    ("body", "content"),
    [
        (None, b""),
        ("é", "é".encode()),
        (b"abc", b"abc"),
        (bytearray(b"abc"), b"abc"),
        (memoryview(b"abc"), b"abc"),
        (io.BytesIO(b"abc"), b"abc"),
        (io.StringIO("é"), "é".encode()),
        (iter([b"a", "bc"]), b"abc"),
    ],
)
def test_a_body_is_read_and_can_be_sent_again(body: Any, content: bytes) -> None:
    """What is sent instead of the original holds the same bytes."""
    read = read_body(body, "utf-8")
    assert read.content == content
    assert read_body(read.again, "utf-8").content == content


def test_a_file_stays_a_file_and_an_iterator_a_sequence() -> None:
    """How a client frames a body depends on its kind."""
    assert hasattr(read_body(io.BytesIO(b"abc"), "utf-8").again, "read")
    assert read_body(iter([b"a", b"b"]), "utf-8").again == [b"a", b"b"]
    assert read_body("é", "latin-1").content == b"\xe9"
