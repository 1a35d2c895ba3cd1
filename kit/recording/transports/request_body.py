"""The body of a request, whatever a client of the standard library was given as one."""

from __future__ import annotations

import io
from typing import Any, NamedTuple


class RequestBody(NamedTuple):
    """A body that was read.

    Attributes:
        content: all of it.
        again: what the client shall send instead of the original, which may be used up by now.
    """

    content: bytes
    again: Any


def read_body(body: Any, encoding: str) -> RequestBody:
    """Reads a body to its end: text, bytes, a file, or an iterable of pieces.

    Args:
        body: as the program gave it; None is no body.
        encoding: how this client sends text.
    """
    if body is None:
        return RequestBody(b"", None)
    if isinstance(body, str):
        return RequestBody(body.encode(encoding), body)
    if hasattr(body, "read"):
        content = _piece(body.read(), encoding)
        # A file stays a file: how it is framed depends on that.
        return RequestBody(content, io.BytesIO(content))
    try:
        return RequestBody(bytes(memoryview(body)), body)
    except TypeError:
        pieces = [_piece(piece, encoding) for piece in body]
        return RequestBody(b"".join(pieces), pieces)


def _piece(piece: Any, encoding: str) -> bytes:
    return piece.encode(encoding) if isinstance(piece, str) else bytes(piece)
