"""Shows the virtual clock wherever a program reads the time, also through names bound early (decision 17)."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from kit.recording.context import current


class _Travels:
    """Counts who wants virtual time; the patch of the C functions goes in once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._journey: Any = None

    def enter(self) -> None:
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._journey = _journey()
                self._journey.start()

    def leave(self) -> None:
        with self._lock:
            self._count -= 1
            if not self._count:
                self._journey.stop()
                self._journey = None


_travels = _Travels()


@contextlib.contextmanager
def travelling() -> Iterator[None]:
    """Keeps virtual time in force; code without a session goes on to see the real time."""
    _travels.enter()
    try:
        yield
    finally:
        _travels.leave()


def _journey() -> Any:
    """A `time_machine.travel` whose traveller asks the session of the context."""
    time_machine = _time_machine()
    journey = time_machine.travel(0, tick=False)
    start = journey.start

    def start_routed() -> None:
        start()
        time_machine.traveller_stack[-1].__class__ = _traveller_class()

    journey.start = start_routed
    return journey


@functools.cache
def _traveller_class() -> type:
    time_machine = _time_machine()
    import _time_machine as originals  # type: ignore[import-not-found]  # a C module without stubs

    class Routed(time_machine.Traveller):  # type: ignore[misc, name-defined]
        """Tells each reader the time of its own session."""

        def time_ns(self) -> int:
            session = current()
            if session is None or not session.options.virtual_time:
                return int(originals.original_time_ns())
            return session.clock.read_ns()

    return Routed


@functools.cache
def _time_machine() -> ModuleType:
    """Imports time_machine without what it brings for tests: pytest costs 90 ms, unittest 10."""
    left_out: dict[str, Any] = {"pytest": None, "unittest": _unittest()}
    if "time_machine" in sys.modules:
        left_out = {}
    left_out = {name: module for name, module in left_out.items() if name not in sys.modules}
    sys.modules.update(left_out)
    try:
        import time_machine
    finally:
        for name in left_out:
            del sys.modules[name]
    return time_machine


class _LateTestCase(type):
    """Knows what a test case is once somebody asks, for programs that use time_machine themselves."""

    def __subclasscheck__(cls, other: type) -> bool:
        from unittest import TestCase

        return issubclass(other, TestCase)


def _unittest() -> ModuleType:
    stand_in = ModuleType("unittest")
    stand_in.__dict__["TestCase"] = _LateTestCase("TestCase", (), {})
    return stand_in
