"""What one condition of a scenario said of one trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One condition's outcome.

    Attributes:
        oracle: name of the condition as the scenario file spells it, e.g. `final_response.contains_any`.
        ok: the condition holds.
        reason: a sentence for a person, with expected and actual; told for a condition that holds too.
        step: index of the step that is the evidence, None where no single step is.
    """

    oracle: str
    ok: bool
    reason: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class OracleCrash(Finding):
    """A condition that could not be judged: the verdict is `error`, never `fail` (decision 13).

    Attributes:
        exit_code: exit code the crash stands for (3 the judge's cassette, 4 environment, 70 a bug of kit).
    """

    exit_code: int = 70


def crashes(findings: tuple[Finding, ...]) -> tuple[OracleCrash, ...]:
    """The conditions that could not be judged, which make the verdict `error`."""
    return tuple(finding for finding in findings if isinstance(finding, OracleCrash))


def failures(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """The reason of every condition that does not hold, as checked; a crash is no failure (S2-44)."""
    return tuple(
        finding.reason for finding in findings if not finding.ok and not isinstance(finding, OracleCrash)
    )
