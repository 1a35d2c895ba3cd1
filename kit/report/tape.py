"""What became of a wrapped program, for the person who ran it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from kit.report.conversation import render
from kit.report.figures import plural, usd

if TYPE_CHECKING:
    from kit.workflow.tape_result import TapeResult


def render_tape(result: TapeResult, *, mode: Literal["record", "replay"]) -> str:
    """The conversation, then calls, cost and live requests, then where it is kept."""
    lines = ["", f"--- {result.name}, {'recorded' if mode == 'record' else 'replayed'}", ""]
    if result.items:
        lines += [render(result.items), ""]
    calls = f"{plural(result.model_calls, 'model call')}, {plural(result.tool_calls, 'tool call')}"
    lines.append(
        f"{calls} | cost {usd(result.cost_micro_usd)} | {plural(result.live_requests, 'live request')}"
    )
    if result.path is not None:
        lines.append(_kept(result, mode))
    lines += [f"notice: {notice}" for notice in result.notices]
    if result.returncode and not result.errors:
        lines.append(f"the program itself exited {result.returncode}")
    return "\n".join(lines)


def _kept(result: TapeResult, mode: Literal["record", "replay"]) -> str:
    if mode == "replay":
        return f"cassette {result.path}"
    if result.is_partial:
        return f"kept as {result.path}; an earlier recording stays as it was"
    change = "" if result.is_changed else " (the same answers as before)"
    return f"cassette {result.path}{change}"
