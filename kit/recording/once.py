"""A value made at the first call and kept: for what replay rarely needs, at no cost where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_Made = TypeVar("_Made")


class Once(Generic[_Made]):
    """Calls `make` at the first call only; `functools.cache` costs several times as much to set up.

    Not for threads that share it: they may each make one.

    Args:
        make: gives the value.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], _Made]) -> None:
        self._make: Callable[[], _Made] | None = make

    def __call__(self) -> _Made:
        """The value."""
        if self._make is not None:
            self._made = self._make()
            self._make = None
        return self._made
