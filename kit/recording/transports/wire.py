"""HTTP/1.1 as it stands on the wire: requests that a client wrote, answers for it to read (no I/O).

For clients that are met at their connections: `http.client` and aiohttp.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from kit.cassette.interaction import HttpResponse
from kit.recording.tickets import NOT_OF_THE_BODY, HttpTicket
from kit.recording.transports.body_watch import BodyWatch, ChunkReader
from kit.recording.transports.failures import missing_of, split

_BODYLESS = frozenset({204, 304})
_ONLY_LEFT = frozenset({None, "Abandoned", "Cancelled"})
"""Failures in which nothing went wrong on the wire."""


class WireRequest(NamedTuple):
    """One request, its body without the framing of chunks."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """The first value of a header, by its lower-case name; empty without one."""
        return _header(self.headers, name)


class RequestReader:
    """Reads requests from what a client writes, one after another.

    Attributes:
        request: the request, once all of it was written; None from the next byte on.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._buffer = bytearray()
        self._head: tuple[str, str, list[tuple[str, str]]] | None = None
        self._chunks: ChunkReader | None = None
        self._body: list[bytes] = []
        self.request: WireRequest | None = None

    @property
    def waits(self) -> bool:
        """Whether the client waits for `100 Continue` before it sends the body."""
        return self._head is not None and not self.request and "100-" in _header(self._head[2], "expect")

    def feed(self, data: bytes) -> None:
        """More bytes of the client."""
        if self.request is not None:
            self._begin()
        self._buffer += data
        if self._head is None and not self._read_head():
            return
        method, target, headers = self._head or ("", "", [])
        if self._chunks is not None:
            self._body += self._chunks.pieces(bytes(self._buffer))
            self._buffer.clear()
            if not self._chunks.is_at_end:
                return
            body = b"".join(self._body)
        else:
            length = _length(headers)
            if len(self._buffer) < length:
                return
            body = bytes(self._buffer[:length])
        self.request = WireRequest(method, target, headers, body)

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        lines = bytes(self._buffer[:end]).decode("latin-1").lstrip("\r\n").split("\r\n")
        del self._buffer[: end + 4]
        method, _, rest = lines[0].partition(" ")
        headers = [_pair(line) for line in lines[1:]]
        self._head = (method.upper(), rest.rpartition(" ")[0], headers)
        if "chunked" in _header(headers, "transfer-encoding").lower():
            self._chunks = ChunkReader()
        return True


