"""Answers in the shape of `http.client.HTTPResponse`, which urllib3, requests and urllib.request build upon.

In record the file below a real one is watched; in replay a file of recorded bytes stands below it. Reading,
chunks, short bodies and their exceptions are then the client's own code in both.
"""

from __future__ import annotations

import http.client
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kit.cassette.interaction import HttpResponse
from kit.recording.tickets import NOT_OF_THE_BODY, HttpTicket
from kit.recording.transports.body_watch import BodyWatch
from kit.recording.transports.failures import failure_on_wire, split
from kit.recording.transports.wire import framing_of, pieces_of, reason_of


def watched(response: Any, ticket: HttpTicket) -> None:
    """Record: tells the ticket of this answer, and of its body as the client reads it."""
    ticket.head(response.status, response.headers.items())
    if response.fp is None or response.length == 0:
        ticket.end()
        return
    coding = response.headers.get("content-encoding", "")
    watch = BodyWatch(ticket, coding, is_chunked=bool(response.chunked), length=response.length)
    response.fp = WatchedFile(response.fp, watch)


def whole_but_damaged(response: Any, ticket: HttpTicket) -> HttpResponse | None:
    """Record, with a fault that breaks the answer: reads all of a watched answer.

    Returns:
        What the agent sees instead; None where there is nothing to break, and the whole was read to no end.
    """
    headers = tuple(pair for pair in response.headers.items() if pair[0].lower() not in NOT_OF_THE_BODY)
    response.read()
    response.close()
    seen = ticket.damaged()
    return None if seen is None else replace(seen, headers=headers)


def recorded_response(
    ticket: HttpTicket, recorded: HttpResponse, method: str, failing: Callable[[str], BaseException]
) -> http.client.HTTPResponse:
    """Replay: the recorded answer.

    Args:
        ticket: ends when the client has read the answer or leaves it.
        recorded: with a status.
        method: of the request, upper case.
        failing: makes the exception for a failure of the body that no shape of the wire brings about.
    """
    framing = framing_of(recorded, method)
    wire = b"".join(pieces_of(recorded, framing))
    failure = framing.failure
    if framing.is_chunked and failure is None:
        wire += b"0\r\n\r\n"
    is_torn = failure is not None and split(failure)[0] == "RemoteProtocolError"
    error = failing(failure) if failure is not None and not is_torn else None
    file = RecordedFile(wire, ticket, error)
    response: Any = http.client.HTTPResponse(_Socket(file), method=method)  # type: ignore[arg-type]
    headers = http.client.HTTPMessage()
    for name, value in framing.headers(recorded):
        headers.add_header(name, value)
    response.headers = response.msg = headers
    response.code = response.status = recorded.status
    response.reason = reason_of(recorded.status)
    response.version = 11
    response.will_close = True
    response.chunked, response.chunk_left = framing.is_chunked, None
    response.length = (
        None if framing.is_chunked else 0 if framing.is_bodyless else len(wire) + framing.missing
    )
    if response.length == 0:
        ticket.end()
    return response  # type: ignore[no-any-return]


class WatchedFile:
    """Stands for the file below a real answer: all that the client reads passes by the watch."""

    def __init__(self, file: Any, watch: BodyWatch) -> None:
        self._file = file
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int | None = -1) -> bytes:
        """Everything, or so many bytes; fewer mean that the server closed."""
        data: bytes = self._reading(lambda: self._file.read(size))
        is_short = size is None or size < 0 or len(data) < size
        if not (is_short and self._watch.is_chunked):
            # What is left of a torn chunk no client hands out.
            self._watch.feed(data)
        if is_short:
            self._watch.eof()
        return data

    def read1(self, size: int = -1) -> bytes:
        """What is there, at most so many bytes."""
        return self._some(self._reading(lambda: self._file.read1(size)), size)

    def readline(self, limit: int = -1) -> bytes:
        """Up to the end of a line."""
        return self._some(self._reading(lambda: self._file.readline(limit)), limit)

    def readinto(self, buffer: Any) -> int:
        """Into a buffer, as much as fits."""
        view = memoryview(buffer)
        size = int(self._reading(lambda: self._file.readinto(view)))
        if not (size < len(view) and self._watch.is_chunked):
            self._watch.feed(bytes(view[:size]))
        if size < len(view):
            self._watch.eof()
        return size

    def flush(self) -> None:
        """Nothing is written; a collection of garbage may have closed the file before the answer."""
        if not self._file.closed:
            self._file.flush()

    def close(self) -> None:
        """The client is done."""
        try:
            self._file.close()
        finally:
            self._watch.end()

    def _some(self, data: bytes, size: int) -> bytes:
        self._watch.feed(data)
        if not data and size:
            self._watch.eof()
        return data

    def _reading(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except BaseException as error:
            self._watch.failed(failure_on_wire(error, "read"))
            raise


class RecordedFile(io.BytesIO):
    """Recorded bytes of the wire; where they end, the recorded exception comes."""

    def __init__(self, wire: bytes, ticket: HttpTicket, error: BaseException | None) -> None:
        super().__init__(wire)
        self._ticket = ticket
        self._error = error

    def read(self, size: int | None = -1, /) -> bytes:
        """Everything, or so many bytes."""
        return self._or_error(super().read(size), size)

    def read1(self, size: int | None = -1, /) -> bytes:
        """At most so many bytes."""
        return self._or_error(super().read1(size), size)

    def readline(self, size: int | None = -1, /) -> bytes:
        """Up to the end of a line."""
        return self._or_error(super().readline(size), size)

    def readinto(self, buffer: Any, /) -> int:
        """Into a buffer, as much as fits."""
        size = super().readinto(buffer)
        self._or_error(b"x" * size, len(buffer))
        return size

    def peek(self, size: int = 0, /) -> bytes:
        """What comes next, without taking it."""
        del size
        return self.getvalue()[self.tell() :]

    def flush(self) -> None:
        """Nothing is written; a collection of garbage may have closed the file before the answer."""

    def close(self) -> None:
        """The client is done."""
        if not self.closed:
            super().close()
            self._ticket.end()

    def _or_error(self, data: bytes, size: int | None) -> bytes:
        wants_all = size is None or size < 0
        if self._error is not None and size != 0 and (not data or (wants_all and not data.endswith(b"\n"))):
            raise self._error
        return data


class _Socket:
    """What `http.client` asks of a socket: a file."""

    def __init__(self, file: RecordedFile) -> None:
        self._file = file

    def makefile(self, mode: str) -> RecordedFile:
        """The recorded bytes."""
        del mode
        return self._file
