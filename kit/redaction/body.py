"""How a body is searched: by what it says it is, and in answers by what it looks like."""

from __future__ import annotations

from collections.abc import Callable

from kit.redaction.search import Search
from kit.redaction.span import Span
from kit.redaction.stream import find_in_array, find_in_stream
from kit.wire.eventstream import is_eventstream

_BINARY = ("image/", "audio/", "video/", "font/", "application/octet-stream", "application/pdf",
           "application/zip", "application/gzip", "application/x-protobuf", "application/grpc")  # fmt: skip
_FRAMES = "application/vnd.amazon.eventstream"
_STREAMS = frozenset(
    {
        "text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/x-jsonl", "application/json-seq", "application/stream+json", "application/json-lines",
    }
)  # fmt: skip
_BEGINNINGS = (b"data:", b"event:", b"id:", b"retry:")

Find = Callable[[str], list[Span]]


def is_binary(body: bytes, content_type: str) -> bool:
    """Whether a body holds nothing that can be masked: empty, or bytes that are no text."""
    kind = _kind(content_type)
    return not body or kind.startswith(_BINARY) or (b"\0" in body and not kind.startswith("multipart/"))


def is_framed(body: bytes, content_type: str) -> bool:
    """Whether a body is an AWS event stream, by its name or by its look: text inside binary frames."""
    return is_eventstream(body) or (bool(body) and _kind(content_type) == _FRAMES)


def finder(search: Search, body: bytes, content_type: str, *, is_answer: bool) -> Find:
    """What finds the secrets of a text body.

    Args:
        search: knows the rules.
        body: after content-decoding.
        content_type: as the header says.
        is_answer: only answers are joined; a request is matched piece by piece.
    """
    kind = _kind(content_type)
    if kind in _STREAMS or (is_answer and _looks_like_stream(body)):
        return lambda text: find_in_stream(text, search)
    if kind == "application/x-www-form-urlencoded":
        return search.form
    if kind.startswith("multipart/"):
        return search.multipart
    if is_answer and body.lstrip()[:1] == b"[":
        return lambda text: find_in_array(text, search)
    return search.text


def _looks_like_stream(body: bytes) -> bool:
    """An event stream or JSON lines under another name."""
    start = body[:64].lstrip()
    if start.startswith(_BEGINNINGS):
        return True
    return start[:1] == b"{" and b"}\n{" in body.replace(b"\r\n", b"\n")


def _kind(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()