class AnswerReader:
    """Follows an answer from its first byte to its last.

    Attributes:
        ticket: the exchange.
        method: of the request, upper case.
        headers: of the answer, as they came, but for those that say how its body goes over the wire.
    """

    def __init__(self, ticket: HttpTicket, method: str) -> None:
        self.ticket = ticket
        self.method = method
        self.headers: tuple[tuple[str, str], ...] = ()
        self._buffer = bytearray()
        self._watch: BodyWatch | None = None
        self._failure: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of it came."""
        return self._watch is not None and self._watch.is_whole

    def feed(self, data: bytes) -> None:
        """More bytes of the server."""
        if self._watch is not None:
            self._watch.feed(data)
            return
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
            del self._buffer[: end + 4]
            status = int(lines[0].split(" ", 2)[1])
            if not 100 <= status < 200:
                self._begin_body(status, [_pair(line) for line in lines[1:]])
                break

    def lost(self, failure: str | None) -> None:
        """The connection is gone; `failure` is None where the server closed it in good order."""
        if self._watch is None:
            self._failure = failure or "RemoteProtocolError: Server disconnected"
        elif failure is None:
            self._watch.eof()
        else:
            self._watch.failed(failure)

    def failed(self, failure: str) -> None:
        """The client gave up waiting, or met an error of its own."""
        if self._watch is None:
            self._failure = self._failure or failure
        else:
            self._watch.failed(failure)

    def end(self) -> None:
        """Nothing more comes, or the client leaves."""
        if self._watch is not None:
            self._watch.end()
        else:
            self.ticket.end(self._failure or "Cancelled")

    def _begin_body(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.ticket.head(status, headers)
        self.headers = tuple(pair for pair in headers if pair[0].lower() not in NOT_OF_THE_BODY)
        is_chunked = "chunked" in _header(headers, "transfer-encoding").lower()
        length = _length(headers) if _header(headers, "content-length") and not is_chunked else None
        if status in _BODYLESS or self.method == "HEAD":
            is_chunked, length = False, 0
        coding = _header(headers, "content-encoding")
        self._watch = BodyWatch(self.ticket, coding, is_chunked=is_chunked, length=length)
        self._watch.feed(bytes(self._buffer))


class Answer(NamedTuple):
    """A recorded answer as bytes of the wire.

    Attributes:
        head: status line and headers.
        pieces: the body, framed, a recorded piece each.
        tail: what ends a body in chunks; empty where it was torn or is not in chunks.
        failure: what goes wrong on the wire after that, else None.
        missing: bytes that were promised and never come.
    """

    head: bytes
    pieces: list[bytes]
    tail: bytes
    failure: str | None
    missing: int

    @property
    def is_torn(self) -> bool:
        """Whether the server just closes the connection."""
        return self.failure is not None and split(self.failure)[0] == "RemoteProtocolError"


class Framing(NamedTuple):
    """How the body of a recorded answer is put on the wire.

    Attributes:
        is_bodyless: there is none.
        is_chunked: in chunks; else by its length.
        failure: what goes wrong on the wire, else None.
        missing: bytes that were promised and never come.
    """

    is_bodyless: bool
    is_chunked: bool
    failure: str | None
    missing: int

    def headers(self, recorded: HttpResponse) -> list[tuple[str, str]]:
        """The recorded headers, and the one that says the framing."""
        if self.is_bodyless:
            return list(recorded.headers)
        if self.is_chunked:
            return [*recorded.headers, ("transfer-encoding", "chunked")]
        return [*recorded.headers, ("content-length", str(len(recorded.body) + self.missing))]


def framing_of(recorded: HttpResponse, method: str) -> Framing:
    """How to bring a recorded answer to a client so that it fares as it did when recorded."""
    failure = None if recorded.failure in _ONLY_LEFT else recorded.failure
    missing = missing_of(failure or "")
    is_bodyless = method == "HEAD" or recorded.status in _BODYLESS
    is_chunked = not is_bodyless and (bool(recorded.chunks) or (failure is not None and missing is None))
    return Framing(is_bodyless, is_chunked, failure, missing or 0)


def pieces_of(recorded: HttpResponse, framing: Framing) -> list[bytes]:
    """The body as it goes over the wire, without the mark of its end."""
    if not framing.is_chunked:
        return [recorded.body] if recorded.body and not framing.is_bodyless else []
    pieces: list[bytes] = []
    position = 0
    for length in recorded.chunks or ((len(recorded.body),) if recorded.body else ()):
        pieces.append(b"%x\r\n%s\r\n" % (length, recorded.body[position : position + length]))
        position += length
    return pieces


def answer_of(recorded: HttpResponse, method: str) -> Answer:
    """The bytes that a server would send for a recorded answer; it must have a status."""
    framing = framing_of(recorded, method)
    lines = [f"HTTP/1.1 {recorded.status} {reason_of(recorded.status)}"]
    lines += [f"{name}: {value}" for name, value in framing.headers(recorded)]
    head = "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")
    tail = b"0\r\n\r\n" if framing.is_chunked and framing.failure is None else b""
    return Answer(head, pieces_of(recorded, framing), tail, framing.failure, framing.missing)


def reason_of(status: int) -> str:
    """The usual phrase behind a status: recordings keep only the number."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value.strip()


def _header(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for known, value in headers if known.lower() == name), "")


def _length(headers: list[tuple[str, str]]) -> int:
    text = _header(headers, "content-length")
    return int(text) if text.isdigit() else 0
