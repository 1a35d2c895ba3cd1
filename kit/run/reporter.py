"""Through which an agent tells what no boundary shows, and asks for approval."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from kit.recording.json_value import to_json_value
from kit.trace.event import Event, EventKind

if TYPE_CHECKING:
    from kit.redaction.redactor import Redactor


class RunClock(Protocol):
    """Where a run stands: what a reporter needs of the session."""

    def now_ms(self) -> int:
        """The run's virtual clock."""
        ...

    def started(self) -> int:
        """Number of the interaction that started last, 0 before the first."""
        ...


class RunReporter:
    """Collects the events of one run; safe to use from any thread of the agent."""

    def __init__(self, clock: RunClock, approvals: Sequence[bool] = ()) -> None:
        self._clock = clock
        self._answers = list(approvals)
        self._events: list[Event] = []
        self._lock = threading.Lock()

    @property
    def events(self) -> tuple[Event, ...]:
        """What was reported, in order."""
        return tuple(self._events)

    def hide_secrets(self, redactor: Redactor) -> None:
        """Once the run is over: masks in what was reported what is masked in the recording."""
        self._events = [replace(event, detail=redactor.value(event.detail)) for event in self._events]

    def ask_approval(self, action: str, arguments: Mapping[str, Any] | None = None) -> bool:
        """The scenario's next answer; exhausted is a denial (decision 18)."""
        with self._lock:
            self._add("approval_requested", {"action": action, "arguments": dict(arguments or {})})
            by = "scenario" if self._answers else "exhausted"
            approved = self._answers.pop(0) if self._answers else False
            self._add("approval_decided", {"action": action, "approved": approved, "by": by})
            return approved

    def refusal(self, reason: str) -> None:
        """The agent refuses what it was asked."""
        self._report("refusal", {"reason": reason})

    def handoff(self, to: str) -> None:
        """The agent hands over to another agent."""
        self._report("handoff", {"to": to})

    def policy_violation(self, tool: str, reason: str, arguments: Mapping[str, Any] | None = None) -> None:
        """The agent's policy blocked a call."""
        self._report("policy_violation", {"tool": tool, "reason": reason, "arguments": dict(arguments or {})})

    def _report(self, kind: EventKind, detail: dict[str, Any]) -> None:
        with self._lock:
            self._add(kind, detail)

    def _add(self, kind: EventKind, detail: dict[str, Any]) -> None:
        kept = to_json_value(detail, f"what the agent reported as {kind}")
        self._events.append(Event(kind, self._clock.now_ms(), self._clock.started(), kept))
