"""Proof of interception: what speaks against a run, and how it is said."""

from __future__ import annotations

import functools
import json
from typing import Any

from kit.cassette.divergence import Divergence
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.errors import EXIT_CASSETTE, EXIT_ENVIRONMENT, EXIT_OK
from kit.recording.faults import FaultMet
from kit.recording.options import SessionResult
from kit.run.proof import prove
from kit.trace.trace import Step


def _model(number: int, asked: str = "m1") -> Interaction:
    body = json.dumps({"model": asked, "messages": []}).encode()
    request = HttpRequest(
        "POST", "http://h/v1/chat/completions", (("content-type", "application/json"),), body
    )
    return Interaction(number, "model", request, HttpResponse(200), 0, 1)


def _tool(number: int) -> Interaction:
    return Interaction(number, "tool", ToolRequest("look"), ToolResponse("x"), 0, 1)


def _step(number: int, answered: str | None) -> Step:
    return Step(number, "model_call", name=answered, interaction=number)


def _result(*interactions: Interaction, **found: Any) -> SessionResult:
    return SessionResult(interactions=interactions, **found)


def test_a_run_that_was_seen_whole_has_nothing_against_it() -> None:
    """One model call, the model that was asked, nothing left."""
    proof = prove(_result(_model(1), notices=("n",)), [_step(1, "m1-2024-08-06")], "record", None)
    assert (proof.errors, proof.notices, proof.exit_code) == ((), ("n",), EXIT_OK)


def test_plain_http_is_named_in_a_notice() -> None:
    """What no dialect reads is no error: a person should know that it is there (decision 7)."""
    request = HttpRequest("GET", "http://h/doc.pdf?key=1", (), b"")
    fetched = Interaction(2, "other", request, HttpResponse(200), 0, 1)
    proof = prove(_result(_model(1), fetched), [_step(1, "m1")], "replay", None)
    assert proof.errors == ()
    assert proof.notices == ("1 request is plain HTTP, which no dialect reads: GET http://h/doc.pdf",)


def test_everything_that_escaped_or_missed_is_listed() -> None:
    """All at once, the session's own words."""
    session = _result(_model(1), misses=("miss",), side_effects=("effect",), escapes=("escape",))
    proof = prove(session, [], "replay", None)
    assert proof.errors == ("miss", "effect", "escape")
    assert proof.exit_code == EXIT_CASSETTE


def test_leftovers_are_named_up_to_five() -> None:
    """What was never played, by number and kind."""
    left = (_model(2), _tool(3), *(_model(number) for number in range(4, 8)))
    (error,) = prove(_result(_model(1), leftovers=left), [], "replay", None).errors
    assert error.startswith(
        "6 recorded interactions were never played: 2 (POST http://h/v1/chat/completions), "
    )
    assert "3 (tool look)" in error
    assert " and 1 more;" in error


def test_leftovers_after_a_miss_are_its_consequence() -> None:
    """The miss is the error; what it prevented is not told beside it."""
    proof = prove(_result(_model(1), leftovers=(_tool(2),), misses=("miss",)), [], "replay", None)
    assert proof.errors == ("miss",)
    assert proof.notices == ()


def test_a_fork_that_missed_is_told_by_its_miss() -> None:
    """It runs live, but what it was to play and asked otherwise is why nothing more came."""
    proof = prove(_result(leftovers=(_model(1),), misses=("miss",)), [], "record", None)
    assert proof.errors == ("miss",)


def test_no_model_call_is_an_error_but_for_an_agent_that_failed_in_replay() -> None:
    """In record it stays an error, so that no cassette is replaced by an empty one."""
    assert "no model call was captured" in prove(_result(_tool(1)), [], "replay", None).errors[0]
    assert "failed before it made one: boom" in prove(_result(), [], "record", "boom").errors[0]
    assert prove(_result(), [], "replay", "boom").errors == ()


def test_another_model_is_said_once_for_each_pair() -> None:
    """In record every answer is compared with its own request."""
    session = _result(_model(1), _model(2), _model(3, "m2"), _model(4, "m2"))
    steps = [_step(1, "m2"), _step(2, "m2"), _step(3, "m2"), _step(4, "m3")]
    proof = prove(session, steps, "record", None)
    assert len(proof.errors) == 2
    assert "`m2` answered interaction 1, asked was `m1`" in proof.errors[0]
    assert "`m3` answered interaction 4, asked was `m2`" in proof.errors[1]
    assert proof.exit_code == EXIT_ENVIRONMENT
    assert prove(session, steps, "record", None, {"m1": ("m2",), "m2": ("m3",)}).errors == ()


def test_in_replay_one_request_is_read_for_each_name_that_answered() -> None:
    """Building every request of a long conversation would be quadratic."""
    built: list[int] = []

    def body(number: int) -> bytes:
        built.append(number)
        return b'{"model": "m1", "messages": []}'

    interactions = [
        Interaction(
            number,
            "model",
            HttpRequest("POST", "http://h/v1/chat/completions", (), functools.partial(body, number)),
            HttpResponse(200),
            0,
            1,
        )
        for number in (1, 2, 3)
    ]
    proof = prove(_result(*interactions), [_step(number, "m9") for number in (1, 2, 3)], "replay", None)
    assert len(proof.errors) == 1
    assert built == [1]


def test_what_names_no_model_is_not_compared() -> None:
    """A failed call, an unknown dialect and a call that is not of this session say nothing."""
    other = Interaction(2, "model", HttpRequest("GET", "http://h/x", (), b""), HttpResponse(200), 0, 1)
    steps = [_step(1, None), _step(2, "m9"), _step(7, "m9"), Step(3, "tool_call", name="m9", interaction=1)]
    assert prove(_result(_model(1), other), steps, "record", None).errors == ()
    tool_step = Step(4, "model_call", name="m9", interaction=5)
    assert prove(_result(_model(1), _tool(5)), [tool_step], "record", None).errors == ()


def test_a_changed_prompt_is_an_error_behind_what_was_left() -> None:
    """Decision 6: the run went on, and proves nothing until it is recorded; leftovers are told beside it."""
    session = _result(
        _model(1), _model(2), divergences=(Divergence(1, ("system prompt",), ()),), leftovers=(_model(3),)
    )
    proof = prove(session, [], "replay", None)
    left, changed = proof.errors
    assert "never played" in left
    assert changed.startswith("needs recording: 1 of 2 requests differs from what was recorded")
    assert proof.exit_code == EXIT_CASSETTE


def test_an_injected_fault_proves_that_kit_stood_in_the_way() -> None:
    """A model that is away for the whole run was never asked; a tool's fault says nothing of the model."""
    away = FaultMet(_model(1), "status 500 on every model call", is_real=False)
    assert prove(_result(faults=(away,)), [], "replay", None).errors == ()
    (error,) = prove(_result(faults=(FaultMet(_tool(1), "raise", is_real=False),)), [], "replay", None).errors
    assert "no model call was captured" in error


def test_an_injected_fault_is_none_of_the_servers() -> None:
    """Only a call that was really made can show that the server is broken."""
    step = Step(0, "model_call", failure="http 500", interaction=1, fault="status 500", is_injected=True)
    away = FaultMet(_model(1), "status 500", is_real=False)
    assert prove(_result(faults=(away,)), [step], "record", "HTTPStatusError: 500").errors == ()
