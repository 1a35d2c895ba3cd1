"""The text of a miss: the product's face (decision 5). Plain, at most 25 lines, no colours."""

from __future__ import annotations

from kit.cassette.differences import Difference
from kit.cassette.explain import MissReport
from kit.cassette.outline import Change

_SHOWN = 4

_WHY: dict[Change, str] = {
    "system prompt": "a model that reads another prompt may answer otherwise; this answer proves nothing",
    "tool schema": "the model chose its calls by the tools it was shown, and these are others",
    "conversation": "the recorded answer belongs to another conversation",
    "tool result": "a tool gave something else than at the recording; how the model takes that is unknown",
    "tool arguments": "the recorded result answers another call of this tool",
    "parameters": "with other parameters the model may give another answer",
    "extra call": "the recording holds no answer for it",
}


def render(report: MissReport, scenario: str, next_command: str, where: str = "") -> str:
    """The explanation as a person reads it.

    Args:
        report: what `explain` found out.
        scenario: scenario id or name of the tape.
        next_command: what to type next.
        where: the line of the program that asked, and whom; empty where nobody knows.
    """
    lines = [f"MISS  {scenario}, step {report.step}: {_headline(report)}", ""]
    lines.append(_row("asked", f"{report.call}{f'  {report.model}' if report.model else ''}"))
    if report.asked:
        lines.append(_row("", report.asked))
    if where:
        lines.append(_row("where", where))
    lines.append(_row("nearest", _nearest(report)))
    if report.change == "extra call" and report.upcoming:
        lines.append(_row("expected", report.upcoming))
    lines.append(_row("changed", _changed(report)))
    if report.differences:
        lines.append("")
        for difference in report.differences[:_SHOWN]:
            lines.extend(_difference(difference))
        more = len(report.differences) - _SHOWN
        if more > 0:
            lines.append(f"    … and {more} more place{'s' if more > 1 else ''}")
    lines += ["", _row("why", _why(report)), _row("next", next_command)]
    return "\n".join(lines)


def _row(label: str, text: str) -> str:
    return f"  {label:<10}{text}".rstrip()


def _headline(report: MissReport) -> str:
    what = "this tool call" if report.lane == "tool" else "this request"
    if report.times:
        return f"{what} was recorded {_times(report.times)} and is asked once more"
    return f"{what} was never recorded"


def _nearest(report: MissReport) -> str:
    if report.nearest is None:
        kind = "call of a tool" if report.lane == "tool" else "HTTP request"
        return f"none: the cassette holds no {kind}" if report.recorded else "none: the cassette is empty"
    state = "already played" if report.is_nearest_played else "not played yet"
    return f"recorded call {report.nearest} of {report.recorded}, {state}"


def _changed(report: MissReport) -> str:
    first, *others = report.changes
    return f"{first}  (also: {', '.join(others)})" if others else first


def _difference(difference: Difference) -> list[str]:
    return [
        f"    {difference.path}",
        f"      recorded  {difference.old}",
        f"      now       {difference.new}",
    ]


def _why(report: MissReport) -> str:
    if report.times:
        return "each recorded answer is played once, never again for a repeated request"
    return _WHY[report.change]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
