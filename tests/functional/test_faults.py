"""Faults of a scenario and changed prompts through the real command line, live and in replay."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.model_server import ModelServer
from tests.fakes.tiny_project import MODEL, TinyProject

RETRYING = """
import time

def agent(turn):
    messages = [{"role": "user", "content": turn.message}]
    for attempt in range(3):
        try:
            return ask(turn.endpoint, messages)
        except (httpx.HTTPError, ValueError, KeyError):
            time.sleep(20 * 2 ** attempt)
    return "No answer about Paris: the model is away."
"""
FAULTS: dict[str, dict[str, Any]] = {
    "status": {"status": 503, "headers": {"Retry-After": "2"}},
    "close": {"close": True},
    "timeout": {"timeout": True},
    "cut": {"cut": 25},
}


def faulty(project: TinyProject, nth: int | str, outcome: str, **fault: Any) -> None:
    """The usual scenario, in which the model fails."""
    project.agent(RETRYING)
    setup = {
        "autonomy": "supervised",
        "available_tools": [],
        "faults": [{"on": "model", "nth": nth, **fault}],
    }
    expected = {"outcome": outcome, "final_response": {"contains_any": ["Paris"]}}
    project.scenario(setup=setup, expected=expected, category="error_handling")


def told(report: str) -> dict[str, Any]:
    """What a report says of its one scenario, but for where it was run."""
    ((one,),) = ([*each["scenarios"]] for each in json.loads(report))
    return {name: value for name, value in one.items() if name != "trace_path"}


def completions(model: ModelServer) -> int:
    """How often the model itself was asked."""
    return sum(path.endswith("/chat/completions") for path, _ in model.requests)


@pytest.mark.parametrize("kind", FAULTS)
def test_the_verdict_is_the_same_live_and_in_replay(
    served: TinyProject, model: ModelServer, kind: str
) -> None:
    """The retry is what is recorded; the report of the replay is that of the live run, to the last figure."""
    faulty(served, 1, "error_handled", **FAULTS[kind])
    recorded = served.kit("record", "--json")
    assert recorded.code == 0, recorded.said
    asked = completions(model)
    assert asked == (2 if kind == "cut" else 1)
    replayed = served.kit("replay", "--json")
    assert replayed.code == 0, replayed.said
    assert completions(model) == asked
    live, again = told(recorded.out), told(replayed.out)
    assert live == again
    assert (again["verdict"], again["outcome"]) == ("pass", "error_handled")
    assert again["latency_ms"] >= 20_000
    assert again["model_calls"] == asked
    cassette = served.cassette(model=MODEL).read_text("utf-8")
    assert not re.search(r"\b503\b", cassette)
    assert "RemoteProtocolError" not in cassette


def test_the_fault_can_be_seen_in_the_trace(served: TinyProject) -> None:
    """Who reads a trace sees what was injected, and that it was."""
    faulty(served, 1, "error_handled", status=503)
    assert served.kit("record").code == 0
    (trace,) = (served.root / ".kit/reports").rglob("traces/001_france.jsonl")
    steps = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    assert [step["kind"] for step in steps] == ["user", "model_call", "sleep", "model_call", "answer"]
    assert steps[1]["fault"] == "status 503 on model call 1"
    assert steps[1]["injected"] is True
    assert steps[1]["failure"].startswith("http 503")
    assert "fault" not in steps[3]


def test_a_model_that_is_away_for_good(served: TinyProject, model: ModelServer) -> None:
    """A run without any real answer has a cassette too, and it replays."""
    faulty(served, "every", "error_handled", status=500)
    assert served.kit("record").code == 0
    assert served.cassette(model=MODEL).exists()
    assert completions(model) == 0
    replayed = served.kit("replay")
    assert replayed.code == 0, replayed.said
    assert "0 model, 0 tool" in replayed.out


def test_a_fault_that_never_happens_is_told(served: TinyProject) -> None:
    """A scenario about a fault that nothing met is no proof of anything."""
    faulty(served, 5, "success", close=True)
    recorded = served.kit("record")
    assert recorded.code == 0, recorded.said
    assert "i the fault `close on model call 5` never happened: there was no such call" in recorded.out


def test_a_condition_that_no_longer_holds_is_conditional_too(tiny: TinyProject) -> None:
    """A changed prompt and a changed agent: what the old answers show is told, and is no verdict."""
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.write(
        "tiny_agent.py",
        (tiny.root / "tiny_agent.py")
        .read_text("utf-8")
        .replace("one short sentence", "one brief sentence")
        .replace("return ask(turn.endpoint, messages)", "ask(turn.endpoint, messages)\n    return 'Lyon.'"),
    )
    replayed = tiny.kit("replay", "--json")
    assert replayed.code == 3
    one = told(replayed.out)
    assert (one["verdict"], one["failures"], one["findings"]) == ("error", [], [])
    (divergence,) = one["conditional"]["divergences"]
    assert divergence["changes"] == ["system prompt"]
    assert [found["ok"] for found in one["conditional"]["findings"]] == [True, False]
    shown = tiny.kit("replay").out
    assert "? conditional, on the old answers: 1 of 2 conditions does not hold" in shown
    assert "x final_response" in shown or "does not contain 'Paris'" in shown


def test_a_run_with_a_changed_prompt_never_becomes_a_cassette_or_a_baseline(tiny: TinyProject) -> None:
    """Replay writes nothing, and what is conditional cannot be accepted."""
    assert tiny.kit("record", "--model", "stub").code == 0
    before = tiny.cassettes()
    tiny.changed_agent("one short sentence", "one brief sentence")
    assert tiny.kit("replay").code == 3
    assert tiny.kit("accept", "--reason", "fine").code == 3
    assert tiny.cassettes() == before
    assert not list(Path(tiny.root, "baselines").rglob("*.yaml"))
