"""Tickets: one interaction under way. A stub feeds them; what they mean is decided here, without any I/O."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from contextvars import Token
from typing import TYPE_CHECKING, Any

from kit.cassette.interaction import (
    Headers,
    HttpRequest,
    HttpResponse,
    Interaction,
    ToolRequest,
    ToolResponse,
)
from kit.recording.guard.passing import BEHIND_TOOL, inside_stub
from kit.recording.json_value import to_json_value

if TYPE_CHECKING:
    from kit.recording.faults import Fault
    from kit.recording.session import Session

NOT_OF_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_LAST_EVENTS = (b"data: [DONE]", b"data:[DONE]")


class Ticket(ABC):
    """What both kinds share: where the interaction stands on the virtual clock.

    Attributes:
        number: order of start, 1-based; in replay the recorded number.
        started_ms: start on the virtual clock.
        served: the recorded interaction in replay, None in record.
        completions: how many interactions had ended when this one started.
        lag_ms: replay: how much earlier than recorded it started.
        under: number of the interaction before it in its task or thread, 0 for none.
        job: where the task or thread that asks it for its first time began (`lineage`).
        fault: what goes wrong with it on purpose, else None.
    """

    __slots__ = (
        "_began_ns",
        "_ended",
        "completions",
        "fault",
        "job",
        "lag_ms",
        "number",
        "served",
        "session",
        "started_ms",
        "under",
    )

    def __init__(self, session: Session, served: Interaction | None = None) -> None:
        self.session = session
        self.served = served
        self._ended = False
        self._began_ns = time.monotonic_ns()
        self.number = 0
        self.started_ms = 0
        self.completions = 0
        self.lag_ms = 0
        self.under = 0
        self.job: tuple[int, ...] = ()
        self.fault: Fault | None = None

    @property
    def real_ms(self) -> int:
        """Real time since the start, rounded before it reaches the virtual clock."""
        return round((time.monotonic_ns() - self._began_ns) / 1_000_000)

    @property
    def latency_ms(self) -> int:
        """Replay: how long until the recorded end."""
        return self.served.ended_ms - self.served.started_ms + self.lag_ms if self.served else 0

    def sees(self, seen: Interaction) -> None:
        """Replay: the agent meets this instead of what was recorded, since a fault is injected."""
        del seen  # a tool's result is served as recorded: its faults come instead of the call

    @abstractmethod
    def close(self) -> None:
        """Ends an interaction that nobody will end any more, since the session is over."""


class HttpTicket(Ticket):
    """One HTTP exchange under way.

    Attributes:
        recorded: replay: the answer to serve, paths of this machine put back; None in record.
        request: record: what was sent, scrubbed.
        content_type: of the answer, empty until it is known.
        has_pieces: record: whether the bounds of its pieces are the server's doing, and so recorded.
    """

    __slots__ = (
        "_chunks",
        "_headers",
        "_status",
        "_whole",
        "content_type",
        "has_pieces",
        "recorded",
        "request",
    )

    def __init__(
        self, session: Session, request: HttpRequest | None, served: Interaction | None = None
    ) -> None:
        super().__init__(session, served)
        self.request = request
        self.recorded = _shown(session, served.response) if served else None  # type: ignore[arg-type]
        self._status = 0
        self._headers: Headers = ()
        self.content_type = ""
        self.has_pieces = True
        self._chunks: list[bytes] = []
        self._whole: tuple[str | None] | None = None

    def sees(self, seen: Interaction) -> None:
        """Replay: the answer is cut or garbled."""
        self.recorded = _shown(self.session, seen.response)  # type: ignore[arg-type]

    @property
    def is_damaged(self) -> bool:
        """Record: whether a fault breaks the answer, so that all of it has to be known first."""
        return self.fault is not None and self.fault.damage is not None

    def damaged(self) -> HttpResponse | None:
        """Record, at the end: what the agent sees of the answer, paths and secrets as they came.

        Returns:
            None where it sees all of it, as it comes.
        """
        if self.fault is None or self.fault.damage is None:
            return None
        lengths = self._lengths()
        whole = HttpResponse(self._status, (), b"".join(self._chunks), lengths)
        return self.fault.damaged(whole) or whole

    def head(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """The answer's status and headers arrived."""
        pairs = [(name.lower(), value) for name, value in headers]
        self._status = status
        self.content_type = next((value for name, value in pairs if name == "content-type"), "")
        self.session.options.redactor.overhear(pairs)
        self._headers = self.session.options.redactor.headers(
            pair for pair in pairs if pair[0] not in NOT_OF_THE_BODY
        )

    def chunk(self, piece: bytes) -> None:
        """A piece of the body arrived, after content-decoding."""
        if piece:
            self._chunks.append(piece)

    def whole(self, failure: str | None = None) -> None:
        """All of the body arrived; who stops reading from here on abandons nothing.

        The end itself comes when the answer is closed: then the agent goes on at once, with no other task in
        between, and sees the clock as this exchange left it.
        """
        self._whole = (failure,)

    def end(self, failure: str | None = None) -> None:
        """The exchange is over; later calls are void.

        Args:
            failure: `ExceptionName: text`, `Cancelled` or `Abandoned`; None where it ended well.
        """
        if self._ended:
            return
        self._ended = True
        if failure == "Abandoned" and self._whole is not None:
            (failure,) = self._whole
        if self.served is not None:
            self.session.finish_played(self)
        else:
            self.session.finish_http(self, failure)

    def close(self) -> None:
        """The session ends while the exchange is under way."""
        self.end("Abandoned")

    def response(self, failure: str | None) -> HttpResponse:
        """Record: what arrived, scrubbed as a whole: a secret may straddle two pieces."""
        redactor, paths = self.session.options.redactor, self.session.paths
        raw = b"".join(self._chunks)
        scrubbed = redactor.body(paths.hide(raw), self.content_type, is_answer=True)
        lengths = self._lengths()
        if failure == "Abandoned" and raw.rstrip().endswith(_LAST_EVENTS):
            # A client that stops at the stream's own end mark has read all there is.
            failure = None
        if failure is not None:
            failure = redactor.text(paths.hide_value(failure))
        chunks = paths.realign(raw, scrubbed, lengths)
        return HttpResponse(self._status, self._headers, scrubbed, chunks, failure)

    def _lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self._chunks)) if self.has_pieces and len(self._chunks) > 1 else ()


