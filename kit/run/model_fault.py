"""A live run that the server of its model failed: the world, not a verdict on the agent (decision 13)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kit.trace.trace import Step
from kit.wire.dialect import UNUSABLE_OUTPUT

_STATUS = re.compile(r"http (\d{3})\b")
_AGENTS_OWN = ("Abandoned", "TimeLimit")
"""Calls that the agent, or its time limit, ended."""
_SERVERS = frozenset({401, 403, 404, 408, 409, 425, 429})
"""Refusals below 500 that say something about the server, the key or the load, not about the request."""


def model_fault(steps: Sequence[Step], failure: str | None) -> str | None:
    """How the model's server failed a run that is being recorded; None where it did not.

    A fault that the scenario injects is none of the server's. Neither is its complaint that the model wrote
    what it cannot read: that is what the model is like.

    An agent that copes with a failed call and goes on is being recorded as it should. Without this a server
    that answers 500 would replace a good cassette by one that holds nothing but the 500.

    Args:
        steps: the run's.
        failure: how the agent itself ended, else None.
    """
    calls = [step for step in steps if step.kind == "model_call" and step.fault is None]
    if not calls or calls[-1].failure is None or not _is_servers(calls[-1].failure):
        return None
    if failure is None and any(call.failure is None for call in calls):
        return None
    last = calls[-1]
    return (
        f"the model server failed the run: interaction {last.interaction} ended with {last.failure}"
        + (f"; the agent then ended with {' '.join(failure.split())}" if failure else "")
        + "\n  next: record again when the server answers; until then an earlier recording stays"
    )


def _is_servers(failure: str) -> bool:
    if UNUSABLE_OUTPUT in failure:
        return False
    status = _STATUS.match(failure)
    if status is not None:
        code = int(status.group(1))
        return code >= 500 or code in _SERVERS
    return not failure.startswith(_AGENTS_OWN)
