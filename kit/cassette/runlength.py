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


def pack_ranges(words: Iterable[str]) -> str:
    """`pack`, with `0..9` for whole numbers that count up by one."""
    found: list[str] = []
    run: list[str] = []
    for word in words:
        if run and not _follows(run[-1], word):
            found += _shortened(run)
            run = []
        run.append(word)
    return pack([*found, *_shortened(run)])


def unpack_ranges(text: str) -> list[str]:
    """The inverse of `pack_ranges`; takes what `pack` wrote too.

    Raises:
        ValueError: a range or a count that is none, or an absurd one.
    """
    if ".." not in text:
        return unpack(text)
    words: list[str] = []
    for word in unpack(text):
        first, mark, last = word.partition("..")
        if not mark:
            words.append(word)
            continue
        if not 0 <= int(last) - int(first) < _MOST:
            raise ValueError(f"{word!r} is no range of numbers")
        words.extend(map(str, range(int(first), int(last) + 1)))
    return words


_SHORTEST_RANGE = 4
_LONGEST_NUMBER = 15


def _follows(before: str, word: str) -> bool:
    return _is_plain(before) and _is_plain(word) and int(word) == int(before) + 1


def _is_plain(word: str) -> bool:
    return (
        len(word) <= _LONGEST_NUMBER and word.isascii() and word.isdigit() and (word[0] != "0" or word == "0")
    )


def _shortened(run: list[str]) -> list[str]:
    return run if len(run) < _SHORTEST_RANGE else [f"{run[0]}..{run[-1]}"]
