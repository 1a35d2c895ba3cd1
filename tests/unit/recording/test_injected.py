"""Tickets of calls that never take place; what a run makes of them is tested with faults."""

from __future__ import annotations

from pathlib import Path

from kit.cassette.interaction import HttpResponse, ToolResponse
from kit.recording.faults import Fault
from kit.recording.injected import InjectedHttp, InjectedTool
from kit.recording.session import start
from tests.fakes.runs import recording

REFUSED = HttpResponse(429)


def test_they_carry_what_the_agent_gets_and_end_without_a_trace_in_the_recording(tmp_path: Path) -> None:
    """A stub serves them like a recorded answer; ending, failing or closing them records nothing."""
    faults = (
        Fault(on="model", what="busy", answer=REFUSED, delay_ms=30),
        Fault(on="tool", what="broken", raises="OSError: x"),
    )
    with start(recording(tmp_path, faults=faults)) as session:
        http = session.begin_http("POST", "http://h/v1/chat/completions", (), b"{}")
        tool = session.begin_tool("f", {"a": 1}, executed=True)
        assert isinstance(http, InjectedHttp)
        assert isinstance(tool, InjectedTool)
        assert http.recorded == REFUSED
        assert tool.recorded == ToolResponse(None, "OSError: x", executed=True)
        http.end("Cancelled")
        tool.fail(OSError("x"))
        assert (http.number, tool.number, session.started()) == (1, 2, 2)
    assert session.result.interactions == ()
    assert [(one.interaction.started_ms, one.interaction.ended_ms) for one in session.result.faults] == [
        (0, 30),
        (30, 30),
    ]
