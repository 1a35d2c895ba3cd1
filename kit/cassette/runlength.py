"""Run lengths: `508 244x7` for chunk lengths, `a bx10 c` for the order of events."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def pack(words: Iterable[str]) -> str:
    """Words that hold neither blank nor `x`, equal neighbours counted."""
    runs = ((word, sum(1 for _ in group)) for word, group in groupby(words))
    return " ".join(word if count == 1 else f"{word}x{count}" for word, count in runs)


def unpack(text: str) -> list[str]:
    """The inverse of `pack`.

    Raises:
        ValueError: a count that is no number, or an absurd one.
    """
    words: list[str] = []
    for run in text.split():
        word, _, count = run.partition("x")
        times = int(count) if count else 1
        if not 0 < times <= _MOST:
            raise ValueError(f"{run!r} is no run of words")
        words.extend([word] * times)
    return words


_MOST = 10_000_000


def pack_numbers(numbers: Iterable[int]) -> str:
    """`pack` for integers."""
    return pack(map(str, numbers))


def unpack_numbers(text: str) -> tuple[int, ...]:
    """The inverse of `pack_numbers`.

    Raises:
        ValueError: something that is no number.
    """
    return tuple(map(int, unpack(text)))
