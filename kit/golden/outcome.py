"""What became of one case: a hit, a miss of judgement, or trouble that says nothing of judgement (S4-18)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kit.errors import EXIT_BUG, EXIT_ENVIRONMENT
from kit.oracle.judgement import ORACLE
from kit.oracle.result import OracleResult

Kind = Literal["hit", "miss", "awaiting_approval", "no_verdict", "time_out", "blocked", "crash"]

INFRASTRUCTURE: frozenset[Kind] = frozenset(
    {"awaiting_approval", "no_verdict", "time_out", "blocked", "crash"}
)
"""Everything that ended without a judgement; none of it is a hit."""

SHOWN: dict[Kind, str] = {"blocked": "blocked(infra)"}
"""Kinds that people know by another word."""

_LONGEST = 160
_BLOCKED = re.compile(r"\AChildProcessError\b")
"""How an agent says that its machine lacks what the case needs, as Node."""
_LATE = re.compile(r"\bthe time limit of \S+ s is over|\b\w*Timeout(Error)?\b")


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What became of one case in one pass.

    Attributes:
        case: its id.
        kind: hit, miss, or the kind of trouble.
        given: the verdict that was given; None without one.
        detail: what went wrong, a line; empty for a hit.
        latency_ms: of the run, on its virtual clock: slowness is reported and fails nothing (S4-29).
    """

    case: str
    kind: Kind
    given: str | None = None
    detail: str = ""
    latency_ms: int | None = None

    @property
    def is_infrastructure(self) -> bool:
        """Whether it says nothing of judgement."""
        return self.kind in INFRASTRUCTURE

    @property
    def shown(self) -> str:
        """The kind as a person reads it."""
        return SHOWN.get(self.kind, self.kind)


def outcome_of(result: OracleResult) -> CaseOutcome:
    """Tell the outcome of a case from the result of its run.

    A run that gave a verdict is a hit or a miss, whatever else went wrong in it; one that ended in an error
    (environment, harness, cassette) gave none that counts. A case that asks for no verdict, of a suite that
    does not judge, is a miss where another of its conditions failed.
    """
    case, late = result.scenario_id, result.latency_ms
    if result.verdict == "error":
        return CaseOutcome(case, _kind_of_error(result), None, _first_line(result.errors), late)
    if result.passed:
        return CaseOutcome(case, "hit", result.judgement, "", late)
    if result.judgement is not None or _is_judged_otherwise(result):
        return CaseOutcome(case, "miss", result.judgement, _first_line(result.failures), late)
    kind = _kind_without_judgement(result)
    return CaseOutcome(case, kind, None, _first_line(_reasons(result)), late)


def _kind_of_error(result: OracleResult) -> Kind:
    # An agent may raise because its model's server is gone: then the server is the reason.
    if result.exit_code == EXIT_BUG or (result.failure is not None and result.exit_code != EXIT_ENVIRONMENT):
        return "crash"
    return "time_out" if any(_LATE.search(error) for error in result.errors) else "blocked"


def _is_judged_otherwise(result: OracleResult) -> bool:
    """Whether the run came to its end, and its conditions are others than a verdict."""
    oracles = {finding.oracle for finding in result.findings}
    return bool(oracles) and ORACLE not in oracles and result.failure is result.unusable_output is None


def _kind_without_judgement(result: OracleResult) -> Kind:
    if result.unusable_output is not None:
        return "no_verdict"  # the server is fine and the agent gave up: the model wrote what nobody can read
    if result.failure is not None:
        if _BLOCKED.match(result.failure):
            return "blocked"
        return "time_out" if _LATE.search(result.failure) else "crash"
    return "awaiting_approval" if result.outcome == "needs_approval" else "no_verdict"


def _reasons(result: OracleResult) -> tuple[str, ...]:
    for text in (result.unusable_output, result.failure, result.ending):
        if text:
            return (text,)
    return result.failures


def _first_line(texts: tuple[str, ...]) -> str:
    """A model may end in many words; the trace has them all."""
    line = next((line for text in texts[:1] for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
