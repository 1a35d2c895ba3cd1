"""Results as files, and as what a CI server reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kit.cli import output
from kit.cli.options import Form
from kit.errors import EnvironmentFault

if TYPE_CHECKING:
    from kit.harness.eval_report import EvalReport
    from kit.workflow.scenarios import RunOutcome


def rendered(reports: Sequence[EvalReport], form: Form, prefix: str = "") -> str:
    """All reports in one form for a program or a page; the terminal's own is made by `print_outcome`.

    Args:
        reports: of one command.
        form: any but `terminal`.
        prefix: as for `report.github.annotate`.
    """
    if form is Form.MARKDOWN:
        from kit.report.markdown import render

        return "\n".join(map(render, reports)).rstrip("\n")
    if form is Form.JUNIT:
        from kit.report.junit import render as render_junit

        return render_junit(reports).rstrip("\n")
    if form is Form.GITHUB:
        from kit.report.github import annotate

        return annotate(reports, prefix)
    from kit.report.as_json import render_reports

    return render_reports(reports)


def write_report(outcome: RunOutcome, folder: Path) -> None:
    """Put what a run gave in a folder: three files of the whole, and below it what each suite and model left.

    Files of an earlier report are replaced, everything else stays.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    import shutil

    from kit.cassette.paths import file_name

    try:
        folder.mkdir(parents=True, exist_ok=True)
        parts = []
        for report in outcome.reports:
            own = Path(file_name(report.suite), file_name(report.model))
            if outcome.folder is not None:
                source = outcome.root / outcome.folder / own
                ignored = shutil.ignore_patterns("journals")
                shutil.copytree(source, folder / own, ignore=ignored, dirs_exist_ok=True)
            (folder / own).mkdir(parents=True, exist_ok=True)
            _write(folder / own / "report.md", rendered([report], Form.MARKDOWN))
            parts.append(_below(own.as_posix(), report))
        _write(folder / "report.md", rendered(parts, Form.MARKDOWN))
        _write(folder / "report.json", rendered(outcome.reports, Form.JSON))
        _write(folder / "junit.xml", rendered(outcome.reports, Form.JUNIT))
    except OSError as error:
        raise EnvironmentFault(
            f"the report cannot be written: {error.strerror}", where=str(error.filename or folder)
        ) from error


def is_on_github() -> bool:
    """Whether a runner of GitHub Actions reads what is printed."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def silenced(text: str) -> str:
    """A text of which no runner obeys a line; as it is where none reads it."""
    if not is_on_github():
        return text
    from kit import clock
    from kit.report.github import silenced as shielded

    return shielded(text, clock.fresh_id())


def tell_github(outcome: RunOutcome, form: Form) -> None:
    """Annotate what moved a gate, and add the reports to the summary of the step.

    Args:
        outcome: of a run.
        form: what was printed. Annotations would spoil all but the terminal's, so they go to stderr then,
            which the runner reads too; `github` has them already.
    """
    from kit.report.github import annotate, summary

    lines = annotate(outcome.reports, repository_prefix(outcome.root))
    if lines and form is not Form.GITHUB:
        (output.line if form is Form.TERMINAL else output.problem)(lines)
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if not target or not outcome.reports:
        return
    try:
        with Path(target).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(summary(outcome.reports) + "\n")
    except OSError as error:
        output.problem(f"kit: the step's summary cannot be written: {error.strerror}")


def repository_prefix(root: Path) -> str:
    """The project's path in the repository that a runner checked out, with a slash; empty for its root."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace or not root.is_relative_to(workspace) or root == Path(workspace):
        return ""
    return f"{root.relative_to(workspace).as_posix()}/"


def _below(folder: str, report: EvalReport) -> EvalReport:
    """The report as it reads from a folder above its own: links to traces lead down."""
    moved = tuple(
        result.model_copy(update={"trace_path": Path(folder) / result.trace_path})
        if result.trace_path.name
        else result
        for result in report.scenarios
    )
    return report.model_copy(update={"scenarios": moved})


def _write(path: Path, text: str) -> None:
    path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
