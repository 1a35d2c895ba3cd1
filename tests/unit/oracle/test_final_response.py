"""Conditions on the last answer."""

from __future__ import annotations

from collections.abc import Callable

from kit.oracle.final_response import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

ALL = {"contains_any": ["errore"], "contains_all": ["dpkg"], "not_contains": ["sudo"], "regex": r"\bapt\b"}


def answer(text: str) -> Step:
    return Step(0, "answer", text=text)


def test_one_finding_a_condition(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """Each condition that is stated holds for itself."""
    found = list(findings(scenario(final_response=ALL), trace(answer("x"), answer("Errore apt di dpkg"))))
    assert [finding.oracle for finding in found] == [f"final_response.{name}" for name in ALL]
    assert all(finding.ok and finding.step == 1 for finding in found)


def test_all_failures_are_told(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """Every condition that does not hold says what the answer is."""
    found = list(findings(scenario(final_response=ALL), trace(answer("usa sudo"))))
    assert [finding.reason for finding in found] == [
        "final_response.contains_any: the answer does not contain 'errore'; it says «usa sudo»",
        "final_response.contains_all: the answer does not contain 'dpkg'; it says «usa sudo»",
        "final_response.not_contains: the answer contains 'sudo', which it must not; it says «usa sudo»",
        r"final_response.regex: the answer does not match '\\bapt\\b'; it says «usa sudo»",
    ]
    assert not any(finding.ok for finding in found)


def test_only_the_last_answer_counts(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """What was said in an earlier turn is not the final response."""
    wanted = scenario(final_response={"contains_any": ["errore"]})
    assert not next(findings(wanted, trace(answer("errore"), answer("fatto")))).ok


def test_without_an_answer(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """Nothing is contained in no answer, even what an empty text would match."""
    wanted = scenario(final_response={**ALL, "regex": ".*"})
    found = list(findings(wanted, trace()))
    assert [finding.ok for finding in found] == [False, False, True, False]
    assert all(finding.reason.endswith("the agent gave no final answer") for finding in found)


def test_not_stated(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """A condition that is not stated gives no finding."""
    assert not list(findings(scenario(), trace(answer("x"))))
