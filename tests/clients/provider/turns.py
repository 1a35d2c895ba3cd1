"""Answers held back until all have asked, then given in the reverse order: what no sleep makes certain."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 20


class Turns:
    """Lets questions in at once and out one by one, first the one that came last.

    Args:
        size: how many ask at once; those that come later make another round.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._came = 0
        self._answered = 0
        self._change = threading.Condition()

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Around one answer: waits for its turn, and says whether it came within `PATIENCE_S` seconds."""
        with self._change:
            past, place = divmod(self._came, self._size)
            turn = past * self._size + self._size - 1 - place
            self._came += 1
            self._change.notify_all()
            came = self._change.wait_for(
                lambda: self._came >= (past + 1) * self._size and self._answered == turn, PATIENCE_S
            )
        try:
            yield came
        finally:
            with self._change:
                self._answered += 1
                self._change.notify_all()
