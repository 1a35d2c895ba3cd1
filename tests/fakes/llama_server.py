"""Raw answers of a real llama.cpp server, in place; a visible skip where they are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parent.parent.parent.parent / "shared" / "samples" / "llama-server"


def sample(name: str) -> tuple[bytes, str]:
    """The body and the content type of a raw answer, transfer-coding taken off."""
    path = SAMPLES / f"{name}.response.http"
    if not path.exists():
        pytest.skip(f"no raw answers of llama-server at {SAMPLES}")
    head, _, body = path.read_bytes().partition(b"\r\n\r\n")
    headers = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    if headers.get("transfer-encoding") == "chunked":
        body = _joined(body)
    return body, headers["content-type"]


def asked(name: str) -> bytes:
    """The body of the request that a raw answer answers."""
    path = SAMPLES / f"{name}.request.json"
    if not path.exists():
        pytest.skip(f"no raw answers of llama-server at {SAMPLES}")
    return path.read_bytes()


def _joined(body: bytes) -> bytes:
    found = []
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        if not length:
            break
        found.append(body[:length])
        body = body[length + 2 :]
    return b"".join(found)
