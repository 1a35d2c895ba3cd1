"""What is told of one pair of steps."""

from __future__ import annotations

from typing import Any

from kit.baseline.align import Pair
from kit.baseline.pair_drift import gone_or_new, told_of_pair
from kit.baseline.skeleton import skeleton_of

ANSWER = {"kind": "answer", "text": "bye"}


def sentences(old: dict[str, Any], new: dict[str, Any], *further: dict[str, Any]) -> list[tuple[str, str]]:
    one, other = skeleton_of({"steps": [old]}), skeleton_of({"steps": [new, *further]})
    return [(told.kind, told.sentence) for told in told_of_pair(one, other, Pair(0, 0))]


def test_a_step_without_a_counterpart_is_no_pair() -> None:
    """It is told as a step that is new or gone."""
    one, other = skeleton_of({"steps": []}), skeleton_of({"steps": [ANSWER]})
    assert list(told_of_pair(one, other, Pair(None, 0))) == []
    assert [told.sentence for told in gone_or_new(one, other, [Pair(None, 0)])] == [
        "step 1 is new: the agent answers «bye»"
    ]
    assert [told.sentence for told in gone_or_new(other, one, [Pair(0, None)])] == [
        "step 1 is gone: the agent answers «bye»"
    ]


def test_an_answer_to_an_earlier_turn_says_which() -> None:
    """Only the last one is «the answer»."""
    assert sentences({"kind": "answer", "text": "hi"}, {"kind": "answer", "text": "ho"}, ANSWER) == [
        ("final_answer", "step 1: the answer to this turn: «‹hi›» → «‹ho›»")
    ]


def test_another_turn_of_the_user_is_a_prompt() -> None:
    """The scenario was changed."""
    assert sentences({"kind": "user", "text": "read a"}, {"kind": "user", "text": "read b"}) == [
        ("prompt", "step 1: the user says «read ‹a›» → «read ‹b›»")
    ]


def test_arguments_that_are_no_json_are_compared_as_text() -> None:
    """Small models write such calls."""
    old = {"kind": "model_call", "calls": [{"name": "f", "raw": "{bad"}]}
    new = {"kind": "model_call", "calls": [{"name": "f", "arguments": {"a": 1}}]}
    assert sentences(old, new) == [
        ("tool_arguments", 'step 1: the model asks for f with «{‹bad›» → «{‹"a": 1}›»')
    ]
    assert sentences(old, {**old, "calls": [{"name": "f", "raw": "{bad"}]}) == []


def test_two_failures_of_one_step_are_told() -> None:
    """It fails as before, but in another way."""
    old = {"kind": "tool_call", "name": "f", "failure": "OSError: a"}
    assert sentences(old, {**old, "failure": "OSError: b"}) == [
        ("trajectory", "step 1 fails: «OSError: ‹a›» → «OSError: ‹b›»")
    ]


def test_a_result_that_differs_out_of_sight_is_told() -> None:
    """Its digest knows."""
    old = {"kind": "tool_call", "name": "f", "result": "x", "result_digest": "1"}
    assert sentences(old, {**old, "result_digest": "2"}) == [
        ("trajectory", "step 1, result of f: it differs further on")
    ]
