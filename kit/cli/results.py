"""How results reach the terminal, the same for every command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from kit.cli import output
from kit.errors import UsageError

if TYPE_CHECKING:
    from kit.workflow.scenarios import RunOutcome
    from kit.workflow.tape import TapeResult


def print_outcome(outcome: RunOutcome, *, as_json: bool) -> int:
    """Print one report per suite and model; returns the exit code."""
    if as_json:
        from kit.report.as_json import render_reports

        output.line(render_reports(outcome.reports))
        return outcome.exit_code
    from kit.report.terminal import render

    for problem in outcome.warnings:
        output.line(f"warning: {problem}")
    for report in outcome.reports:
        output.line(render(report, colour=output.is_terminal()), is_styled=True)
        output.line()
    for line in outcome.kept:
        output.line(line)
    if outcome.folder is not None:
        output.line(f"traces and report.json: {outcome.folder}")
    return outcome.exit_code


def print_tape(result: TapeResult, *, mode: Literal["record", "replay"], as_json: bool) -> None:
    """Print what became of a wrapped program: conversation, cost, live requests, every reason to doubt it."""
    if as_json:
        from kit.report.as_json import render_tape

        output.line(render_tape(result))
        return
    from kit.report.tape import render_tape as render

    output.line(render(result, mode=mode))
    for error in result.errors:
        output.problem(f"kit: {error}")


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
