"""Values of kit in few words, for tests that are not about how the values come to be."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.harness.eval_report import EvalReport
from kit.harness.metrics import summarise
from kit.harness.plan import Cell
from kit.oracle.result import OracleResult
from kit.recording.options import SessionResult
from kit.run.runner import RunResult
from kit.scenario.schema import Scenario
from kit.scenario.select import Selected
from kit.scenario.suite import Suite
from kit.trace.conversation import Item
from kit.trace.trace import ExecutionTrace, Step
from kit.workflow.tape_result import TapeResult

MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
JSON = (("content-type", "application/json"),)


def scenario(identifier: str = "001_x", *, setup: dict[str, Any] | None = None, **expected: Any) -> Scenario:
    """A scenario of one turn that expects success and what is named."""
    return Scenario.model_validate(
        {
            "id": identifier,
            "category": "happy_path",
            "description": "d",
            "setup": {"autonomy": "manual", "available_tools": ["t"], **(setup or {})},
            "conversation": [{"user": "hello"}],
            "expected": {"outcome": "success", **expected},
        }
    )


def selected(identifier: str = "001_x", suite: str = "home", path: Path | None = None) -> Selected:
    """A scenario as a command selects it."""
    named = Suite(name=suite, description="d", categories=("happy_path",))
    return Selected(named, scenario(identifier), path or Path(f"scenarios/{suite}/{identifier}.yaml"))


def cell(identifier: str = "001_x", model: str = "m:1b", **fields: Any) -> Cell:
    """One run to do."""
    return Cell(selected(identifier), model, **fields)


def result(verdict: str = "pass", identifier: str = "001_x", **fields: Any) -> OracleResult:
    """A result of the home suite on `m:1b` that cost 10 micro-USD and took 2000 ms."""
    known: dict[str, Any] = {
        "scenario_id": identifier,
        "passed": verdict == "pass",
        "trace_path": Path(f"traces/{identifier}.jsonl"),
        "verdict": verdict,
        "suite": "home",
        "category": "happy_path",
        "model": "m:1b",
        "outcome": "success",
        "cost_micro_usd": 10,
        "latency_ms": 2000,
        "model_calls": 2,
        "tool_calls": 1,
    }
    return OracleResult.model_validate({**known, **fields})


def report(*results: OracleResult, **fields: Any) -> EvalReport:
    """The report of these results."""
    known: dict[str, Any] = {
        "suite": "home",
        "model": "m:1b",
        "commit": None,
        "timestamp": MOMENT,
        "mode": "replay",
        "scenarios": results,
        "summary": summarise(results),
    }
    return EvalReport.model_validate({**known, **fields})


def chat(
    number: int = 1,
    asked: str = "ciao",
    answered: str = "salve",
    *,
    history: tuple[dict[str, Any], ...] = (),
    started_ms: int = 0,
    ended_ms: int = 10,
    **message: Any,
) -> Interaction:
    """A chat completion of model `m:1b`: `asked` after `history`, answered with `answered`."""
    question = {"model": "m:1b", "messages": [*history, {"role": "user", "content": asked}]}
    said = {"role": "assistant", "content": answered or None, **message}
    answer = {
        "model": "m:1b",
        "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }
    url = "http://model.test/v1/chat/completions"
    request = HttpRequest("POST", url, JSON, json.dumps(question).encode())
    return Interaction(
        number, "model", request, HttpResponse(200, JSON, json.dumps(answer).encode()), started_ms, ended_ms
    )


def tool_call(number: int, name: str, response: ToolResponse, **arguments: Any) -> Interaction:
    """A tool that ran for 5 ms."""
    return Interaction(number, "tool", ToolRequest(name, arguments), response, 10, 15)


FIVE_CALLS = (
    chat(1),
    *(
        tool_call(number, name, ToolResponse("done"))
        for number, name in enumerate(("read", "write", "read"), 2)
    ),
    chat(5),
)
"""A recording that can be left, or go wrong, at several places."""


def header(**fields: Any) -> Header:
    """The header of a run of 001_x on `m:1b`."""
    known: dict[str, Any] = {
        "suite": "home",
        "scenario": "001_x",
        "model": "m:1b",
        "start": "2026-01-02T03:04:05Z",
        "recorded": "2026-01-02T03:04:06Z",
    }
    return Header(**{**known, **fields})


def trace(*steps: Step, **fields: Any) -> ExecutionTrace:
    """A successful replay that answered `salve`, cost 10 micro-USD and took 2000 ms."""
    known: dict[str, Any] = {
        "scenario_id": "001_x",
        "model": "m:1b",
        "mode": "replay",
        "steps": steps,
        "outcome": "success",
        "final_response": "salve",
        "cost_micro_usd": 10,
        "latency_ms": 2000,
    }
    return ExecutionTrace(**{**known, **fields})


def run(*interactions: Interaction, **fields: Any) -> RunResult:
    """A run that crossed its boundary with these interactions."""
    known: dict[str, Any] = {"trace": trace(), "session": SessionResult(interactions)}
    return RunResult(**{**known, **fields})


def tape(**fields: Any) -> TapeResult:
    """A recorded tape of one answered question."""
    known: dict[str, Any] = {
        "name": "agent",
        "path": Path("cassettes/tapes/agent.yaml"),
        "is_partial": False,
        "is_changed": True,
        "items": (Item(1, "message", "user", "ciao"), Item(1, "answer", "assistant", "salve", "10 ms")),
        "cost_micro_usd": 1500,
        "model_calls": 1,
        "tool_calls": 0,
        "live_requests": 1,
        "errors": (),
        "notices": (),
        "returncode": 0,
        "exit_code": 0,
    }
    return TapeResult(**{**known, **fields})
