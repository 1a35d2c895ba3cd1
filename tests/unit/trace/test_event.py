"""What an agent reports of itself."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from kit.agent.protocol import Reporter
from kit.trace.event import Event, EventKind


def test_kinds_are_what_a_reporter_can_tell() -> None:
    """Each kind comes from a method of the protocol; asking for approval tells two."""
    told = {name for name in vars(Reporter) if not name.startswith("_")}
    assert told == {"ask_approval", "refusal", "handoff", "policy_violation"}
    assert set(get_args(EventKind)) == (told - {"ask_approval"}) | {"approval_requested", "approval_decided"}


def test_details_are_not_shared() -> None:
    """Two events without detail do not fill each other's."""
    one, other = Event("refusal", 0, 0), Event("refusal", 0, 0)
    assert one.detail == {}
    assert one.detail is not other.detail


def test_event_does_not_change() -> None:
    """What was reported stays as it was reported."""
    event = Event("handoff", 5, 2, {"to": "b"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(event, "at_ms", 6)  # noqa: B010 - the assignment that type checkers refuse