class ToolTicket(Ticket):
    """One call of a tool under way.

    `recorded` is the result to serve (replay of a tool that is not executed again): hand it over and call
    `end`, or await `pace.hand_over`. Else it is None: run the tool and call `finish` or `fail`.
    """

    __slots__ = ("_behind", "executed", "recorded", "request")

    def __init__(
        self, session: Session, request: ToolRequest, *, executed: bool, served: Interaction | None = None
    ) -> None:
        super().__init__(session, served)
        self.request = request
        self.executed = executed
        self.recorded: ToolResponse | None = None
        self._behind: tuple[Token[bool], ExitStack] | None = None

    def finish(self, result: Any) -> None:
        """The tool returned `result`.

        Raises:
            UsageError: the result is no JSON value.
        """
        try:
            value = to_json_value(result, f"the result of tool {self.request.name}")
        except BaseException as error:
            self.fail(error)
            raise
        self._end(ToolResponse(self.session.scrubbed(value), None, self.executed))

    def fail(self, error: BaseException) -> None:
        """The tool raised `error`."""
        text = self.session.scrubbed(f"{type(error).__name__}: {error}")
        self._end(ToolResponse(None, text, self.executed))

    def end(self) -> None:
        """Replay: the recorded result is handed over."""
        if not self._ended:
            self._ended = True
            self.session.finish_played(self)

    def close(self) -> None:
        """The session ends while the tool runs."""
        if self.recorded is not None:
            self.end()
        else:
            self._end(ToolResponse(None, "Abandoned", self.executed))

    def stay_behind(self) -> None:
        """From here to the end, what the tool does itself is not recorded."""
        passing = ExitStack()
        passing.enter_context(inside_stub())
        self._behind = (BEHIND_TOOL.set(True), passing)

    def _end(self, response: ToolResponse) -> None:
        if self._ended:
            return
        self._ended = True
        if self._behind is not None:
            token, passing = self._behind
            passing.close()
            with suppress(ValueError):
                # Closed from elsewhere at the end of the session; the tool's own context is gone.
                BEHIND_TOOL.reset(token)
        self.session.finish_tool(self, response)


class UnrecordedTool(ToolTicket):
    """A tool called inside a tool that replay will serve: it just runs."""

    __slots__ = ()

    def _end(self, response: ToolResponse) -> None:
        del response


def _shown(session: Session, response: HttpResponse) -> HttpResponse:
    body = session.paths.show(response.body)
    if body is response.body or body == response.body:
        return response
    chunks = session.paths.realign(response.body, body, response.chunks)
    return HttpResponse(response.status, response.headers, body, chunks, response.failure)
