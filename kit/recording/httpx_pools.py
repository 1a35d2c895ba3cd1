"""Clients that a replayed program makes open nothing, so what they would open it with is made only when used.

Reading the machine's certificates takes some forty milliseconds a client, more than replaying a whole run.
And the first client of a process imports all of httpcore and anyio. A client that outlives the replay gets a
pool of connections when it asks for the first one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from kit.recording import context

CLASSES = ("HTTPTransport", "AsyncHTTPTransport")
"""Transports that hold a pool of connections, by their public name."""


def changes(library: Any) -> list[tuple[Any, str, Any]]:
    """What to patch in httpx or httpx2: owner, attribute, replacement."""
    found: list[tuple[Any, str, Any]] = []
    for name in CLASSES:
        owner = getattr(library, name)
        found.append((owner, "__init__", _deferring(owner)))
        is_async = name.startswith("Async")
        for method in ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__"):
            original = getattr(owner, method)
            found.append((owner, method, _async_way(original) if is_async else _way(original)))
    return found


class DeferredPool:
    """Stands where a transport keeps its pool, until somebody looks at it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make: Callable[[], Any] | None = make
        self._made: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return getattr(self._made, name)

    def is_idle(self) -> bool:
        """Whether nobody has looked at it yet."""
        return self._make is not None

    def close(self) -> None:
        """Close what was opened."""
        if not self.is_idle():
            self._made.close()

    async def aclose(self) -> None:
        """Close what was opened."""
        if not self.is_idle():
            await self._made.aclose()


def _deferring(owner: Any) -> Callable[..., None]:
    original = owner.__init__

    @functools.wraps(original)
    def initialise(transport: Any, *args: Any, **kwargs: Any) -> None:
        session = context.current() if context.in_force() else None
        if session is None or session.options.mode != "replay":
            original(transport, *args, **kwargs)
            return

        def make() -> Any:
            real = object.__new__(owner)
            original(real, *args, **kwargs)
            return real._pool

        transport._pool = DeferredPool(make)  # noqa: SLF001 - see above

    return initialise


def _is_idle(transport: Any) -> bool:
    pool = getattr(transport, "_pool", None)
    return isinstance(pool, DeferredPool) and pool.is_idle()


def _way(original: Callable[..., Any]) -> Callable[..., Any]:
    """`with client`, in or out: httpx imports its errors' table for it, of which an idle pool has no need."""
    enters = original.__name__ == "__enter__"

    @functools.wraps(original)
    def way(transport: Any, *args: Any, **kwargs: Any) -> Any:
        if _is_idle(transport):
            return transport if enters else None
        return original(transport, *args, **kwargs)

    return way


def _async_way(original: Callable[..., Any]) -> Callable[..., Any]:
    enters = original.__name__ == "__aenter__"

    @functools.wraps(original)
    async def way(transport: Any, *args: Any, **kwargs: Any) -> Any:
        if _is_idle(transport):
            return transport if enters else None
        return await original(transport, *args, **kwargs)

    return way
