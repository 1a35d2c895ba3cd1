"""What a conditional replay found, told."""

from __future__ import annotations

import pytest

from kit.oracle.result import Conditional, DivergenceRecord, FindingRecord
from kit.report.conditional import conditional_text
from kit.report.terminal import render
from tests.builders import report, result

CHANGED = DivergenceRecord(interaction=1, changes=("system prompt",), differences=())


def conditional(*holds: bool) -> Conditional:
    """A run whose conditions hold or do not."""
    findings = [FindingRecord(oracle="o", ok=ok, reason=f"reason {at}") for at, ok in enumerate(holds, 1)]
    return Conditional(divergences=(CHANGED,), findings=tuple(findings))


@pytest.mark.parametrize(
    ("holds", "text"),
    [
        ((), ""),
        ((True,), "conditional, on the old answers: the one condition holds"),
        ((True, True), "conditional, on the old answers: both conditions hold"),
        ((True,) * 3, "conditional, on the old answers: all 3 conditions hold"),
        ((False,), "conditional, on the old answers: 1 of 1 condition does not hold\nx reason 1"),
        (
            (False, True, False),
            "conditional, on the old answers: 2 of 3 conditions do not hold\nx reason 1\nx reason 3",
        ),
    ],
)
def test_how_many_hold_and_which_do_not(holds: tuple[bool, ...], text: str) -> None:
    """A forecast in one line, with every reason below it."""
    assert conditional_text(conditional(*holds)) == text


def test_the_terminal_shows_it_below_the_error() -> None:
    """Marked as no verdict; a run that was stopped has nothing to show."""
    shown = render(report(result("error", errors=("needs recording",), conditional=conditional(True, False))))
    assert "    ! needs recording\n    ? conditional, on the old answers: 1 of 2" in shown
    assert "\n      x reason 2\n" in shown
    assert "?" not in render(report(result("error", errors=("MISS",), conditional=conditional())))
