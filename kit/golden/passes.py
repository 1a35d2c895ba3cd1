"""One pass over the golden set: every case once, counted together (S4-28)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kit.golden.outcome import CaseOutcome, outcome_of
from kit.oracle.result import OracleResult

SUSPECTED = "harness problem suspected: no case ended with a judgement"

LENT = "its recording was migrated, and that is never enough for a floor: record it again"


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass gave.

    Attributes:
        model: tag of the model under test.
        number: 1-based; the replicate, and so the seed.
        outcomes: of every case, in the order they ran.
        when: when it ran; in replay, when it was recorded.
        source: `live`, or `recorded` where its runs are cassettes.
        answers: digest of all that the model said in it; None where nothing was kept of it.
    """

    model: str
    number: int
    outcomes: tuple[CaseOutcome, ...]
    when: dt.datetime
    source: Literal["live", "recorded"]
    answers: str | None = None

    @property
    def hits(self) -> int:
        """How many cases ended with the verdict that people agreed on."""
        return sum(outcome.kind == "hit" for outcome in self.outcomes)

    @property
    def of(self) -> int:
        """How many cases there were: one that crashed is one of them."""
        return len(self.outcomes)

    @property
    def is_suspect(self) -> bool:
        """Whether every case ended without a judgement: then the harness is to be looked at."""
        return bool(self.outcomes) and all(outcome.is_infrastructure for outcome in self.outcomes)


def distinct(passes: Sequence[Pass]) -> int | None:
    """How many different samples these are: passes with the same answers are one, made twice (decision 21).

    Returns:
        None where a pass was not kept, so that nobody can tell.
    """
    known = {one.answers for one in passes}
    return None if None in known else len(known)


def without_lent(one: Pass, lent: Collection[str]) -> Pass:
    """A pass in which migrated recordings count for nothing: nobody gave their answers to these requests.

    Args:
        one: the pass.
        lent: ids of the cases whose recording was migrated.
    """
    outcomes = tuple(
        replace(outcome, kind="blocked", given=None, detail=LENT) if outcome.case in lent else outcome
        for outcome in one.outcomes
    )
    return replace(one, outcomes=outcomes)


def pass_of(
    model: str,
    number: int,
    results: Sequence[OracleResult],
    when: dt.datetime,
    source: Literal["live", "recorded"],
) -> Pass:
    """Count the results of one pass."""
    return Pass(model, number, tuple(outcome_of(result) for result in results), when, source)
