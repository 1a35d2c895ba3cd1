"""Content-encodings taken off piece by piece."""

from __future__ import annotations

import gzip
import io
import zlib

import brotli  # type: ignore[import-untyped]
import httpx
import pytest
import urllib3
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from kit.recording.transports.decoding import Decoder, decoder_of

TEXT = b"some text, " * 50
PACKED = {
    "": TEXT,
    "identity": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstd.compress(TEXT),
    "gzip, br": brotli.compress(gzip.compress(TEXT)),
}


@given(st.sampled_from(sorted(PACKED)), st.integers(1, 40))
def test_pieces_of_any_size_decode_to_the_whole(coding: str, size: int) -> None:
    """Whatever the wire cuts, the decoded bytes are the same."""
    decoder, packed = decoder_of(coding), PACKED[coding]
    pieces = [decoder.decode(packed[at : at + size]) for at in range(0, len(packed), size)]
    assert b"".join(pieces) + decoder.flush() == TEXT
    assert decoder.failure is None


def test_deflate_without_its_header_decodes_too() -> None:
    """Some servers mean the raw format."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(TEXT) + packer.flush()
    decoder = decoder_of("deflate")
    assert decoder.decode(packed) + decoder.flush() == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bytes_that_are_not_encoded_as_said_are_a_failure_once(coding: str) -> None:
    """The failure is kept for replay, and nothing comes after it."""
    decoder = decoder_of(coding)
    assert decoder.decode(b"\xff\xfeplain text, no such encoding" * 4) == b""
    assert (decoder.failure or "").startswith("DecodingError")
    assert decoder.decode(PACKED[coding]) == decoder.flush() == b""


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate"])
@pytest.mark.parametrize(
    "rest", [b"\n", b"\0" * 9, b"\r\n\r\n<!-- served by a proxy -->", b"\x1f\x8b garbage"]
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_what_follows_a_finished_body_is_passed_over(coding: str, rest: bytes, size: int) -> None:
    """As urllib3 does; the body before it is whole."""
    decoder, packed = decoder_of(coding), PACKED[coding] + rest
    pieces = [decoder.decode(packed[at : at + size]) for at in range(0, len(packed), size)]
    assert b"".join(pieces) + decoder.flush() == TEXT
    assert decoder.failure is None


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate"])
def test_a_client_agrees_on_what_follows_a_finished_body(coding: str) -> None:
    """urllib3 itself, on the same bytes."""
    packed = PACKED[coding] + b"\r\n\r\n<!-- served by a proxy -->"
    answer = urllib3.HTTPResponse(io.BytesIO(packed), {"content-encoding": coding}, preload_content=False)
    decoder = decoder_of(coding)
    assert answer.read() == decoder.decode(packed) + decoder.flush()


def test_an_unknown_encoding_stays_on() -> None:
    """The client could not take it off either."""
    decoder = decoder_of("secret-sauce")
    assert decoder.decode(b"abc") == b"abc"


def test_a_clients_own_decoder_may_give_pieces() -> None:
    """httpx2's give a list; an exception of their kind is kept."""

    class Pieces:
        def decode(self, raw: bytes) -> list[bytes]:
            return [raw[:1], raw[1:]]

        def flush(self) -> bytes:
            raise httpx.DecodingError("cut")

    decoder = Decoder(Pieces(), httpx.DecodingError)
    assert decoder.decode(b"abc") == b"abc"
    assert decoder.flush() == b""
    assert decoder.failure == "DecodingError: cut"
