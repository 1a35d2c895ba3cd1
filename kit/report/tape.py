"""What became of a wrapped program, for the person who ran it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from kit.report.conversation import render
from kit.report.figures import plural, usd

if TYPE_CHECKING:
    from kit.recording.wrapper.kernel import KernelGuard
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
    if result.kernel is not None:
        lines.append(_guards(result.kernel))
    lines += [f"notice: {notice}" for notice in result.notices]
    if result.returncode and not result.errors:
        lines.append(f"the program itself exited {result.returncode}")
    return "\n".join(lines)


def _guards(kernel: KernelGuard) -> str:
    """Which guards a replay had, and why not the others: one line."""
    reasons: dict[str, list[str]] = {}
    for part, why in kernel.lacks.items():
        reasons.setdefault(why, []).append(part)
    lacks = "; ".join(f"no kernel guard for {' and '.join(parts)}: {why}" for why, parts in reasons.items())
    if not kernel.holds:
        return f"guards: the audit hook alone; {lacks}"
    return f"guards: the audit hook, and the kernel for {' and '.join(kernel.holds)}{lacks and f'; {lacks}'}"


def _kept(result: TapeResult, mode: Literal["record", "replay"]) -> str:
    if mode == "replay":
        return f"cassette {result.path}"
    if result.is_partial:
        return f"kept as {result.path}; an earlier recording stays as it was"
    change = "" if result.is_changed else " (the same answers as before)"
    return f"cassette {result.path}{change}"
