"""What an agent reports of itself, because no boundary shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

EventKind = Literal["approval_requested", "approval_decided", "refusal", "handoff", "policy_violation"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing the agent reported.

    Attributes:
        kind: which kind of thing.
        at_ms: the run's virtual clock when it was reported.
        after: number of the last interaction that had started by then, 0 before the first.
        detail: JSON values, by kind: `approval_requested` {action, arguments}, `approval_decided` {action,
            approved, by: scenario|exhausted}, `refusal` {reason}, `handoff` {to}, `policy_violation` {tool,
            reason, arguments}.
    """

    kind: EventKind
    at_ms: int
    after: int
    detail: dict[str, Any] = field(default_factory=dict)
