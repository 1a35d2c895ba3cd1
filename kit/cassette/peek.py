"""The header of a cassette, without reading the whole file: planning a replay looks at many."""

from __future__ import annotations

from pathlib import Path

from kit.cassette.header import Header
from kit.cassette.load import read_header
from kit.errors import CassetteInvalid

_BLOCK = 16_384
_LONGEST = 64
"""Blocks after which a file without calls is none that anybody can read."""
_CALLS = "\ncalls:"


def is_lfs_pointer(content: bytes) -> bool:
    """Whether this is what git LFS leaves in the place of a file that was not fetched."""
    return content.startswith(b"version https://git-lfs.github.com/spec/")


def peek(path: Path) -> Header | None:
    """The header; None where nothing is readable: who reads the whole file says why.

    A pointer of git LFS has none.
    """
    try:
        return read_header(_head(path), str(path))
    except (OSError, ValueError, CassetteInvalid):
        return None


def recorded_model(path: Path) -> str | None:
    """The tag in a cassette's header; None as `peek`."""
    header = peek(path)
    return None if header is None else header.model


def _head(path: Path) -> str:
    text = ""
    with path.open(encoding="utf-8") as file:
        for _ in range(_LONGEST):
            block = file.read(_BLOCK)
            text += block
            if not block or _CALLS in text:
                break
    return text.partition(_CALLS)[0]
