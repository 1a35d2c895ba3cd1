"""What was never recorded: told once, with its price and what to type."""

from __future__ import annotations

from collections.abc import Iterator

from kit.harness.eval_report import EvalReport
from kit.report.figures import plural, usd


def unrecorded_lines(report: EvalReport) -> Iterator[str]:
    """Which scenarios, what recording them would take, and the command; nothing where all are recorded."""
    missing = report.unrecorded
    if missing is None:
        return
    cells = plural(len(missing.cells), "run")
    yield f"not recorded: {cells} of {report.suite} on {report.model}"
    yield f"  {', '.join(missing.cells)}"
    yield f"  recording takes {_tokens(report)}: {_cost(report)}"
    yield f"  next: {record_command(report)}"


def record_command(report: EvalReport) -> str:
    """What records all that is missing in a report."""
    return f"kit record {report.suite} --missing --model {report.model}"


def _tokens(report: EvalReport) -> str:
    missing = report.unrecorded
    if missing is None or missing.prompt_tokens is None or missing.completion_tokens is None:
        return "tokens that no recorded run tells of"
    source = plural(missing.runs, "recorded run") + ("" if missing.on_model else " on other models")
    each = f"({missing.prompt_tokens:,} in + {missing.completion_tokens:,} out) tokens"
    return f"about {len(missing.cells)} × {each}, the mean of {source}"


def _cost(report: EvalReport) -> str:
    missing = report.unrecorded
    if missing is None or not missing.is_priced:
        return f'price unknown ([tool.kit.prices] has none for "{report.model}")'
    if missing.cost_micro_usd is None:
        return "cost unknown"
    if missing.cost_micro_usd == 0:
        return "free of charge, judges not counted"
    return f"about {usd(missing.cost_micro_usd)}, judges not counted"
