"""Tasks and threads that have yet to ask: whose turn an equal request is (decision 4).

They race to begin. A recording has their lines in the order in which the jobs were given out; in replay
the one that comes first need not be the first one.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Hashable
from contextvars import Context
from types import CodeType
from typing import Any


class Jobs:
    """Numbers jobs as they are given out, and knows which of them have asked for nothing yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._alike: dict[Hashable, list[int]] = {}
        self._of: dict[int, Hashable] = {}

    def given_out(self, origin: Hashable, call: Any) -> int:
        """A job's number, higher than all before.

        Args:
            origin: the line that gives it out, and where in that line.
            call: what it runs, or its code. Jobs that run something else, such as a thread that only writes
                a log, say nothing about its place.
        """
        made = (origin, _code(call))
        with self._lock:
            number = next(self._numbers)
            self._alike.setdefault(made, []).append(number)
            self._of[number] = made
        return number

    def asks(self, number: int) -> int:
        """How many jobs like this one were given out before it and still wait; this one waits no more.

        Returns:
            0 where it asked before, or is no job.
        """
        if number not in self._of:
            return 0
        with self._lock:
            return self._leave(number)

    def over(self, number: int) -> None:
        """A job ended, or will never run."""
        if number in self._of:
            with self._lock:
                self._leave(number)

    def _leave(self, number: int) -> int:
        made = self._of.pop(number, None)
        if made is None:
            return 0
        waiting = self._alike[made]
        before = waiting.index(number)
        del waiting[before]
        if not waiting:
            del self._alike[made]
        return before


def _code(call: Any) -> Hashable:
    """What a job runs, behind partials and behind the `Context.run` that carries a task's context into it.

    For a task that is the code of its coroutine.
    """
    while isinstance(call, functools.partial):
        in_context = isinstance(getattr(call.func, "__self__", None), Context)
        call = call.args[0] if in_context and call.args else call.func
    code: Hashable = call if isinstance(call, CodeType) else getattr(call, "__code__", None)
    return type(call).__qualname__ if code is None else code
