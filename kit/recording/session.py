"""One run under the recording: the sans-IO core that every stub and every tool asks (decisions 2, 3)."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane, ToolRequest, ToolResponse
from kit.cassette.key import Keyer
from kit.errors import Miss
from kit.recording import context, patching
from kit.recording.chance import Chance
from kit.recording.journal import FoundKind, Journal
from kit.recording.json_value import to_json_value
from kit.recording.ledger import Ledger
from kit.recording.misses import explain_miss
from kit.recording.options import SessionOptions, SessionResult, Sleep
from kit.recording.paths import PathMap
from kit.recording.tickets import BEHIND_TOOL, HttpTicket, Ticket, ToolTicket, UnrecordedTool
from kit.recording.virtual_clock import VirtualClock

current = context.current
_Ticket = TypeVar("_Ticket", bound=Ticket)


@contextlib.contextmanager
def start(options: SessionOptions) -> Iterator[Session]:
    """Runs the body of the `with` under the recording; `session.result` says afterwards what became of it.

    Raises:
        EnvironmentFault: the journal cannot be written.
    """
    session = Session(options)
    with contextlib.ExitStack() as stack:
        # Left in reverse order: the session stops answering before the patches go, and ends after the guards.
        stack.callback(session.close)
        stack.enter_context(patching.installed(virtual_time=options.virtual_time))
        token = context.enter(session)
        stack.callback(context.leave, session, token)
        stack.enter_context(patching.guarded(session))
        yield session


class Session:
    """What crosses the boundary of one run, recorded or served; safe to use from any thread.

    Attributes:
        options: what it was told.
        mode: `record` or `replay`.
        clock: the virtual clock.
        chance: the run's own random numbers.
        paths: real paths and their aliases.
        live_requests: requests that left the program for real.
        result: what became of it, complete once it is closed.
    """

    def __init__(self, options: SessionOptions) -> None:
        self.options = options
        self.mode = options.mode
        self.clock = VirtualClock(options.start)
        self.chance = Chance(options.seed, self.clock)
        self.paths = PathMap(options.paths)
        self.live_requests = 0
        self.result = SessionResult()
        self._lock = threading.RLock()
        self._last_number = 0
        self._completions = 0
        self._last_end_ms = 0
        self._open: dict[int, Ticket] = {}
        self._playlist = options.playlist
        self._keyer = Keyer(options.redactor, options.paths, options.ignore)
        journal = Journal(options.journal, tells_at_once=options.is_wrapped)
        journal.start(options.name, options.mode)
        self._ledger = Ledger(journal)

    def begin_http(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes, content_type: str = ""
    ) -> HttpTicket:
        """An HTTP request is about to leave.

        Args:
            method: upper case.
            url: absolute, as the client spells it.
            headers: as sent; looked at in record only.
            body: all of it, after content-decoding.
            content_type: of the request.

        Raises:
            Miss: replay, and it was never recorded.
        """
        if self._playlist is None:
            return self._opened(HttpTicket(self, self._request(method, url, headers, body, content_type)))
        key = self._keyer.http(method, url, content_type, body)
        served = self._taken(key)
        if served is None:
            raise self._missed(self._request(method, url, headers, body, content_type), key)
        return self._opened(HttpTicket(self, None, served))

    def begin_tool(self, name: str, arguments: dict[str, Any], *, executed: bool) -> ToolTicket:
        """A tool is about to be called.

        Args:
            name: the tool's name.
            arguments: by parameter name.
            executed: whether replay runs it again and compares, instead of serving the recorded result.

        Raises:
            Miss: replay, and it was never recorded.
            UsageError: an argument is no JSON value.
        """
        scrubbed = self.scrubbed(to_json_value(arguments, f"the arguments of tool {name}"))
        request = ToolRequest(name, scrubbed)
        if BEHIND_TOOL.get():
            return UnrecordedTool(self, request, executed=executed)
        if self._playlist is None:
            ticket = ToolTicket(self, request, executed=executed)
            if not executed:
                ticket.stay_behind()
            return self._opened(ticket)
        key = self._keyer.tool(name, scrubbed)
        served = self._taken(key)
        if served is None:
            raise self._missed(request, key)
        ticket = self._opened(ToolTicket(self, request, executed=executed, served=served))
        if not executed and isinstance(served.response, ToolResponse):
            recorded = served.response
            ticket.recorded = ToolResponse(
                self.paths.show_value(copy.deepcopy(recorded.result)),
                self.paths.show_value(recorded.failure),
                recorded.executed,
            )
            self.finish_played(ticket)
        return ticket

    def now_ms(self) -> int:
        """The virtual clock, integer ms since the start of the run."""
        return self.clock.now_ms

    def started(self) -> int:
        """Number of the interaction that started last, 0 before the first."""
        return self._last_number

    def report(self, kind: FoundKind, text: str) -> None:
        """Keeps a violation or a notice, in the journal at once; a repeated one is kept once."""
        self._ledger.report(kind, text)

    def slept(self, started_ms: int, ended_ms: int, where: str) -> None:
        """Time slept on purpose: the clock moves, and consecutive sleeps of one line count as one."""
        self.clock.advance_to(ended_ms)
        self._ledger.slept(Sleep(started_ms, ended_ms, where))

    def horizon_ms(self) -> int | None:
        """Replay: recorded start of the next interaction not played yet; sleeping never goes past it."""
        if self._playlist is None:
            return None
        with self._lock:
            return self._playlist.remaining_start_ms()

    def scrubbed(self, value: Any) -> Any:
        """A JSON value as it is recorded and compared: no real path, no secret."""
        return self.options.redactor.value(self.paths.hide_value(value))

    def went_live(self) -> None:
        """A stub lets a request through."""
        with self._lock:
            self.live_requests += 1

    def finish_http(self, ticket: HttpTicket, failure: str | None) -> None:
        """Record: an exchange is over; for tickets only."""
        real_ms = ticket.real_ms
        if ticket.request is not None:
            lane = self._lane(ticket.request, ticket.content_type)
            self._record(ticket, lane, ticket.request, ticket.response(failure), real_ms)

    def finish_tool(self, ticket: ToolTicket, response: ToolResponse) -> None:
        """A tool's call is over; for tickets only."""
        if ticket.served is None:
            self._record(ticket, "tool", ticket.request, response, ticket.real_ms)
            return
        recorded = ticket.served.response
        self.finish_played(ticket)
        if isinstance(recorded, ToolResponse):
            self._compare(ticket.request.name, ticket.number, recorded, response)

    def finish_played(self, ticket: Ticket) -> None:
        """Replay: a recorded interaction was served to its end; for tickets only."""
        if ticket.served is not None:
            self._reserve(ticket.served)
            self.clock.advance_to(ticket.served.ended_ms)
        with self._lock:
            self._open.pop(id(ticket), None)

    def close(self) -> None:
        """Ends what is under way and sums up; the journal gets its end mark."""
        with self._lock:
            for ticket in list(self._open.values()):
                ticket.close()
            left = self._playlist.leftovers() if self._playlist else ()
        for rule in self.options.redactor.unmatched() if self.mode == "record" else ():
            self.report("notices", f"redaction rule {rule} never matched anything")
        result = self._ledger.close(left, ended_ms=self.clock.now_ms, live_requests=self.live_requests)
        in_order = result.interactions
        if self.mode == "record":
            in_order = tuple(sorted(in_order, key=lambda interaction: interaction.number))
        self.result = replace(result, interactions=in_order)

    def _request(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes, content_type: str
    ) -> HttpRequest:
        redactor = self.options.redactor
        return HttpRequest(
            method,
            redactor.url(self.paths.hide_value(url)),
            redactor.headers(headers),
            redactor.body(self.paths.hide(body), content_type),
        )

    def _reserve(self, served: Interaction) -> None:
        """Masks in an answer count like the secrets they stand for: fresh ones are numbered on."""
        response = served.response
        said = response.body if isinstance(response, HttpResponse) else repr(response).encode()
        if b"<secret-" in said:
            self.options.redactor.reserve(said)

    def _opened(self, ticket: _Ticket) -> _Ticket:
        with self._lock:
            if ticket.served is not None:
                ticket.number = ticket.served.number
                self._last_number = ticket.number
            else:
                ticket.number = self._last_number = self._last_number + 1
            ticket.started_ms = self.clock.now_ms
            ticket.completions = self._completions
            self._open[id(ticket)] = ticket
        return ticket

    def _taken(self, key: bytes) -> Interaction | None:
        with self._lock:
            served = self._playlist.take(key) if self._playlist else None
            if served is not None:
                self._ledger.played(served)
            return served

    def _missed(self, request: HttpRequest | ToolRequest, key: bytes) -> Miss:
        text = f"{self.options.name}: {request!r} was never recorded"
        try:
            if self._playlist is not None:
                lane = self._lane(request, "") if isinstance(request, HttpRequest) else "tool"
                text = explain_miss(request, key, lane, self._playlist, self.options)
        finally:
            # Told even if the explanation itself breaks: a miss must never pass unseen.
            self.report("misses", text)
        return Miss(text)

    def _record(
        self,
        ticket: Ticket,
        lane: Lane,
        request: HttpRequest | ToolRequest,
        response: Any,
        real_ms: int,
    ) -> None:
        with self._lock:
            ended_ms = ticket.started_ms + real_ms
            if self._completions != ticket.completions:
                # Something else ended meanwhile, so this one ended after it: replay keeps that order.
                ended_ms = max(ended_ms, self._last_end_ms + 1)
            self._completions += 1
            self._last_end_ms = max(self._last_end_ms, ended_ms)
            self.clock.advance_to(ended_ms)
            interaction = Interaction(ticket.number, lane, request, response, ticket.started_ms, ended_ms)
            self._open.pop(id(ticket), None)
            self._ledger.recorded(interaction)

    def _lane(self, request: HttpRequest, content_type: str) -> Lane:
        if any(request.url.startswith(base) for base in self.options.model_urls):
            return "model"
        # Replay knows the lanes; it need not load the dialects.
        from kit.wire.registry import recognise

        known = recognise(request.method, request.url, request.body, content_type)
        return "other" if known is None else "model"

    def _compare(self, name: str, number: int, recorded: ToolResponse, executed: ToolResponse) -> None:
        old, new = _said(recorded), _said(executed)
        if old != new or (recorded.failure is None) != (executed.failure is None):
            self.report(
                "tool_drift",
                f"tool {name} (interaction {number}) gave another result than recorded\n"
                f"  recorded: {old!r}\n  now:      {new!r}",
            )


def _said(response: ToolResponse) -> Any:
    return response.result if response.failure is None else response.failure
