"""One run's facts, become its trace."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.trace.build import build_trace, sum_usage
from kit.trace.prices import price_table
from kit.trace.run_facts import RunFacts, Said
from kit.trace.trace import ExecutionTrace, Usage

URL = "http://localhost:11434/v1/chat/completions"
COUNTED = {"prompt_tokens": 1000, "completion_tokens": 100}


def call(number: int, model: str | None = "stub", usage: Any = None, status: int = 200) -> Interaction:
    """A model call of 100 ms."""
    body = {
        "model": model,
        "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
        "usage": usage,
    }
    request = HttpRequest("POST", URL, (), b'{"model":"asked"}')
    response = HttpResponse(status, (), json.dumps(body).encode() if status == 200 else b"")
    return Interaction(number, "model", request, response, number * 100, number * 100 + 100)


def trace(*interactions: Interaction, model: str = "stub", **fields: Any) -> ExecutionTrace:
    """The trace of a run, gpt-4o and its alias priced."""
    facts = RunFacts(
        scenario_id="001_x",
        model=model,
        mode="replay",
        interactions=interactions,
        outcome="success",
        **fields,
    )
    return build_trace(facts, price_table({"gpt-4o": (2_500_000, 10_000_000)}), {"gpt-4o": ["omni"]})


def test_what_was_given_is_in_the_trace() -> None:
    """Facts of the run are handed through unchanged."""
    found = trace(failure="ValueError: x", files={"/a": "1"}, files_before={"/b": None}, memory={"k": "v"})
    assert (found.scenario_id, found.model, found.mode, found.outcome) == (
        "001_x",
        "stub",
        "replay",
        "success",
    )
    assert (found.failure, found.files, found.files_before, found.memory) == (
        "ValueError: x",
        {"/a": "1"},
        {"/b": None},
        {"k": "v"},
    )


def test_tokens_and_cost_are_sums() -> None:
    """Two counted calls of a priced model."""
    found = trace(call(1, "gpt-4o-2024-08-06", COUNTED), call(2, "gpt-4o", COUNTED), model="gpt-4o")
    assert found.usage == Usage(2000, 200)
    assert found.cost_micro_usd == 7000


def test_a_call_that_did_not_count_makes_the_sums_unknown() -> None:
    """None is never 0 (X-05)."""
    found = trace(call(1, "gpt-4o", COUNTED), call(2, "gpt-4o"), model="gpt-4o")
    assert found.usage == Usage(None, None)
    assert found.cost_micro_usd is None


def test_an_unpriced_model_makes_the_cost_unknown() -> None:
    """Tokens are known, money is not."""
    found = trace(call(1, "mystery", COUNTED))
    assert found.usage == Usage(1000, 100)
    assert found.cost_micro_usd is None


def test_a_local_model_costs_nothing_though_it_did_not_count() -> None:
    """The stub is priced at 0 explicitly."""
    assert trace(call(1)).cost_micro_usd == 0


def test_a_refused_call_costs_nothing() -> None:
    """A retry after a 500 does not make the run's cost unknown."""
    found = trace(call(1, status=500), call(2, "gpt-4o", COUNTED), model="gpt-4o")
    assert found.usage == Usage(1000, 100)
    assert found.cost_micro_usd == 3500


def test_a_renamed_answer_has_the_price_of_the_model_asked() -> None:
    """A declared alias is the same model, so it costs the same; an undeclared one does not."""
    assert trace(call(1, "omni", COUNTED), model="gpt-4o").cost_micro_usd == 3500
    assert trace(call(1, "other", COUNTED), model="gpt-4o").cost_micro_usd is None


def test_an_answer_that_names_nobody_has_the_price_of_the_request() -> None:
    """The request says who was asked."""
    assert trace(call(1, None, COUNTED), model="gpt-4o").cost_micro_usd is None


@pytest.mark.parametrize(
    ("turns", "replies", "final"),
    [
        (["a"], ["x"], "x"),
        (["a", "b"], ["x", "y"], "y"),
        (["a", "b"], ["x"], None),
        (["a"], [""], None),
        (["a"], [" \n"], None),
        (["a"], [], None),
        ([], [], None),
        ([], ["x"], "x"),
    ],
)
def test_the_final_response_answers_the_last_turn(
    turns: list[str], replies: list[str], final: str | None
) -> None:
    """An earlier reply is no answer to a later turn, and an empty one is none at all."""
    found = trace(turns=[Said(text) for text in turns], replies=[Said(text) for text in replies])
    assert found.final_response == final
    assert found.replies == tuple(replies)


def test_latency_is_the_virtual_clock_at_the_end() -> None:
    """As told, else the end of the last step, and 0 for a run that did nothing."""
    assert trace(call(1), ended_ms=950).latency_ms == 950
    assert trace(call(1)).latency_ms == 200
    assert trace().latency_ms == 0


def test_no_call_is_no_token() -> None:
    """A run without a model call used 0 tokens, which is known."""
    assert sum_usage([]) == Usage(0, 0)
    assert sum_usage([Usage(1, None), Usage(2, 3)]) == Usage(3, None)
