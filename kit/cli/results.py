"""How results reach the terminal, the same for every command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kit.cli import output
from kit.cli.artefacts import is_on_github, rendered, repository_prefix, silenced, tell_github, write_report
from kit.cli.options import Form
from kit.errors import EXIT_INTERRUPTED, UsageError

if TYPE_CHECKING:
    from kit.workflow.project import Project
    from kit.workflow.scenarios import RunOutcome
    from kit.workflow.tape_result import TapeResult


def print_outcome(
    outcome: RunOutcome, *, as_json: bool, form: Form = Form.TERMINAL, report: Path | None = None
) -> int:
    """Print one report per suite and model, and write what was asked for; returns the exit code.

    On GitHub Actions annotations and the summary of the step come by themselves.

    Args:
        outcome: of a run.
        as_json: `--json`, the short way to say `--format json`.
        form: what to print.
        report: a folder that gets the report as files.

    Raises:
        UsageError: two forms were asked for.
        EnvironmentFault: the report cannot be written.
    """
    if as_json and form is not Form.TERMINAL:
        raise UsageError(
            f"--json and --format {form} exclude each other",
            next_command=f"--format {form}, with --report DIR beside it where both are needed",
        )
    form = Form.JSON if as_json else form
    for note in outcome.notes:
        (output.line if form is Form.TERMINAL else output.problem)(note)
    if form is Form.TERMINAL:
        _print_reports(outcome)
    elif text := rendered(outcome.reports, form, repository_prefix(outcome.root)):
        output.line(text)
    if outcome.exit_code == EXIT_INTERRUPTED and form is not Form.TERMINAL:
        for told in outcome.kept:  # the limit that ended it, and what is left, beside what a program reads
            output.problem(told)
    if report is not None:
        write_report(outcome, report)
        if form is Form.TERMINAL:
            output.line(f"report.md, report.json, junit.xml: {report}")
    if is_on_github():
        tell_github(outcome, form)
    return outcome.exit_code


def _print_reports(outcome: RunOutcome) -> None:
    from kit.report.terminal import render

    for problem in outcome.warnings:
        output.line(f"warning: {problem}")
    for report in outcome.reports:
        output.line(silenced(render(report, colour=output.is_terminal())), is_styled=True)
        output.line()
    for line in outcome.kept:
        output.line(line)
    if outcome.folder is not None:
        output.line(f"traces and report.json: {outcome.folder}")


def print_tape(result: TapeResult, *, mode: Literal["record", "replay"], as_json: bool) -> None:
    """Print what became of a wrapped program: conversation, cost, live requests, every reason to doubt it."""
    if as_json:
        from kit.report.as_json import render_tape

        output.line(render_tape(result))
        _tell_ending(result)
        return
    from kit.report.tape import render_tape as render

    output.line(render(result, mode=mode))
    for error in result.errors:
        output.problem(f"kit: {error}")
    _tell_ending(result)


def _tell_ending(result: TapeResult) -> None:
    if result.exit_code == EXIT_INTERRUPTED:
        output.tell_interrupted()


def tell_left(project: Project) -> None:
    """Say, before another recording is made, that an earlier one was never saved, and how to get it back."""
    from kit.workflow.recovering import left_behind

    for line in left_behind(project):
        output.problem(line if line.startswith(" ") else f"kit: {line}")


def refuse_tape(tape: str | None) -> None:
    """Scenarios have cassettes of their own; `--tape` names that of a program.

    Raises:
        UsageError: it was given without a program.
    """
    if tape is not None:
        raise UsageError(
            "--tape names the cassette of a program, and no program stands behind `--`",
            next_command=f"kit record --tape {tape} -- python my_agent.py",
        )


def refuse_against(ref: str | None) -> None:
    """A program behind `--` has no baseline of its own.

    Raises:
        UsageError: a ref was given with a program.
    """
    if ref is not None:
        raise UsageError(
            "--against compares scenarios with their baselines, and a program behind `--` has none",
            next_command=f"kit replay --against {ref}",
        )


def refuse_forms(form: Form, report: Path | None) -> None:
    """What becomes of a program behind `--` is told as a conversation, or as JSON.

    Raises:
        UsageError: another form, or a report, was asked for.
    """
    if form is not Form.TERMINAL or report is not None:
        raise UsageError(
            "--format and --report are for scenarios, and a program behind `--` is none",
            next_command="kit replay --json -- python my_agent.py",
        )


def refuse_parts(verb: str, workers: int, shard: str | None = None, changed: str | None = None) -> None:
    """A program behind `--` is one run.

    Args:
        verb: the command that takes it.
        workers: as they were given.
        shard: as it was given.
        changed: as it was given.

    Raises:
        UsageError: it was to be divided.
    """
    if workers != 1 or shard is not None or changed is not None:
        raise UsageError(
            "--workers, --shard and --changed divide scenarios, and a program behind `--` is one run",
            next_command=f"kit {verb} -- python my_agent.py",
        )


def refuse_selection(scenarios: list[str] | None, only: list[str] | None) -> None:
    """A program behind `--` and a selection of scenarios exclude each other.

    Raises:
        UsageError: both were given.
    """
    if scenarios or only:
        raise UsageError(
            "scenarios and a program behind `--` exclude each other",
            next_command="kit record -- python my_agent.py, or kit record SCENARIO",
        )
