"""What may be accepted, and what an accepted thing says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from kit.baseline.accepted import Acceptance, Accepted, CellId, accept
from kit.oracle.result import OracleResult


def test_facts_of_the_run_are_kept(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """Verdict, outcome, failures and metrics come from the result."""
    kept = accept(result("fail", replicate=2, variant="terse"), by_me)
    assert (kept.verdict, kept.outcome, kept.accepted) == ("fail", "success", by_me)
    assert kept.failures == ("outcome: the run ended as failure, expected success",)
    assert (kept.metrics.cost_micro_usd, kept.metrics.latency_ms) == (10, 2000)
    assert kept.cell == CellId.of(result("fail", replicate=2, variant="terse"))


def test_unknown_cost_stays_unknown(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """X-05: None is not 0."""
    assert accept(result(cost_micro_usd=None), by_me).metrics.cost_micro_usd is None


@pytest.mark.parametrize("verdict", ["error", "skip"])
def test_only_pass_and_fail_can_be_accepted(
    verdict: str, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """An error says nothing about the agent."""
    with pytest.raises(ValueError, match="cannot be accepted"):
        accept(result(verdict), by_me)


@pytest.mark.parametrize("change", [{"verdict": "pass"}, {"failures": ()}])
def test_verdict_and_failures_agree(
    change: dict[str, Any], result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """A file edited by hand cannot pass with failures, or fail without."""
    with pytest.raises(ValidationError, match="exactly where"):
        Accepted.model_validate({**accept(result("fail"), by_me).model_dump(), **change})


def test_same_facts_leave_out_who_and_why(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """Accepting the same run again is no change."""
    later = Acceptance(reason="again", owner="Ada", date="2027-01-01")
    assert accept(result(), by_me).same_facts(accept(result(), later))
    assert not accept(result(), by_me).same_facts(accept(result(latency_ms=1), by_me))


def test_half_a_character_can_be_kept(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """A lone surrogate in a failure is written as its escape."""
    assert accept(result("fail", failures=("a\ud800",)), by_me).failures == ("a\\ud800",)


def test_dates_are_dates() -> None:
    """A date that is none is refused."""
    with pytest.raises(ValidationError, match="must be a date"):
        Acceptance(reason="r", owner="o", date="yesterday")


def test_cells_are_named_for_people() -> None:
    """The variant and a replicate beyond the first are told."""
    assert str(CellId("home", "m", "001_x")) == "001_x"
    assert str(CellId("home", "m", "001_x", "terse", 2)) == "001_x.terse@2"
