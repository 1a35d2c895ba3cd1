"""Whose fault it is that a live run ended badly: the server's or the agent's."""

from __future__ import annotations

import json

import pytest

from kit.run.model_fault import model_fault
from kit.trace.trace import Step
from kit.wire.converse_message import read_converse
from kit.wire.gemini import GEMINI


def _calls(*failures: str | None) -> list[Step]:
    return [
        Step(index, "model_call", failure=failure, interaction=index + 1)
        for index, failure in enumerate(failures)
    ]


@pytest.mark.parametrize(
    "failure", ["http 500: boom", "http 429", "http 401", "ConnectError: refused", "stream ended early"]
)
def test_a_server_that_fails_the_last_call_fails_the_run(failure: str) -> None:
    """The text says which call, how, and what became of the agent."""
    text = model_fault(_calls(None, failure), "ValueError: x (agent.py:3)")
    assert text is not None
    assert f"interaction 2 ended with {failure}; the agent then ended with ValueError: x (agent.py:3)" in text


@pytest.mark.parametrize(
    "failure",
    [
        *("http 400: no such tool", "http 422", "Abandoned: closed", "TimeLimit"),
        "http 500: unusable output of the model: it does not match the format",
    ],
)
def test_what_the_agent_brought_on_itself_is_its_own(failure: str) -> None:
    """A request that is wrong, a call that was given up, a model that the server cannot read."""
    assert model_fault(_calls(failure), "ValueError") is None


def test_a_model_that_spoilt_its_call_is_no_fault_of_the_server() -> None:
    """As Gemini and Bedrock say it: they answered, and the recording of it is kept."""
    candidate = {"content": {"parts": []}, "finishReason": "MALFORMED_FUNCTION_CALL"}
    gemini = GEMINI.read_response(json.dumps({"candidates": [candidate]}).encode(), "application/json")
    converse = read_converse({"output": {"message": {"content": []}}, "stopReason": "malformed_tool_use"})
    for answer in (gemini, converse):
        assert answer.error is not None
        assert model_fault(_calls(answer.error), "ValueError") is None


def test_an_agent_that_copes_is_no_fault_of_the_server() -> None:
    """A retry that went well, and an answer after a call that failed."""
    assert model_fault(_calls("http 500", None), "ValueError") is None
    assert model_fault(_calls(None, "http 500"), None) is None
    assert model_fault([], "ValueError") is None


def test_an_answer_without_any_answer_of_the_model_proves_nothing() -> None:
    """The agent says something, but no call went well."""
    text = model_fault(_calls("http 503", "http 503"), None)
    assert text is not None
    assert "the agent then" not in text
