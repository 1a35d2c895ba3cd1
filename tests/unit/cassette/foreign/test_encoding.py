"""Content-decoding of imported bodies."""

from __future__ import annotations

import gzip
import importlib
import zlib
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.foreign import encoding
from kit.cassette.foreign.encoding import Decoded, decode


def header(value: str) -> list[tuple[str, str]]:
    return [("Content-Type", "x"), ("Content-Encoding", value)]


@given(st.binary(min_size=1))
def test_gzip_and_deflate(content: bytes) -> None:
    """Both spellings of deflate, gzip of several members, and one encoding upon the other."""
    raw = zlib.compressobj(wbits=-15)
    for name, encoded in (
        ("gzip", gzip.compress(content)),
        ("X-GZIP", gzip.compress(content) + gzip.compress(b"")),
        ("deflate", zlib.compress(content)),
        ("deflate", raw.compress(content) + raw.flush()),
        ("deflate, gzip", gzip.compress(zlib.compress(content))),
        ("identity", content),
    ):
        assert decode(encoded, header(name)) == Decoded(content)


def test_no_header_no_decoding() -> None:
    """A file that is a gzip stays one."""
    content = gzip.compress(b"x")
    assert decode(content, [("content-type", "application/gzip")]) == Decoded(content)
    assert decode(b"", header("gzip")) == Decoded(b"")


def test_a_body_that_was_decoded_already() -> None:
    """Tools keep the header and drop the encoding."""
    assert decode(b'{"a": 1}', header("gzip")) == Decoded(b'{"a": 1}')


def test_a_broken_body_is_kept_and_said() -> None:
    """Cut short, or no gzip at all: the bytes of the file stay."""
    cut = gzip.compress(b"hello world, hello world")[:-9]
    assert decode(cut, header("gzip")) == Decoded(cut, "", "the body is no gzip")


@pytest.mark.parametrize(
    ("name", "modules"), [("br", ("brotli", "brotlicffi")), ("zstd", ("compression.zstd", "zstandard"))]
)
def test_without_a_decoder(name: str, modules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes stay encoded, with the header that says so, and why."""
    real = importlib.import_module

    def lacking(wanted: str) -> ModuleType:
        if wanted in modules:
            raise ModuleNotFoundError(name=wanted)
        return real(wanted)

    monkeypatch.setattr(importlib, "import_module", lacking)
    found = decode(b"\x01\x02", header(f"gzip, {name}"))
    assert (found.content, found.left) == (b"\x01\x02", f"gzip, {name}")
    assert found.problem is not None
    assert f"no decoder for {name} is installed" in found.problem


def test_an_encoding_that_nobody_knows() -> None:
    """Is left on."""
    assert decode(b"\xff", header("sdch")).left == "sdch"


def test_with_a_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both br and zstd are decoded by whatever package is there."""

    class Fake(ModuleType):
        error = ZstdError = ValueError

        @staticmethod
        def decompress(content: bytes) -> bytes:
            if content == b"bad":
                raise ValueError("bad")
            return content[::-1]

    monkeypatch.setattr(importlib, "import_module", Fake)
    for name in ("br", "zstd"):
        assert decode(b"abc", header(name)) == Decoded(b"cba")
        assert decode(b"bad", header(name)) == Decoded(b"bad")


def test_a_bomb_stays_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that decodes to more than a cassette could hold."""
    monkeypatch.setattr(encoding, "_MOST", 1000)
    bomb = gzip.compress(b"0" * 2000)
    found = decode(bomb, header("gzip"))
    assert (found.content, found.left) == (bomb, "gzip")
