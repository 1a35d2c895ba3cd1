"""The run ended as expected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kit.oracle.outcome import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace
from tests.unit.oracle.conftest import make_scenario


def test_holds_where_the_outcome_is_the_expected_one(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """One finding says how the run ended."""
    [finding] = findings(scenario(), trace())
    assert finding.ok
    assert finding.reason == "outcome: the run ended as success"


@pytest.mark.parametrize("ended", ["refused", "needs_approval", "error_handled", "failure"])
def test_any_other_outcome_fails(
    ended: str, scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """No two outcomes are alike."""
    [finding] = findings(scenario(), trace(outcome=ended))
    assert not finding.ok
    assert finding.reason == f"outcome: the run ended as {ended}, expected success"


def test_reason_tells_how_the_agent_failed(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """The exception of an agent is named beside its outcome."""
    [finding] = findings(scenario(), trace(outcome="failure", failure="ValueError: no"))
    assert finding.reason == "outcome: the run ended as failure, expected success (ValueError: no)"


def test_nothing_is_said_where_no_outcome_is_expected(trace: Callable[..., ExecutionTrace]) -> None:
    """A verdict alone may be what counts."""
    wanted = make_scenario(verdict="approved", outcome=None)
    assert list(findings(wanted, trace(outcome="refused"))) == []
