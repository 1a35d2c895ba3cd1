"""Streams: the assembled message for the reviewer, the exact events as templates and columns for replay."""

from __future__ import annotations

from typing import Any


def read(content: bytes) -> tuple[Any, dict[str, Any]] | None:
    """The assembled answer and the exact events; None where the bytes are no stream of JSON events."""
    del content
    return None


def write(merged: Any, row: dict[str, Any]) -> bytes:
    """The inverse of `read`."""
    raise NotImplementedError
