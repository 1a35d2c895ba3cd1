"""Marks what kit itself is doing, so that the guards let it pass.

A mark travels with the context (tasks, and threads that carry their starter's context). The audit hook
reads it on the thread that opens a file or a socket.
"""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType

_PASSING: ContextVar[bool] = ContextVar("kit_passing", default=False)
BEHIND_TOOL: ContextVar[bool] = ContextVar("kit_behind_tool", default=False)
"""Set while a tool runs that replay will serve: what it does is behind the boundary, not recorded."""


class _Passing:
    """A `with` block; a class, since a generator costs three times as much on every recorded call."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = _PASSING.get()
        _PASSING.set(True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Set, not reset by token: an async stream may be closed in another context than it was opened in.
        _PASSING.set(self._before)


def inside_stub() -> _Passing:
    """Lets a recording stub reach the network for the real call, sync and async alike.

    Hold it around the call that connects (`with inside_stub(): await real_call()`), never around a `yield`.
    """
    return _Passing()


def own_writes() -> _Passing:
    """Lets kit's own files (the journal, a cassette) be opened while a run is guarded."""
    return _Passing()


def is_passing() -> bool:
    """Whether kit itself is at work in this context."""
    return _PASSING.get()
