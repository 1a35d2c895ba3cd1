"""What the agent's reply to one turn contains."""

from __future__ import annotations

from collections.abc import Callable

from kit.oracle.partial import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

TALK = [
    {"user": "prenota"},
    {"expected_agent_partial": "quando"},
    {"user": "domani"},
    {"expected_agent_partial": "fatto"},
    {"expected_agent_partial": "domani"},
]


def answer(text: str) -> Step:
    return Step(0, "answer", text=text)


def test_each_reply_is_compared_with_its_turn(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """A condition speaks of the reply before it, in any case."""
    found = list(findings(scenario(TALK), trace(answer("Per QUANDO?"), answer("Fatto, per domani"))))
    assert [(finding.ok, finding.step) for finding in found] == [(True, 0), (True, 1), (True, 1)]


def test_the_other_reply_does_not_help(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """Text in the wrong turn does not count."""
    found = list(findings(scenario(TALK), trace(answer("fatto, domani"), answer("quando?"))))
    assert not any(finding.ok for finding in found)
    assert found[0].reason == (
        "expected_agent_partial: the reply to turn 1 does not contain 'quando'; it says «fatto, domani»"
    )


def test_a_run_that_ended_early(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """A reply that was never given contains nothing."""
    found = list(findings(scenario(TALK), trace(answer("quando?"))))
    assert [finding.ok for finding in found] == [True, False, False]
    assert found[1].reason == (
        "expected_agent_partial: the run ended before a reply to turn 2, expected one that contains 'fatto'"
    )
