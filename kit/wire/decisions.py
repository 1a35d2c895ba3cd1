"""Models that decide: questions about a text, answered by a choice, a score or a probability each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireCall, WireMessage
from kit.wire.openai_message import read_error
from kit.wire.responses_items import messages_of
from kit.wire.shape import (
    as_object,
    compact,
    objects,
    read_count,
    request_object,
    text_or_none,
    without,
)

_PATHS = ("/decisions", "/systemone")
_ANSWERS = ("choice", "score", "probability", "noul", "value")
"""Where an answer says what was decided; the first that is there tells it."""


class Decisions:
    """The dialect of OpenAI's `POST …/decisions` and of typesafe's `POST …/systemone`."""

    name = "decisions"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By the path, and by questions where there is a body."""
        is_known = method.upper() == "POST" and path.rstrip("/").endswith(_PATHS)
        return is_known and (not body or b'"questions"' in body)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is to be decided on; the questions are parameters."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        return ModelRequest(
            model=text_or_none(value.get("model")),
            messages=_messages(value.get("input", value.get("state"))),
            parameters=without(value, "model", "input", "state"),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was decided, a line for each question."""
        return read_answer(
            body, content_type or "json", streamed=streamed, of_json=_read, of_stream=lambda _: ModelAnswer()
        )


DECISIONS = Decisions()


def _messages(given: Any) -> tuple[WireMessage, ...]:
    """What the questions are about; a state is a text, or an object of which three fields are said."""
    if isinstance(given, list):
        return messages_of(objects(given))
    state = as_object(given)
    turns = objects(state.get("history"))
    before = state.get("previous_prompts")
    asked = [*(before if isinstance(before, list) else ()), state.get("prompt")]
    prompts = [text for one in asked if (text := text_or_none(one)) is not None]
    rest = without(state, "history", "previous_prompts", "prompt") if turns or prompts else given
    return (
        *(WireMessage("user", compact(rest) or None) for _ in range(bool(rest))),
        *(message for turn in turns for message in _turn(turn)),
        *(WireMessage("user", text) for text in prompts),
    )


def _turn(turn: Mapping[str, Any]) -> Iterable[WireMessage]:
    """An entry of a history: what was said under the role that said it, a tool's call or what it gave."""
    for role, said in turn.items():
        one = as_object(said)
        name = text_or_none(one.get("name")) or ""
        if role == "tool_call":
            given = as_object(one.get("args"))
            yield WireMessage("assistant", calls=(WireCall(None, name, given, compact(given)),))
        elif role == "tool_return":
            content = one.get("content")
            yield WireMessage(
                "tool", None if content is None else compact(content) or None, name=name or None
            )
        else:
            yield WireMessage(role, compact(said) or None)


def _read(value: Any) -> ModelAnswer:
    answer = as_object(value)
    error = read_error(value, answers=("answers",))
    if error is not None or "answers" not in answer:
        return ModelAnswer(error=error or "answer has no answers")
    decided = list(_decided(answer["answers"]))
    refused = [name for name, one in decided if one.get("type") == "refusal"]
    told = [f"{name}: {compact(made)}" for name, one in decided if (made := _made(one)) is not None]
    return ModelAnswer(
        model=text_or_none(answer.get("model")),
        text="\n".join(told) or None,
        prompt_tokens=read_count(answer.get("usage"), "input_tokens"),
        completion_tokens=read_count(answer.get("usage"), "output_tokens"),
        refusal=", ".join(refused) or None,
    )


def _decided(answers: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The answers with the names of their questions: a list, or an object by name."""
    if isinstance(answers, dict):
        return [(name, as_object(one)) for name, one in answers.items()]
    return [(text_or_none(one.get("name")) or "", one) for one in objects(answers)]


def _made(one: Mapping[str, Any]) -> Any:
    return next((one[name] for name in _ANSWERS if one.get(name) is not None), None)
