"""What became of a wrapped program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.cassette.paths import PARTIAL_SUFFIX
from kit.errors import EXIT_INTERRUPTED
from kit.harness.recorded import shown
from kit.recording.options import SessionResult
from kit.recording.wrapper.kernel import KernelGuard
from kit.recording.wrapper.parent import WrappedResult
from kit.trace.build import build_trace
from kit.trace.conversation import Item, conversation
from kit.trace.model_call import model_calls
from kit.trace.plain_http import unknown_traffic
from kit.trace.prices import price_table
from kit.trace.run_facts import RunFacts
from kit.trace.trace import ExecutionTrace
from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class TapeResult:
    """What became of a wrapped program.

    Attributes:
        name: of the tape.
        path: from the project's root, the cassette or the partial one beside it; None where nothing was kept.
        is_partial: the run did not end well, so the earlier recording stays as it was.
        is_changed: the cassette differs from the earlier one outside header and volatile; None in replay.
        items: the conversation.
        cost_micro_usd: what the recorded calls cost; None where a price is unknown.
        model_calls: recorded or played.
        tool_calls: recorded or played.
        live_requests: requests that left the program for real.
        errors: why this run proves nothing or differs.
        notices: what a person should know.
        returncode: the program's; `exit_code` is kit's.
        kernel: what the kernel guarded beside the audit hook; None in record.
    """

    name: str
    path: Path | None
    is_partial: bool
    is_changed: bool | None
    items: tuple[Item, ...]
    cost_micro_usd: int | None
    model_calls: int
    tool_calls: int
    live_requests: int
    errors: tuple[str, ...]
    notices: tuple[str, ...]
    returncode: int
    exit_code: int
    kernel: KernelGuard | None = None


def result_of(
    project: Project,
    tape: str,
    done: WrappedResult,
    errors: tuple[str, ...],
    path: Path | None,
    *,
    exit_code: int,
    is_changed: bool | None = None,
    notices: tuple[str, ...] = (),
) -> TapeResult:
    """Everything about a run that is over, for whoever prints it."""
    interactions = done.session.interactions
    return TapeResult(
        name=tape,
        path=None if path is None else Path(shown(path, project.root)),
        is_partial=path is not None and path.suffix == PARTIAL_SUFFIX,
        is_changed=is_changed,
        items=conversation(interactions),
        cost_micro_usd=trace_of(project, tape, done).cost_micro_usd,
        model_calls=sum(one.lane == "model" for one in interactions),
        tool_calls=sum(one.lane == "tool" for one in interactions),
        live_requests=done.session.live_requests,
        errors=errors,
        notices=(*notices, *done.session.notices, *filter(None, [unknown_traffic(interactions)])),
        returncode=done.returncode,
        exit_code=EXIT_INTERRUPTED if done.interrupted else exit_code,
        kernel=done.kernel,
    )


def kernel_notice(done: WrappedResult, errors: tuple[str, ...]) -> tuple[str, ...]:
    """What the kernel stops names no line, so a run that went wrong says that this may be the reason."""
    holds = done.kernel.holds if done.kernel else ()
    # What the hook stopped names its line: that is the reason.
    if not holds or not (errors or done.returncode) or done.session.side_effects:
        return ()
    signs = {
        "writes": "«Permission denied»",
        "network": "«Network is unreachable», «Connection refused» or nobody at the program's own server",
    }
    seen = ", ".join(signs[part] for part in holds)
    declared = "add write:PATH or connect:HOST:PORT to allow in [tool.kit.replay], pyproject.toml"
    what = f"the kernel guarded {' and '.join(holds)}: {seen} may be its doing"
    return (
        f"{what}\n  next: if it is harmless, {declared}, or set kernel_guard there (docs/side-effects.md)",
    )


def trace_of(project: Project, tape: str, done: WrappedResult) -> ExecutionTrace:
    """The trace of a wrapped run, for its cost and its model's faults."""
    session = done.session
    facts = RunFacts(
        scenario_id=tape,
        model=model_of(session) or "",
        mode="live",
        interactions=session.interactions,
        outcome="success",
        ended_ms=session.ended_ms,
    )
    return build_trace(facts, price_table(project.settings.price_table()), project.settings.aliases)


def model_of(session: SessionResult) -> str | None:
    """The model that answered; of several, the first."""
    return next((call.model() for call in model_calls(session.interactions)), None)
