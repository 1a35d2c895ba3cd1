"""From the results of a whole plan to one report a suite and model, on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kit.baseline.accepted import CellId
from kit.baseline.store import load as load_baseline
from kit.cassette.paths import file_name
from kit.gate.thresholds import parse_policy
from kit.harness.eval_report import EvalReport
from kit.harness.plan import Cell
from kit.oracle.result import OracleResult
from kit.scenario.load import LoadedSuite
from kit.trace.trace import Mode
from kit.workflow.gating import LetThrough, Ran, gated_report
from kit.workflow.missing import unrecorded
from kit.workflow.project import Project
from kit.workflow.traces import records, trace_changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was run, and what it is compared with.

    Attributes:
        mode: replay or live.
        commit: of the project when it was run.
        folder: where traces lie and reports go, below a folder for suite and model each.
        against: the git ref whose baselines count, for the report; None is the working tree.
        baseline_root: whose `baselines/` count; None is the project itself.
        let_through: asked of each report that blocks.
        stale: why a recording is stale, by key of its cell; the gate warns of it.
    """

    mode: Mode
    commit: str | None
    folder: Path
    against: str | None = None
    baseline_root: Path | None = None
    let_through: LetThrough | None = None
    stale: Mapping[str, str] = field(default_factory=dict)


def write_reports(
    project: Project,
    suites: Iterable[LoadedSuite],
    results: Sequence[tuple[Cell, OracleResult]],
    measured: Measured,
) -> tuple[EvalReport, ...]:
    """Compare results with what was accepted, ask the gate, and write `report.json` of each suite and model.

    Args:
        project: whose results.
        suites: all of the project.
        results: of each cell, in the order of the plan.
        measured: what was run.
    """
    sizes = {loaded.suite.name: len(loaded.scenarios) for loaded in suites}
    groups: dict[tuple[str, str], list[tuple[Cell, OracleResult]]] = {}
    for cell, result in results:
        groups.setdefault((result.suite, result.model), []).append((cell, result))
    policy = parse_policy(project.settings.gate)
    root = measured.baseline_root or project.root
    reports = []
    for (suite, model), members in groups.items():
        own = tuple(result for _, result in members)
        folder = measured.folder / file_name(suite) / file_name(model)
        accepted = load_baseline(root, suite, model)
        ran = Ran(
            suite=suite,
            model=model,
            mode=measured.mode,
            commit=measured.commit,
            results=own,
            is_complete=len({result.scenario_id for result in own}) == sizes[suite],
            against=measured.against,
            stale=tuple(
                (CellId.of(result), measured.stale[cell.key])
                for cell, result in members
                if cell.key in measured.stale
            ),
            drift=records(trace_changes(project.settings, root, accepted, own, folder)),
        )
        report = gated_report(ran, accepted, policy, let_through=measured.let_through)
        if measured.mode == "replay" and (missing := unrecorded(project, (suite, model), groups)) is not None:
            report = report.model_copy(update={"unrecorded": missing})
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
        reports.append(report)
    return tuple(reports)
