"""Takes content-encodings off a body while it comes in, piece by piece; decoders are imported when met."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable
from typing import Any

from kit.recording.transports.failures import failure_of


class Decoder:
    """One decoder; an exception of its kind ends decoding and is kept for replay.

    Attributes:
        failure: why decoding broke, else None.

    Args:
        decoder: has `decode` and `flush`, which give bytes or pieces.
        broken: what it raises for bytes that are not encoded as said.
    """

    __slots__ = ("_broken", "_decoder", "failure")

    def __init__(self, decoder: Any, broken: type[Exception] | tuple[type[Exception], ...]) -> None:
        self._decoder = decoder
        self._broken = broken
        self.failure: str | None = None

    def decode(self, raw: bytes) -> bytes:
        """The decoded bytes behind these raw ones; nothing once decoding has failed."""
        return self._told(lambda: self._decoder.decode(raw))

    def flush(self) -> bytes:
        """What the decoder still holds at the end."""
        return self._told(self._decoder.flush)

    def _told(self, decode: Callable[[], Any]) -> bytes:
        if self.failure is not None:
            return b""
        try:
            decoded = decode()
            return decoded if isinstance(decoded, bytes) else b"".join(decoded)
        except self._broken as error:
            # Kept for replay; the client finds out by itself, unless it wanted the raw bytes only.
            self.failure = failure_of(error)
            return b""


class DecodingError(Exception):
    """Bytes that are not encoded as the header says; in replay each client raises its own kind of it."""


def decoder_of(content_encoding: str) -> Decoder:
    """Decodes what a `content-encoding` header names, outermost last; unknown codings stay on.

    A client that cannot decode them either gets the same bytes in replay.
    """
    names = [name.strip().lower() for name in content_encoding.split(",")]
    return Decoder(_Chain([step for name in reversed(names) if (step := _step(name))]), DecodingError)


class _Chain:
    def __init__(self, steps: list[_Step]) -> None:
        self._steps = steps

    def decode(self, raw: bytes) -> bytes:
        for step in self._steps:
            raw = step.decode(raw)
        return raw

    def flush(self) -> bytes:
        rest = b""
        for step in self._steps:
            rest = step.decode(rest) + step.flush()
        return rest


class _Step:
    """One coding; `make` gives a decompressor, `broken` is what it raises."""

    def __init__(self, make: Callable[[bytes], Any], broken: type[Exception]) -> None:
        self._make = make
        self._broken = broken
        self._decompressor: Any = None

    def decode(self, raw: bytes) -> bytes:
        try:
            return self._decode(raw)
        except self._broken as error:
            raise DecodingError(str(error)) from None

    def flush(self) -> bytes:
        flush = getattr(self._decompressor, "flush", None)
        return bytes(flush()) if flush else b""

    def _decode(self, raw: bytes) -> bytes:
        decoded = b""
        while raw:
            if self._decompressor is None or getattr(self._decompressor, "eof", False):
                # gzip and zstd may be several members in a row.
                self._decompressor = self._make(raw)
            feed = getattr(self._decompressor, "decompress", None) or self._decompressor.process
            decoded += feed(raw)
            raw = getattr(self._decompressor, "unused_data", b"")
        return decoded


def _step(name: str) -> _Step | None:
    if name in {"gzip", "x-gzip"}:
        return _Step(lambda _: zlib.decompressobj(zlib.MAX_WBITS | 16), zlib.error)
    if name == "deflate":
        return _Step(_deflate, zlib.error)
    if name == "br":
        module = _first("brotli", "brotlicffi")
        return _Step(lambda _: module.Decompressor(), module.error) if module else None
    if name == "zstd":
        module = _first("compression.zstd", "backports.zstd")
        if module:
            return _Step(lambda _: module.ZstdDecompressor(), module.ZstdError)
        module = _first("zstandard")
        return (
            _Step(lambda _: module.ZstdDecompressor().decompressobj(), module.ZstdError) if module else None
        )
    return None


def _deflate(first: bytes) -> Any:
    """Some servers leave out zlib's header: its first byte tells."""
    has_header = first[0] & 0x0F == 8 and (len(first) < 2 or (first[0] << 8 | first[1]) % 31 == 0)
    return zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _first(*names: str) -> Any:
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None
