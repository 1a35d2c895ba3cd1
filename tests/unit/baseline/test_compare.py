"""What a run changed against what was accepted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kit.baseline.accepted import Acceptance, accept
from kit.baseline.compare import compare, compare_all
from kit.oracle.result import OracleResult


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("pass", "pass", "same"),
        ("pass", "fail", "worse"),
        ("fail", "pass", "better"),
        ("fail", "fail", "same"),
        ("pass", "error", "error"),
        ("fail", "skip", "skip"),
        (None, "pass", "new"),
        (None, "fail", "new"),
        (None, "error", "error"),
        (None, "skip", "skip"),
    ],
)
def test_kinds(
    before: str | None, after: str, kind: str, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """Only verdicts about the agent are better or worse."""
    accepted = accept(result(before), by_me) if before else None
    assert compare(accepted, result(after)).kind == kind


def test_failures_that_came_and_went(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """The same verdict may hide other failures."""
    accepted = accept(result("fail", failures=("a", "b")), by_me)
    change = compare(accepted, result("fail", failures=("b", "c")))
    assert (change.new_failures, change.gone_failures) == (("c",), ("a",))
    assert compare(None, result("fail", failures=("c",))).new_failures == ("c",)


def test_an_error_takes_no_failure_away(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """A run that could not be judged has not got better."""
    change = compare(accept(result("fail"), by_me), result("error"))
    assert (change.new_failures, change.gone_failures) == ((), ())


def test_missing_only_in_a_complete_run(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """A narrowed run leaves out, a complete one misses; order is that of the results."""
    kept = [accept(result(scenario=name), by_me) for name in ("004_d", "001_a", "002_b")]
    accepted = {one.cell: one for one in kept}
    results = [result(scenario="002_b"), result(scenario="003_c")]
    complete = compare_all(accepted, results, complete=True)
    assert [(change.cell.scenario, change.kind) for change in complete] == [
        ("002_b", "same"),
        ("003_c", "new"),
        ("001_a", "missing"),
        ("004_d", "missing"),
    ]
    assert compare_all(accepted, results, complete=False) == complete[:2]


def test_replicates_and_variants_are_cells_of_their_own(
    result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """X-04: what was accepted of one replicate says nothing of another."""
    accepted = {one.cell: one for one in [accept(result(), by_me)]}
    changes = compare_all(accepted, [result(replicate=2), result(variant="terse")], complete=False)
    assert [change.kind for change in changes] == ["new", "new"]
