"""Tickets of calls that never take place, since a fault is injected: they have no time of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.recording.tickets import HttpTicket, ToolTicket

if TYPE_CHECKING:
    from kit.recording.session import Session


class InjectedHttp(HttpTicket):
    """An exchange that never takes place: the agent gets what the scenario says (`recorded`)."""

    __slots__ = ("_request",)

    def __init__(self, session: Session, request: HttpRequest, answer: HttpResponse) -> None:
        super().__init__(session, request)
        self._request = request
        self.recorded: HttpResponse = answer

    def injected(self, ended_ms: int) -> Interaction:
        """The exchange for the trace."""
        return Interaction(self.number, "model", self._request, self.recorded, self.started_ms, ended_ms)

    def end(self, failure: str | None = None) -> None:
        """Nothing was under way."""
        del failure


class InjectedTool(ToolTicket):
    """A call that never takes place: the agent gets an exception (`recorded`)."""

    __slots__ = ()

    def __init__(self, session: Session, request: ToolRequest, failure: str, *, executed: bool) -> None:
        super().__init__(session, request, executed=executed)
        self.recorded: ToolResponse = ToolResponse(None, failure, executed)

    def injected(self, ended_ms: int) -> Interaction:
        """The call for the trace."""
        return Interaction(self.number, "tool", self.request, self.recorded, self.started_ms, ended_ms)

    def _end(self, response: ToolResponse) -> None:
        del response
