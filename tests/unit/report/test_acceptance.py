"""What accepting would change."""

from __future__ import annotations

from kit.baseline.accepted import Acceptance, Accepted, CellId, accept
from kit.baseline.plan import plan
from kit.oracle.result import OracleResult
from kit.report.acceptance import render
from tests.builders import result

OLD = Acceptance(reason="first", owner="R", date="2026-01-01")
NEW = Acceptance(reason="second", owner="R", date="2026-01-02")


def accepted(*results: OracleResult) -> dict[CellId, Accepted]:
    """Baselines of these results."""
    return {one.cell: one for one in (accept(each, OLD) for each in results)}


def test_every_change_is_shown_and_the_rest_counted() -> None:
    """A person reads what is added, changed, removed and refused; what stays is one line."""
    before = accepted(
        result(identifier="001_same"), result(identifier="002_worse"), result(identifier="009_gone")
    )
    now = (
        result(identifier="001_same"),
        result("fail", "002_worse", failures=("outcome: failure",), latency_ms=2100),
        result(identifier="003_new", replicate=2),
        result("error", "004_broken"),
    )
    assert render(plan(before, now, NEW, complete=True)) == (
        "change  home/002_worse on m:1b\n"
        "          verdict: pass → fail\n"
        "          latency_ms: 2000 → 2100\n"
        "          + outcome: failure\n"
        "add     home/003_new@2 on m:1b\n"
        "          verdict: pass\n"
        "          outcome: success\n"
        "          cost_micro_usd: 10\n"
        "          latency_ms: 2000\n"
        "refuse  home/004_broken on m:1b\n"
        "          verdict error says nothing about the agent and is not accepted\n"
        "remove  home/009_gone on m:1b\n"
        "          no such scenario runs any more\n"
        "1 baseline unchanged"
    )


def test_nothing_changes() -> None:
    """Where all stays the only line is their number."""
    results = (result(), result(identifier="002_y"))
    assert render(plan(accepted(*results), results, NEW, complete=True)) == "2 baselines unchanged"


def test_nothing_at_all() -> None:
    """No cell, no line."""
    assert render(()) == ""
