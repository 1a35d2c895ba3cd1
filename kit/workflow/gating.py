"""From results to the report of one suite and model, the gate's decision in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kit import clock
from kit.baseline.accepted import Accepted, CellId
from kit.baseline.compare import Change, compare_all
from kit.errors import EXIT_BLOCKED
from kit.gate.decide import DriftFact, Facts, decide
from kit.gate.measures import Measures, compared
from kit.gate.reason import Level
from kit.gate.regressions import Blocked
from kit.gate.thresholds import Policy
from kit.harness.eval_report import DriftRecord, EvalReport
from kit.harness.exit_code import worst
from kit.harness.metrics import summarise
from kit.oracle.result import OracleResult
from kit.trace.trace import Mode

_OWN_RULE = frozenset({"verdict", "cost", "latency"})
_OWN_RULE = frozenset({"verdict", "cost", "latency"})
LetThrough = Callable[[EvalReport], bool]
"""Asked of every report that blocks: whether a stated reason passes it (S2-37)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What running one suite on one model gave.

    Attributes:
        suite: name of the suite.
        model: tag of the model.
        mode: replay or live.
        commit: of the project.
        results: one a cell, in the order of the plan.
        is_complete: every scenario of the suite ran.
        against: the git ref whose baselines count; None is the working tree.
        drift: what differs inside the traces.
        stale: recordings that no longer speak of what lies in the project, and why.
    """

    suite: str
    model: str
    mode: Mode
    commit: str | None
    results: tuple[OracleResult, ...]
    is_complete: bool
    against: str | None = None
    drift: tuple[DriftRecord, ...] = ()
    stale: tuple[tuple[CellId, str], ...] = ()


def gated_report(
    ran: Ran,
    accepted: Mapping[CellId, Accepted],
    policy: Policy,
    *,
    let_through: LetThrough | None = None,
) -> EvalReport:
    """Compare with what was accepted, ask the gate, and say all of it.

    Args:
        ran: what ran.
        accepted: what was accepted of this suite and model; empty where nothing was.
        policy: `[tool.kit.gate]`.
        let_through: asked where the gate blocks; the gate still says so (S2-37).
    """
    changes = compare_all(accepted, ran.results, complete=ran.is_complete)
    decision = decide(Facts(changes, _facts(ran), ran.stale), policy.of(ran.model))
    report = EvalReport(
        suite=ran.suite,
        model=ran.model,
        commit=ran.commit,
        timestamp=clock.now(),
        mode=ran.mode,
        scenarios=ran.results,
        summary=summarise(ran.results),
        baseline_summary=_summary(compared(changes)[0]) if accepted else None,
        baseline_diff=_diff(changes) if accepted else None,
        against=ran.against,
        drift=ran.drift,
        gate=decision.gate,
        gate_reasons=tuple(reason.what for reason in decision.reasons),
        gate_details=decision.reasons,
    )
    if report.gate == "block" and let_through is not None and let_through(report):
        return report.model_copy(update={"overridden": True})
    return report


def gate_exit_code(reports: Iterable[EvalReport], *, strict: bool = False) -> int:
    """What results and gates come to (decision 14).

    An override passes what the gate would block, never what a result's own error stands for.

    Args:
        reports: of one run.
        strict: a warning counts as a block.
    """
    codes: list[int] = []
    for report in reports:
        codes += [result.exit_code for result in report.scenarios]
        only_errors = all(result.verdict == "error" for result in report.scenarios)
        stops = report.gate == "block" and not only_errors and not report.overridden
        if stops or (strict and report.gate == "warn"):
            codes.append(EXIT_BLOCKED)
    return worst(codes)


def _facts(ran: Ran) -> tuple[DriftFact, ...]:
    """Drift that the gate has no rule of its own for, one fact a cell and severity: the rest is above it."""
    cells = {str(cell): cell for cell in map(CellId.of, ran.results)}
    groups: dict[tuple[str, Level], list[DriftRecord]] = {}
    for one in ran.drift:
        if one.kind not in _OWN_RULE and one.severity != "info" and one.cell in cells:
            groups.setdefault((one.cell, one.severity), []).append(one)
    return tuple(
        DriftFact(severity, f"{name} is not as it was accepted: {_what(found)}", cells[name])
        for (name, severity), found in groups.items()
    )


def _what(found: list[DriftRecord]) -> str:
    if len(found) == 1:
        return found[0].sentence
    kinds = dict.fromkeys(one.kind.replace("_", " ") for one in found)
    return f"{len(found)} differences ({', '.join(kinds)})"


def blocked(reports: Iterable[EvalReport]) -> Blocked:
    """What a stated reason has to answer for; an error is not in it, since no reason passes one."""
    found: dict[str, tuple[str, ...]] = {}
    for report in reports:
        stops = [one for one in report.gate_details if one.level == "block" and one.rule != "error"]
        if stops:
            fallen = [one for one in report.gate_details if one.rule == "regression"]
            names = dict.fromkeys(one.subject for one in (*stops, *fallen))
            found[f"{report.suite} on {report.model}"] = tuple(names)
    return found


def _diff(changes: tuple[Change, ...]) -> dict[str, list[str]]:
    """Cells by what became of them, the unchanged ones left out."""
    kinds = sorted({change.kind for change in changes} - {"same"})
    return {kind: [str(change.cell) for change in changes if change.kind == kind] for kind in kinds}


def _summary(base: Measures) -> dict[str, Any]:
    """What was accepted, in the form of `EvalReport.summary`."""
    success = base.success
    known = 0 if base.avg_cost_micro_usd is None else success.total
    return {
        "success_rate": {"passed": success.passed, "of": success.total},
        "avg_cost": {"micro_usd": base.avg_cost_micro_usd, "known": known, "of": success.total},
        "p95_latency": {"ms": base.p95_latency_ms, "of": success.total},
    }
