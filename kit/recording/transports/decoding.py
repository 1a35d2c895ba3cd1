"""Takes content-encodings off a body while it comes in, piece by piece; decoders are imported when met."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable
from typing import Any, Literal

from kit.recording.transports.failures import failure_of

_Behind = Literal["another", "anything", "nothing"]


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
    """One coding.

    Args:
        make: gives a decompressor.
        broken: what it raises.
        behind: what may follow a finished body: `another`, as in zstd; another or `anything`, as in gzip;
            `nothing` that counts, as in deflate. Clients pass over the rest, and so does this.
    """

    def __init__(self, make: Callable[[bytes], Any], broken: type[Exception], behind: _Behind) -> None:
        self._make = make
        self._broken = broken
        self._behind = behind
        self._decompressor: Any = None
        self._is_later = False
        self._is_over = False

    def decode(self, raw: bytes) -> bytes:
        decoded = b""
        while raw and not self._is_over:
            if self._decompressor is None:
                self._decompressor = self._make(raw)
            feed = getattr(self._decompressor, "decompress", None) or self._decompressor.process
            try:
                decoded += feed(raw)
            except self._broken as error:
                if not (self._is_later and self._behind == "anything"):
                    raise DecodingError(str(error)) from None
                self._is_over, self._decompressor = True, None
                break
            raw = getattr(self._decompressor, "unused_data", b"")
            if getattr(self._decompressor, "eof", False):
                self._is_later, self._decompressor = True, None
                self._is_over = self._behind == "nothing"
        return decoded

    def flush(self) -> bytes:
        flush = getattr(self._decompressor, "flush", None)
        return bytes(flush()) if flush else b""


def _step(name: str) -> _Step | None:
    if name in {"gzip", "x-gzip"}:
        return _Step(lambda _: zlib.decompressobj(zlib.MAX_WBITS | 16), zlib.error, "anything")
    if name == "deflate":
        return _Step(_deflate, zlib.error, "nothing")
    if name == "br":
        module = _first("brotli", "brotlicffi")
        return _Step(lambda _: module.Decompressor(), module.error, "another") if module else None
    if name == "zstd":
        module = _first("compression.zstd", "backports.zstd")
        if module:
            return _Step(lambda _: module.ZstdDecompressor(), module.ZstdError, "another")
        module = _first("zstandard")
        if module:
            return _Step(lambda _: module.ZstdDecompressor().decompressobj(), module.ZstdError, "another")
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
