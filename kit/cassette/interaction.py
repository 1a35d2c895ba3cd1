"""What crossed an agent's boundary: one request, one response, and when (values only, no behaviour)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Lane = Literal["model", "tool", "other"]
Headers = tuple[tuple[str, str], ...]
"""Allow-listed, scrubbed, names in lower case, in the order of the wire."""


class HttpRequest:
    """An HTTP request as the agent sent it, scrubbed; `body` is the bytes after content-decoding.

    A folded request of a cassette knows how to build its body but does not until somebody asks: replay
    matches on keys, and building every body of a long conversation is quadratic. `like` is then the earlier
    request that it repeats from the beginning and only adds messages to, so that who wants to know of prompt,
    tools and parameters reads that one; None where a body of its own has to be read.
    """

    __slots__ = ("_body", "headers", "like", "method", "url")

    def __init__(
        self,
        method: str,
        url: str,
        headers: Headers,
        body: bytes | Callable[[], bytes],
        like: HttpRequest | None = None,
    ) -> None:
        self.like = like
        self.method = method
        self.url = url
        self.headers = headers
        self._body = body

    @property
    def body(self) -> bytes:
        """The body's bytes; built at the first look where the request is folded."""
        if not isinstance(self._body, bytes):
            self._body = self._body()
        return self._body

    @property
    def content_type(self) -> str:
        """Of the body, with its parameters; empty where the request names none."""
        return _content_type(self.headers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HttpRequest):
            return NotImplemented
        return (self.method, self.url, self.headers, self.body) == (
            other.method,
            other.url,
            other.headers,
            other.body,
        )

    def __hash__(self) -> int:
        return hash((self.method, self.url))

    def __reduce__(self) -> tuple[Any, ...]:
        return (HttpRequest, (self.method, self.url, self.headers, self.body))

    def __repr__(self) -> str:
        return f"HttpRequest({self.method} {self.url})"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP answer, scrubbed; `body` is the bytes after content-decoding.

    Attributes:
        status: HTTP status; 0 where no answer came at all.
        headers: allow-listed, lower-case names; never content-encoding or content-length.
        body: all bytes that the client got.
        chunks: lengths of the pieces in which a streamed body reached the client, their sum is `len(body)`;
            empty where the body was read in one piece.
        failure: how the exchange broke, as `ExceptionName: text`, or None where it ended well. The exception
            name is a class of httpx (`ReadTimeout`, `ConnectError`, `RemoteProtocolError`), `Cancelled` where
            the agent gave up waiting, or `Abandoned` where it stopped reading.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    chunks: tuple[int, ...] = ()
    failure: str | None = None

    @property
    def content_type(self) -> str:
        """Of the body, with its parameters; empty where the answer names none."""
        return _content_type(self.headers)


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call of a tool: its name and its arguments by parameter name, as JSON values."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """What a tool gave back, as a JSON value, or `failure` as `ExceptionName: text`.

    `executed` says that replay runs the tool again and compares, instead of serving this.
    """

    result: Any = None
    failure: str | None = None
    executed: bool = False


@dataclass(frozen=True, slots=True)
class Interaction:
    """One recorded request with its response.

    Attributes:
        number: 1, 2, … in the order of conversation.
        lane: `model` (a call of a model), `tool`, or `other` HTTP (price tables, telemetry).
        started_ms: start on the run's virtual clock, integer ms from the run's start.
        ended_ms: end on the same clock.
        key: what the request is matched by (`cassette.key`); None until somebody computed it.
        under: number of the interaction that its task or thread had last, 0 for none (`recording.lineage`);
            None where nobody kept it.
        job: of the first that a task or thread asked: which one it is of those that were started, behind
            who started it and so on, counted as they were given out; else empty. Known while recording only:
            it decides the order of the file.
    """

    number: int
    lane: Lane
    request: HttpRequest | ToolRequest
    response: HttpResponse | ToolResponse
    started_ms: int
    ended_ms: int
    key: bytes | None = field(default=None, compare=False)
    under: int | None = field(default=None, compare=False)
    job: tuple[int, ...] = field(default=(), compare=False)


def _content_type(headers: Headers) -> str:
    return next((value for name, value in headers if name == "content-type"), "")
