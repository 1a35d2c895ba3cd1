"""A trace as text."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.trace.export import read_json_lines, step_object, step_objects, to_json_lines
from kit.trace.trace import Asked, ExecutionTrace, RequestedCall, Step, Usage


def trace(*steps: Step) -> ExecutionTrace:
    """A trace of these steps."""
    return ExecutionTrace("001_x", "stub", "replay", steps, "success", None)


CALL = Step(
    1, "model_call", 0, 500, name="stub", usage=Usage(10, None), finish_reason="tool_calls", interaction=1,
    requested=(RequestedCall("c1", "f", {"a": 1}, '{"a":1}'), RequestedCall(None, "g", None, "{bad")),
)  # fmt: skip


def test_one_line_a_step_with_what_it_has() -> None:
    """Fields that a step does not have are left out, the others stand in a fixed order."""
    lines = to_json_lines(trace(Step(0, "user", text="hé"), CALL)).splitlines()
    assert lines[0] == '{"index":0,"kind":"user","started_ms":0,"ended_ms":0,"text":"hé"}'
    assert json.loads(lines[1]) == {
        "index": 1,
        "kind": "model_call",
        "started_ms": 0,
        "ended_ms": 500,
        "interaction": 1,
        "name": "stub",
        "requested": [
            {"id": "c1", "name": "f", "arguments": {"a": 1}},
            {"id": None, "name": "g", "arguments": None, "raw": "{bad"},
        ],
        "finish_reason": "tool_calls",
        "usage": {"prompt_tokens": 10, "completion_tokens": None},
    }


def test_no_steps_are_no_lines() -> None:
    """An empty run is an empty file."""
    assert to_json_lines(trace()) == ""


@given(
    st.text(alphabet=st.characters(), max_size=30),
    st.floats() | st.text(alphabet=st.characters(), max_size=5),
)
def test_any_text_is_one_line_of_valid_utf8(text: str, result: Any) -> None:
    """Surrogates, line separators and NaN do not break the file, and what is JSON comes back as it was."""
    lines = to_json_lines(trace(Step(0, "tool_call", text=text, result=[{"r": result}])))
    assert lines.encode("utf-8").count(b"\n") == 1
    assert len(lines.splitlines()) == 1
    value = json.loads(lines, parse_constant=pytest.fail)
    assert value.get("text", "") == text
    if isinstance(result, str) or math.isfinite(result):
        assert value["result"] == [{"r": result}]


def test_an_infinite_result_is_its_name() -> None:
    """JSON has no infinity, and dropping it silently would be a lie."""
    assert step_object(Step(0, "tool_call", result=0))["result"] == 0
    assert '"result":["inf",1.5]' in to_json_lines(trace(Step(0, "tool_call", result=[float("inf"), 1.5])))


def test_what_was_asked_stands_where_it_changes() -> None:
    """A prompt is written once, not at every call; a trace file reads back as its objects."""
    one, other = Asked((("system", "be kind"),), ({"name": "t"},), {"seed": 1}), Asked()
    steps = [Step(number, "model_call", asked=asked) for number, asked in enumerate([one, one, other, None])]
    objects = list(step_objects(trace(*steps)))
    assert [item.get("asked") for item in objects] == [
        {
            "prompt": [{"role": "system", "text": "be kind"}],
            "tools": [{"name": "t"}],
            "parameters": {"seed": 1},
        },
        None,
        {"prompt": [], "tools": [], "parameters": {}},
        None,
    ]
    assert list(read_json_lines(to_json_lines(trace(*steps)))) == objects
