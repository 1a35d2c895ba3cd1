"""A report in which everything happened at once, for the renderings."""

from __future__ import annotations

from kit.baseline.accepted import CellId
from kit.gate.reason import Reason
from kit.harness.eval_report import DriftRecord
from kit.harness.unrecorded import Unrecorded
from tests.builders import report, result


def _cell(scenario: str, replicate: int = 1) -> CellId:
    return CellId("home", "m:1b", scenario, replicate=replicate)


FULL = report(
    result(),
    result(
        "fail",
        "002_y",
        category="security",
        replicate=2,
        outcome="failure",
        failures=("outcome: the run ended as failure,\nexpected success", "it says «<b>|*hi*» to @octocat"),
        cost_micro_usd=20,
        latency_ms=900,
    ),
    result("pass", "003_z"),
    result(
        "error",
        "004_e",
        errors=("MISS  home/004_e on m:1b, step 2\n\n  asked     POST /v1/chat/completions",),
        outcome=None,
        cost_micro_usd=None,
        latency_ms=None,
    ),
    result(
        "error",
        "005_n",
        errors=("nothing was recorded yet",),
        trace_path="",
        outcome=None,
        cost_micro_usd=None,
        latency_ms=None,
    ),
    result("skip", "006_s", notices=("no judge is there",), outcome=None),
    result("fail", "007_w", failures=("cost: unknown",), cost_micro_usd=None, notices=("edited by hand",)),
    commit="abc1234567",
    against="main",
    gate="block",
    gate_details=(
        Reason("block", "regression", "002_y@2 (security) was accepted as pass and fails", _cell("002_y", 2)),
        Reason("block", "error", "004_e has no verdict, it ended in an error", _cell("004_e")),
        Reason("block", "error", "005_n has no verdict, it ended in an error", _cell("005_n")),
        Reason("warn", "missing", "008_m was accepted and is missing", _cell("008_m")),
        Reason("warn", "success_rate", "success_rate fell from 2/3 to 2/3, 100 % of nothing"),
    ),
    baseline_summary={
        "success_rate": {"passed": 2, "of": 3},
        "avg_cost": {"micro_usd": 10, "known": 3, "of": 3},
        "p95_latency": {"ms": 1000, "of": 3},
    },
    baseline_diff={
        "worse": ["002_y@2"],
        "better": ["003_z"],
        "new": ["007_w"],
        "error": ["004_e", "005_n"],
        "skip": ["006_s"],
        "missing": ["008_m"],
    },
    drift=(
        DriftRecord(cell="002_y@2", kind="verdict", severity="block", sentence="pass → fail"),
        DriftRecord(cell="002_y@2", kind="final_answer", severity="info", sentence="«si» → «no»", step=4),
        DriftRecord(cell="002_y@2", kind="trajectory", severity="warn", sentence="`fs_read` is gone", step=2),
        DriftRecord(cell="002_y@2", kind="cost", severity="info", sentence="$0.000010 → $0.000020"),
        DriftRecord(cell="001_x", kind="latency", severity="info", sentence="1.0 s → 2.0 s"),
    ),
    unrecorded=Unrecorded(
        cells=("005_n",), runs=4, prompt_tokens=900, completion_tokens=70, is_priced=True, cost_micro_usd=1234
    ),
)
"""One of each: worse, better, new, broken, not recorded, skipped, missing; drift and an estimate."""
