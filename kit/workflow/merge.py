"""The shards of a run, put together: the same reports and the same decision as without shards."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from kit.cassette.paths import file_name
from kit.errors import UsageError
from kit.harness.plan import Cell
from kit.harness.results_file import ResultsFile, merged, read_results
from kit.oracle.result import OracleResult
from kit.scenario.load import LoadedSuite, load_suites
from kit.scenario.select import Selected
from kit.workflow.gating import gate_exit_code
from kit.workflow.project import Project
from kit.workflow.ref import baselines_at
from kit.workflow.reports import Measured, write_reports
from kit.workflow.scenarios import RunOutcome


def merge(project: Project, paths: Sequence[Path], *, strict: bool = False) -> RunOutcome:
    """Make the reports of a whole run from the results of its shards.

    Args:
        project: the same state of it as the shards ran in: its baselines and thresholds decide.
        paths: files of results, or the report folders that hold them, one of each shard.
        strict: a warning of the gate stops like a block.

    Raises:
        UsageError: a file is no results, or cells are missing, doubled or of another run.
    """
    files = [read_results(path) for path in paths]
    if not files:
        raise UsageError("there are no results to merge", next_command="kit merge .kit/reports/*")
    results = merged(files)
    plan = files[0].plan
    suites = load_suites(project.root)
    cells = _cells(suites, results)
    folder = project.scratch("reports")
    for file in files:
        _copy_traces(file, folder)
    measured = Measured(
        mode=plan.mode,
        commit=plan.commit,
        folder=folder,
        against=plan.against,
        baseline_root=None if plan.against is None else baselines_at(project, plan.against),
    )
    reports = write_reports(project, suites, list(zip(cells, results, strict=True)), measured)
    warnings = tuple(problem for suite in suites for problem in suite.warnings)
    exit_code = gate_exit_code(reports, strict=strict)
    where = folder.relative_to(project.root)
    return RunOutcome(reports, where, (), warnings, exit_code, project.root)


def _cells(suites: Iterable[LoadedSuite], results: Iterable[OracleResult]) -> list[Cell]:
    known = {
        (loaded.suite.name, scenario.id): Selected(loaded.suite, scenario, loaded.path_of(scenario))
        for loaded in suites
        for scenario in loaded.scenarios
    }
    cells = []
    for result in results:
        selected = known.get((result.suite, result.scenario_id))
        if selected is None:
            raise UsageError(
                f"these results are of another project: it has no {result.suite}/{result.scenario_id}"
            )
        cells.append(Cell(selected, result.model, result.replicate, result.variant))
    return cells


def _copy_traces(file: ResultsFile, folder: Path) -> None:
    for result in file.results.values():
        below = Path(file_name(result.suite), file_name(result.model), result.trace_path)
        source = file.path.parent / below
        if result.trace_path.name and source.is_file():
            target = folder / below
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
