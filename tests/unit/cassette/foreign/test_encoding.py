"""Content-decoding of imported bodies."""

from __future__ import annotations

import gzip
import importlib
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.foreign import encoding
from kit.cassette.foreign.encoding import Decoded, decode

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


brotli: Any = importlib.import_module("brotli")

Encode = Callable[[bytes], bytes]
Modules = dict[str, Any]


def _only(modules: Modules) -> Callable[[str], Any]:
    def installed(wanted: str) -> Any:
        if wanted not in modules:
            raise ModuleNotFoundError(name=wanted)
        return modules[wanted]

    return installed


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


class Steps(ModuleType):
    """The package `zstandard`, by the decoder of another: one frame at a time, as much as comes."""

    ZstdError = zstd.ZstdError

    class ZstdDecompressor:
        """Gives decoders, as there."""

        decompressobj = zstd.ZstdDecompressor


@pytest.fixture(params=["gzip", "gzip of many", "deflate", "brotli", "old brotli", "zstd", "zstandard"])
def coder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Encode]:
    """The name of an encoding whose decoder is there, and how to encode so."""
    modules: Modules = {"brotli": brotli, "compression.zstd": zstd}
    if request.param == "zstandard":
        modules = {"zstandard": Steps("zstandard")}
    elif request.param == "old brotli":

        class Old:
            def __init__(self) -> None:
                inner = brotli.Decompressor()
                self.process: Encode = lambda content: bytes(inner.process(content))
                self.is_finished = inner.is_finished

        modules = {"brotlicffi": SimpleNamespace(Decompressor=Old, error=brotli.error)}

    monkeypatch.setattr(importlib, "import_module", _only(modules))
    encode: Encode = {
        "gzip": gzip.compress,
        "gzip of many": lambda content: b"".join(gzip.compress(content[n::7]) for n in range(7)),
        "deflate": zlib.compress,
    }.get(request.param, brotli.compress if "brotli" in request.param else zstd.compress)
    return {"brotli": "br", "old brotli": "br", "zstandard": "zstd"}.get(
        request.param, request.param.split()[0]
    ), encode


def test_with_a_decoder(coder: tuple[str, Encode]) -> None:
    """Whatever package is there; what is cut short, or goes on, stays as it is."""
    name, encode = coder
    content = b"hello" * 1000
    encoded = encode(content)
    assert len(decode(encoded, header(name)).content) == len(content)
    assert decode(b'{"a": 1}', header(name)) == Decoded(b'{"a": 1}')
    assert decode(encoded[:-3], header(name)) == Decoded(encoded[:-3], "", f"the body is no {name}")
    for spoilt in (encoded + b"\xff" * 20, encoded[: len(encoded) // 2] + b"\xff" * 20):
        assert decode(spoilt, header(name)).content in {spoilt, content}


def test_two_frames_of_zstandard(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are one body, by either package."""
    both = zstd.compress(b"a" * 5000) + zstd.compress(b"b")
    for modules in ({"compression.zstd": zstd}, {"zstandard": Steps("zstandard")}):
        monkeypatch.setattr(importlib, "import_module", _only(modules))
        assert decode(both, header("zstd")) == Decoded(b"a" * 5000 + b"b")


def test_a_bomb_stays_encoded(coder: tuple[str, Encode], monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that decodes to more than a cassette could hold; one that decodes to just as much is none."""
    monkeypatch.setattr(encoding, "_MOST", 1_000_000)
    name, encode = coder
    most = encode(b"0" * 1_000_000)
    assert len(decode(most, header(name)).content) == 1_000_000
    bomb = encode(b"0" * 1_000_001)
    found = decode(bomb, header(name))
    assert (found.content, found.left) == (bomb, name)
    assert found.problem == f"{name} decodes to more than 0 MB"


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_bomb_takes_no_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding ends soon after the limit."""
    monkeypatch.setattr(importlib, "import_module", _only({"brotli": brotli, "compression.zstd": zstd}))
    monkeypatch.setattr(encoding, "_MOST", 1_000_000)
    member = b"0" * 900_000
    content = b"0" * 50_000_000
    bomb = gzip.compress(member) * 50
    if name != "gzip":
        bomb = brotli.compress(content, quality=1) if name == "br" else zstd.compress(content)
    tracemalloc.start()
    try:
        assert decode(bomb, header(name)).left == name
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
