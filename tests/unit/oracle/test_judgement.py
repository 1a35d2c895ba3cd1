"""`verdict`: what a judging agent came to, by its call and never by its words."""

from __future__ import annotations

import pytest

from kit.oracle.finding import Finding
from kit.oracle.judgement import findings, judgement
from kit.scenario.suite import Judging
from kit.trace.trace import Step
from tests.unit.oracle.conftest import make_scenario, make_trace

JUDGING = Judging(tool="emit", values=("approved", "changes_requested"))


def emit(verdict: object, failure: str | None = None) -> Step:
    """A call that says a verdict."""
    return Step(0, "tool_call", name="emit", arguments={"verdict": verdict, "reason": "r"}, failure=failure)


APPROVED = emit("approved")
REFUSED = emit("approved", "ValueError: run the tests first")
CHANGES = emit("changes_requested")


def found(*steps: Step, wanted: str = "approved") -> list[Finding]:
    """What the oracle says of these steps."""
    return list(findings(make_scenario(verdict=wanted), make_trace(*steps), JUDGING))


def test_the_expected_verdict_holds() -> None:
    """However the agent words its reason; the call is the evidence."""
    assert found(APPROVED) == [Finding("verdict", ok=True, reason="verdict: approved", step=0)]


def test_the_other_verdict_does_not() -> None:
    """Both are named."""
    (finding,) = found(CHANGES)
    assert not finding.ok
    assert finding.reason == "verdict: changes_requested, expected approved"


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (REFUSED,),
        (emit("maybe"),),
        (emit(["approved"]),),
        (Step(0, "tool_call", name="emit"),),
        (Step(0, "tool_call", name="other", arguments={"verdict": "approved"}),),
        (Step(0, "answer", text="approved"),),
    ],
)
def test_no_verdict(steps: tuple[Step, ...]) -> None:
    """A call that failed was turned down; text, another tool and another word say none."""
    (finding,) = found(*steps)
    assert not finding.ok
    assert finding.reason == "verdict: the agent gave none, expected approved"
    assert finding.step is None


def test_the_last_accepted_call_counts() -> None:
    """An agent may be turned down and come back."""
    assert judgement(make_trace(REFUSED, CHANGES, REFUSED), JUDGING) == ("changes_requested", 1)


def test_nothing_is_said_where_no_verdict_is_expected() -> None:
    """Nor in a suite without judges."""
    assert list(findings(make_scenario(), make_trace(APPROVED), JUDGING)) == []
    assert list(findings(make_scenario(verdict="approved"), make_trace(APPROVED), None)) == []
