"""One pass, counted together."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import get_args

from kit.golden.outcome import INFRASTRUCTURE, CaseOutcome, Kind
from kit.golden.passes import LENT, Pass, distinct, pass_of, without_lent
from tests.unit.golden.test_outcome import result

WHEN = dt.datetime(2026, 11, 30, 2, 0, tzinfo=dt.UTC)


def one_pass(*kinds: Kind) -> Pass:
    """A pass whose cases ended so."""
    outcomes = tuple(CaseOutcome(f"rf-{number}", kind) for number, kind in enumerate(kinds))
    return Pass("m", 1, outcomes, WHEN, "live")


def test_only_hits_are_hits_and_all_cases_count() -> None:
    """A crash is a miss, and the total stays (F12)."""
    one = one_pass("hit", "miss", "crash", "awaiting_approval", "no_verdict", "hit")
    assert (one.hits, one.of) == (2, 6)
    assert not one.is_suspect


def test_trouble_in_every_case_is_suspect() -> None:
    """One judgement, even a wrong one, says that the harness works (F14)."""
    assert one_pass(*get_args(Kind)[2:]).is_suspect
    assert not one_pass("miss", *sorted(INFRASTRUCTURE)).is_suspect
    assert not one_pass().is_suspect


def test_a_pass_is_made_of_results() -> None:
    """In their order."""
    results = [result(verdict="pass", judgement="approved"), result(outcome="needs_approval")]
    one = pass_of("m", 3, results, WHEN, "recorded")
    assert [outcome.kind for outcome in one.outcomes] == ["hit", "awaiting_approval"]
    assert (one.model, one.number, one.when, one.source) == ("m", 3, WHEN, "recorded")


def test_a_migrated_recording_is_never_enough_for_a_floor() -> None:
    """Its answers were given to other requests: no hit, and the total stays."""
    one = without_lent(one_pass("hit", "hit", "miss"), {"rf-1"})
    assert (one.hits, one.of) == (1, 3)
    assert one.outcomes[1] == CaseOutcome("rf-1", "blocked", None, LENT)


def test_passes_with_the_same_answers_are_one_sample() -> None:
    """Shown as a count of all; a pass of which nothing was kept cannot be told apart."""
    one = one_pass("hit")
    first, second = replace(one, answers="a"), replace(one, answers="b")
    assert distinct([first, second, first]) == 2
    assert distinct([first, one]) is None
