"""What became of a wrapped program."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import EXIT_INTERRUPTED
from kit.recording.options import SessionResult
from kit.recording.wrapper.kernel import KernelGuard
from kit.recording.wrapper.parent import WrappedResult
from kit.workflow.project import open_project
from kit.workflow.tape_result import kernel_notice, model_of, result_of, trace_of
from tests.fakes.cassettes import tool_run


@pytest.mark.parametrize("is_interrupted", [True, False])
def test_a_run_is_summed_up(tmp_path: Path, is_interrupted: bool) -> None:
    """Calls by lane, the path from the root, and Ctrl-C before any other code."""
    project = open_project(start=tmp_path)
    interactions = tool_run().interactions
    session = SessionResult(interactions=interactions, live_requests=2, notices=("by the way",))
    done = WrappedResult(0, session, ended=True, interrupted=is_interrupted, unproven=None)
    path = tmp_path / "cassettes" / "tapes" / "x.yaml.partial"
    result = result_of(project, "x", done, ("why",), path, exit_code=3, notices=("first",))
    assert result.path == Path("cassettes/tapes/x.yaml.partial")
    assert result.is_partial
    assert result.model_calls == sum(one.lane == "model" for one in interactions)
    assert result.tool_calls == sum(one.lane == "tool" for one in interactions)
    assert result.notices == ("first", "by the way")
    assert result.exit_code == (EXIT_INTERRUPTED if is_interrupted else 3)
    assert trace_of(project, "x", done).model == (model_of(session) or "")


def test_the_kernel_may_be_the_reason() -> None:
    """Where a guarded run went wrong it says what the kernel's refusals look like, and how to declare."""
    held = KernelGuard(("writes", "network"))

    def said(code: int, kernel: KernelGuard | None, *errors: str, stopped: tuple[str, ...] = ()) -> str:
        session = SessionResult(side_effects=stopped)
        done = WrappedResult(code, session, ended=True, interrupted=False, unproven=None, kernel=kernel)
        return "".join(kernel_notice(done, errors))

    for text in (said(1, held), said(0, held, "a miss")):
        assert "the kernel guarded writes and network" in text
        assert "«Permission denied»" in text
        assert "«Connection refused»" in text
        assert "add write:PATH or connect:HOST:PORT to allow" in text
    assert "Connection" not in said(1, KernelGuard(("writes",)))
    for nothing in (said(0, held), said(1, None), said(1, KernelGuard()), said(3, held, stopped=("mail",))):
        assert nothing == ""
