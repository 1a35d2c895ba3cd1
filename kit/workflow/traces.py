"""Traces that a run left, beside the accepted ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from kit.baseline.accepted import Accepted, CellId
from kit.baseline.severity import parse_severities
from kit.baseline.skeleton import Facts, facts_of
from kit.baseline.trace_change import TraceChange, trace_change
from kit.config.settings import Settings
from kit.harness.eval_report import DriftRecord
from kit.oracle.result import OracleResult
from kit.trace.export import read_json_lines


def trace_changes(
    settings: Settings,
    baseline_root: Path,
    accepted: Mapping[CellId, Accepted],
    results: Iterable[OracleResult],
    folder: Path,
) -> dict[CellId, TraceChange]:
    """What each judged run changed in the accepted traces; errors and skips say nothing about the agent.

    Args:
        settings: of the project.
        baseline_root: whose `baselines/` count.
        accepted: what was accepted of the suite and model.
        results: of the runs of one suite and model.
        folder: of their report, where the traces lie.

    Raises:
        ConfigError: `[tool.kit.drift]` is wrong.
        BaselineError: an accepted trace cannot be read.
    """
    severities = parse_severities(settings.drift)
    found = {}
    for result in results:
        facts = read_facts(folder, result)
        if facts is not None and result.verdict in {"pass", "fail"}:
            cell = CellId.of(result)
            found[cell] = trace_change(baseline_root, accepted.get(cell), result, facts, severities)
    return found


def read_facts(folder: Path, result: OracleResult) -> Facts | None:
    """The skeleton of a run from its trace file; None where the run left no trace."""
    path = folder / result.trace_path
    if not path.is_file():
        return None
    return facts_of(read_json_lines(path.read_text(encoding="utf-8")))


def records(changes: Mapping[CellId, TraceChange]) -> tuple[DriftRecord, ...]:
    """The drift of all cells as a report keeps it."""
    return tuple(
        DriftRecord(
            cell=str(cell),
            kind=one.kind,
            severity=one.severity,
            sentence=one.sentence,
            step=one.step,
        )
        for cell, change in changes.items()
        for one in change.drift
    )
