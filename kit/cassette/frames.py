"""AWS event streams as lines of text and back, checksums computed anew.

A frame becomes its headers as JSON, a line feed, and its payload. Where the payload carries another event in
base64 (`invoke-with-response-stream`), that event stands in its place.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from zlib import crc32

FRAMES = "aws"
"""What a stream's row calls this framing."""

_PRELUDE = struct.Struct("!II")
_CRC = struct.Struct("!I")
_AROUND = 16
_TEXT = 7
_INNER = '{"bytes":'
_TAIL = "tail"
_DECODER = json.JSONDecoder()


def unframed(content: bytes) -> list[str] | None:
    """The frames of a body as texts; None where it is no event stream that `framed` gives back exactly.

    A tail that is no frame (a stream that broke) is the last text, in hex.
    """
    texts: list[str] = []
    at = 0
    while at < len(content):
        found = _frame(content, at)
        if found is None:
            texts.append(json.dumps({_TAIL: content[at:].hex()}))
            break
        text, at = found
        texts.append(text)
    try:
        return texts if at and framed(texts) == content else None
    except (ValueError, struct.error):
        return None


def framed(texts: list[str]) -> bytes:
    """The inverse of `unframed`.

    Raises:
        ValueError: a text that is no frame.
    """
    return b"".join(map(_framed, texts))


def _frame(content: bytes, at: int) -> tuple[str, int] | None:
    if len(content) - at < _AROUND:
        return None
    length, head = _PRELUDE.unpack_from(content, at)
    if length < _AROUND + head or at + length > len(content):
        return None
    start = at + 12
    try:
        headers = _headers(content[start : start + head])
        payload = content[start + head : at + length - 4].decode("utf-8")
    except (ValueError, IndexError, struct.error):
        return None
    return f"{json.dumps(headers, ensure_ascii=False)}\n{_opened(payload)}", at + length


def _headers(content: bytes) -> list[tuple[str, str]]:
    headers: list[tuple[str, str]] = []
    at = 0
    while at < len(content):
        name_end = at + 1 + content[at]
        if content[name_end] != _TEXT:
            raise ValueError("a header that is no text")
        end = name_end + 3 + int.from_bytes(content[name_end + 1 : name_end + 3], "big")
        headers.append((content[at + 1 : name_end].decode(), content[name_end + 3 : end].decode()))
        at = end
    return headers


def _opened(payload: str) -> str:
    """The payload with the event inside it instead of its base64, where that comes back."""
    if not payload.startswith(f'{_INNER}"'):
        return payload
    start = len(_INNER)
    end = payload.find('"', start + 1)
    try:
        inner = base64.b64decode(payload[start + 1 : end], validate=True).decode("utf-8")
    except (ValueError, binascii.Error):
        return payload
    opened = f"{_INNER}{inner}{payload[end + 1 :]}"
    return opened if "\n" not in inner and inner[:1] == "{" and _closed(opened) == payload else payload


def _closed(text: str) -> str:
    start = len(_INNER)
    if not text.startswith(f"{_INNER}{{"):
        return text
    try:
        _, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return text
    return f'{_INNER}"{base64.b64encode(text[start:end].encode()).decode()}"{text[end:]}'


def _framed(text: str) -> bytes:
    first, mark, payload = text.partition("\n")
    headers = json.loads(first)
    if not mark:
        return bytes.fromhex(headers[_TAIL])
    head = b"".join(_header(name, value) for name, value in headers)
    body = _closed(payload).encode("utf-8")
    prelude = _PRELUDE.pack(_AROUND + len(head) + len(body), len(head))
    message = prelude + _CRC.pack(crc32(prelude)) + head + body
    return message + _CRC.pack(crc32(message))


def _header(name: str, value: str) -> bytes:
    shown, content = name.encode(), value.encode()
    return bytes([len(shown)]) + shown + bytes([_TEXT]) + len(content).to_bytes(2, "big") + content
