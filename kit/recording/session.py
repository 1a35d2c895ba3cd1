"""One run under the recording: the sans-IO core that every stub and every tool asks (decisions 2, 3)."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from kit.cassette.interaction import HttpRequest, Interaction, Lane, ToolRequest, ToolResponse
from kit.cassette.key import Keyer
from kit.recording import context, lineage, patching
from kit.recording.chance import Chance
from kit.recording.faults import Fault, Faults
from kit.recording.guard.passing import BEHIND_TOOL
from kit.recording.injected import InjectedHttp, InjectedTool
from kit.recording.journal import FoundKind, Journal
from kit.recording.json_value import to_json_value
from kit.recording.lanes import lane_of
from kit.recording.late import late_secrets
from kit.recording.ledger import Ledger, in_order_of_the_file
from kit.recording.once import Once
from kit.recording.options import SessionOptions, SessionResult, Sleep
from kit.recording.paths import PathMap
from kit.recording.player import Player
from kit.recording.scrub import reserve_masks, scrubbed_request
from kit.recording.tickets import HttpTicket, Ticket, ToolTicket, UnrecordedTool
from kit.recording.tool_drift import tool_drift
from kit.recording.virtual_clock import Ends, VirtualClock, lag_of

current = context.current
_Ticket = TypeVar("_Ticket", bound=Ticket)
_Injected = TypeVar("_Injected", InjectedHttp, InjectedTool)


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
        # Python gives the `id` of a run that is gone to the next one: no line of that may reach into this.
        stack.enter_context(lineage.beginning(None))
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
        self._ends = Ends()
        self._open: dict[int, Ticket] = {}
        self._faults = Faults(options.faults)
        known = options.playlist.keyer if options.playlist else None
        self._keyer = Keyer(options.redactor, options.paths, options.ignore, known)
        journal = Journal(options.journal, tells_at_once=options.is_wrapped, late=late_secrets(options))
        journal.start(options.name, options.mode)
        is_read_back = options.mode == "record" and not options.is_wrapped
        self._ledger = Ledger(journal, options.journal if is_read_back else None)
        self._player = (
            Player(options.playlist, options, self._ledger, self._being_served) if options.playlist else None
        )

    def begin_http(
        self,
        method: str,
        url: str,
        headers: Iterable[tuple[str, str]],
        body: bytes,
        content_type: str = "",
        patience_ms: int | None = None,
    ) -> HttpTicket:
        """An HTTP request is about to leave.

        Args:
            method: upper case.
            url: absolute, as the client spells it.
            headers: as sent; looked at in record only.
            body: all of it, after content-decoding.
            content_type: of the request.
            patience_ms: how long the client waits for an answer; None is for ever.

        Raises:
            Miss: replay, and it was never recorded.
        """
        given = (self.options.redactor, self.paths, method, url, headers, body, content_type)
        request = Once(lambda: scrubbed_request(*given))
        fault = self._fault_of_model(request, patience_ms) if self.options.faults else None
        if fault is not None and fault.answer is not None:
            return self._instead(InjectedHttp(self, request(), fault.answer), fault)
        served = None
        if self._player is not None:
            key = self._keyer.http(method, url, content_type, body)
            served = self._player.take(key, self, request)
        return self._opened(HttpTicket(self, request() if served is None else None, served), fault)

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
        with self._lock:
            fault = self._faults.of_tool(name)
        if fault is not None and fault.raises is not None:
            return self._instead(InjectedTool(self, request, fault.raises, executed=executed), fault)
        served = None
        if self._player is not None:
            key = self._keyer.tool(name, scrubbed)
            served = self._player.take(key, self, lambda: request)
        if served is None:
            ticket = ToolTicket(self, request, executed=executed)
            if not executed:
                ticket.stay_behind()
            return self._opened(ticket, fault)
        ticket = self._opened(ToolTicket(self, request, executed=executed, served=served), fault)
        if not executed and isinstance(served.response, ToolResponse):
            recorded = served.response
            ticket.recorded = ToolResponse(
                self.paths.show_value(copy.deepcopy(recorded.result)),
                self.paths.show_value(recorded.failure),
                recorded.executed,
            )
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
        return None if self._player is None else self._player.playlist.remaining_start_ms()

    @property
    def is_backing_off(self) -> bool:
        """Whether a pause now is one before a retry of an injected fault: nobody waits for real."""
        return self._faults.is_backing_off

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
            lane = lane_of(ticket.request, self.options.model_urls)
            self._record(ticket, lane, ticket.request, ticket.response(failure), real_ms)

    def finish_tool(self, ticket: ToolTicket, response: ToolResponse) -> None:
        """A tool's call is over; for tickets only."""
        if ticket.served is None:
            self._record(ticket, "tool", ticket.request, response, ticket.real_ms)
            return
        recorded = ticket.served.response
        self.finish_played(ticket)
        if isinstance(recorded, ToolResponse):
            drift = tool_drift(ticket.request.name, ticket.number, recorded, response)
            if drift is not None:
                self.report("tool_drift", drift)

    def finish_played(self, ticket: Ticket) -> None:
        """Replay: a recorded interaction was served to its end; for tickets only."""
        if ticket.served is not None:
            reserve_masks(ticket.served, self.options.redactor)
            self.clock.advance_to(ticket.served.ended_ms)
        with self._lock:
            self._open.pop(id(ticket), None)

    def close(self) -> None:
        """Ends what is under way and sums up; the journal gets its end mark."""
        with self._lock:
            for ticket in list(self._open.values()):
                ticket.close()
            left = self._player.close() if self._player else ()
        for text in self._faults.never():
            self.report("notices", text)
        for rule in self.options.redactor.unmatched() if self.mode == "record" else ():
            self.report("notices", f"redaction rule {rule} never matched anything")
        result = self._ledger.close(left, ended_ms=self.clock.now_ms, live_requests=self.live_requests)
        result = replace(result, faults=self._faults.in_order())
        self.result = in_order_of_the_file(result, self.options)

    def _being_served(self) -> list[Interaction]:
        return [ticket.served for ticket in list(self._open.values()) if ticket.served is not None]

    def _fault_of_model(self, request: Callable[[], HttpRequest], patience_ms: int | None) -> Fault | None:
        asked = request()
        if asked.method == "GET" or lane_of(asked, self.options.model_urls) != "model":
            return None
        with self._lock:
            return self._faults.of_model(patience_ms)

    def _instead(self, ticket: _Injected, fault: Fault) -> _Injected:
        """A call that nobody is asked for: it has a number and a place in time, and is never recorded."""
        with self._lock:
            recorded = self._player.playlist.interactions if self._player else ()
            ticket.number = self._faults.number(self._last_number, [item.number for item in recorded])
            self._last_number += 1
            ticket.started_ms = self.clock.now_ms
            self.clock.advance_to(ticket.started_ms + (fault.delay_ms or 0))
            self._faults.instead(fault, ticket.injected(self.clock.now_ms))
        return ticket

    def _opened(self, ticket: _Ticket, fault: Fault | None) -> _Ticket:
        with self._lock:
            self._faults.is_backing_off = False
            ticket.fault = fault
            if fault is not None and fault.delay_ms:
                self.clock.advance_to(self.clock.now_ms + fault.delay_ms)
            if fault is not None and ticket.served is not None:
                ticket.sees(self._faults.around(fault, ticket.served))
            ticket.under, ticket.job = lineage.place_of(self)
            ticket.number = ticket.served.number if ticket.served else self._last_number + 1
            # The recorded beginning of a live run is numbered by its lines, not by time.
            is_behind = self.mode == "record" and ticket.number < self._last_number
            self._last_number = self._last_number if is_behind else ticket.number
            if ticket.served is not None:
                ticket.lag_ms = lag_of(ticket.served, self.clock.now_ms)
            ticket.started_ms = self.clock.now_ms
            ticket.completions = self._ends.count
            self._open[id(ticket)] = ticket
        lineage.follows(self, ticket.number)
        return ticket

    def _record(
        self,
        ticket: Ticket,
        lane: Lane,
        request: HttpRequest | ToolRequest,
        response: Any,
        real_ms: int,
    ) -> None:
        with self._lock:
            ended_ms = self._ends.next_ms(ticket.started_ms + real_ms, ticket.completions)
            self.clock.advance_to(ended_ms)
            places = (ticket.started_ms, ended_ms, None, ticket.under, ticket.job)
            interaction = Interaction(ticket.number, lane, request, response, *places)
            self._open.pop(id(ticket), None)
            self._ledger.recorded(interaction)
            if ticket.fault is not None:
                self._faults.around(ticket.fault, interaction)
