"""What a run hands over for its trace."""

from __future__ import annotations

from kit.trace.run_facts import RunFacts, Said


def test_only_what_every_run_has_must_be_given() -> None:
    """A tape has no turns, no events and no workspace."""
    facts = RunFacts(scenario_id="t", model="stub", mode="replay", interactions=(), outcome="success")
    assert (facts.turns, facts.ended_ms, facts.has_tool_boundary, facts.failure) == ((), None, None, None)


def test_a_message_starts_a_run_by_default() -> None:
    """The first turn comes before the first interaction."""
    assert (Said("hi").at_ms, Said("hi").after) == (0, 0)
