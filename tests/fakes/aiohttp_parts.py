"""The client's side of an aiohttp connection, for tests of what stands at the other end."""

from __future__ import annotations

from kit.recording.guard.frames import Place


class Connection:
    """aiohttp's side: remembers what it is told."""

    def __init__(self) -> None:
        self._payload: Connection | None = None
        self.has_hung_up = False
        self.received = b""
        self.error: BaseException | None = None
        self.lost: list[BaseException | None] = []

    def data_received(self, data: bytes) -> None:
        """Bytes of the server."""
        self.received += data

    def set_exception(self, error: BaseException) -> None:
        """Whoever reads gets this."""
        self.error = error

    def connection_lost(self, error: BaseException | None) -> None:
        """It is over."""
        self.lost.append(error)


class Destination:
    """Whom the tests ask."""

    patience_ms = None
    where = Place("agent.py", 3)
    line = None

    def address(self, target: str) -> str:
        """Always the same host."""
        return f"http://x{target}"

    def error(self, failure: str) -> BaseException:
        """A plain one."""
        return ConnectionError(failure)
