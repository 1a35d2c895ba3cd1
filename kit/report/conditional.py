"""What a conditional replay found, in a few lines (decision 6)."""

from __future__ import annotations

from kit.oracle.result import Conditional


def conditional_text(conditional: Conditional) -> str:
    """What the conditions say on the old answers: how many hold, then each that does not, a line each.

    What changed in the requests is in the error beside it. Empty for a run that was stopped: it came to no
    end that a condition could be about.
    """
    findings = conditional.findings
    if not findings:
        return ""
    broken = [finding.reason for finding in findings if not finding.ok]
    count = len(findings)
    if not broken:
        few = {1: "the one condition holds", 2: "both conditions hold"}
        held = few.get(count, f"all {count} conditions hold")
    else:
        verb = "does" if len(broken) == 1 else "do"
        held = f"{len(broken)} of {count} condition{'' if count == 1 else 's'} {verb} not hold"
    return "\n".join([f"conditional, on the old answers: {held}", *(f"x {reason}" for reason in broken)])
