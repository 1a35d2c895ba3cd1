"""Bodies without the encoding they were sent in: a cassette holds the bytes after content-decoding."""

from __future__ import annotations

import importlib
import io
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

_MOST = 1 << 28
"""Bytes that a body may decode to; more is a bomb. Only brotli before 1.2 decodes it before that is said."""

_STEP = 1024


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as far as it could be decoded.

    Attributes:
        content: its bytes.
        left: the encodings that are still on, as the header would say them; empty where it is decoded.
        problem: why an encoding is still on, else None.
    """

    content: bytes
    left: str = ""
    problem: str | None = None


def decode(content: bytes, headers: Iterable[tuple[str, str]]) -> Decoded:
    """Take off what `content-encoding` says; bytes that are not encoded as it says stay as they are.

    Tools that record decoded bodies often keep the header, so what it says is only tried.
    """
    said = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    names = [name for part in said.split(",") if (name := part.strip().lower()) not in {"", "identity"}]
    while names and content:
        name = names[-1]
        try:
            content = _decoder(name)(content)
        except ModuleNotFoundError as missing:
            why = f"no decoder for {name} is installed ({missing.name})"
            return Decoded(content, ", ".join(names), why)
        except _TooMuchError:
            return Decoded(content, ", ".join(names), f"{name} decodes to more than {_MOST >> 20} MB")
        except ValueError:
            return Decoded(content) if _is_text(content) else Decoded(content, "", f"the body is no {name}")
        names.pop()
    return Decoded(content)


class _TooMuchError(Exception):
    pass


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _decoder(name: str) -> Callable[[bytes], bytes]:
    found = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "br": _brotli, "zstd": _zstandard}.get(name)
    if found is None:
        raise ModuleNotFoundError(name=name)
    return found


def _gzip(content: bytes) -> bytes:
    parts: list[bytes] = []
    left = _MOST
    while content:
        decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
        parts.append(_inflated(decoder, content, left))
        left -= len(parts[-1])
        content = decoder.unused_data
    return b"".join(parts)


def _deflate(content: bytes) -> bytes:
    try:
        return _inflated(zlib.decompressobj(), content, _MOST)
    except ValueError:
        return _inflated(zlib.decompressobj(-zlib.MAX_WBITS), content, _MOST)


def _inflated(decoder: zlib._Decompress, content: bytes, most: int) -> bytes:
    try:
        decoded = _bounded(decoder.decompress(content, most + 1), most)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not decoder.eof:
        raise ValueError("cut short")
    return decoded


def _brotli(content: bytes) -> bytes:
    try:
        module = importlib.import_module("brotli")
    except ModuleNotFoundError:
        module = importlib.import_module("brotlicffi")
    decoder = module.Decompressor()
    try:
        try:
            decoded = decoder.process(content, output_buffer_limit=_MOST + 1)
        except TypeError:  # before 1.2
            decoded = decoder.process(content)
    except module.error as error:
        raise ValueError(str(error)) from None
    found = _bounded(bytes(decoded), _MOST)
    if not decoder.is_finished():
        raise ValueError("cut short")
    return found


def _zstandard(content: bytes) -> bytes:
    try:
        module = importlib.import_module("compression.zstd")
    except ModuleNotFoundError:
        return _zstandard_in_steps(importlib.import_module("zstandard"), content)
    try:
        return _bounded(bytes(module.ZstdFile(io.BytesIO(content)).read(_MOST + 1)), _MOST)
    except (module.ZstdError, EOFError) as error:
        raise ValueError(str(error)) from None


def _zstandard_in_steps(module: Any, content: bytes) -> bytes:
    """By a package that knows no limit: so little at a time that no step can decode to much."""
    parts: list[bytes] = []
    left = _MOST
    while content:
        decoder, place = module.ZstdDecompressor().decompressobj(), 0
        while not decoder.eof:
            if place >= len(content):
                raise ValueError("cut short")
            try:
                part = bytes(decoder.decompress(content[place : place + _STEP]))
            except module.ZstdError as error:
                raise ValueError(str(error)) from None
            place += _STEP
            parts.append(_bounded(part, left))
            left -= len(part)
        content = decoder.unused_data + content[place:]
    return b"".join(parts)


def _bounded(decoded: bytes, most: int) -> bytes:
    if len(decoded) > most:
        raise _TooMuchError
    return decoded
