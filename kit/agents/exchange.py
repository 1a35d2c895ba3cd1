"""A model's answer with tool calls, as it is read and as it is sent back in the history."""

from __future__ import annotations

import json
from typing import Any

from kit.agents.arguments import ArgumentsError, read_arguments
from kit.agents.chat import AskedCall, ModelAnswer

Given = dict[str, Any] | ArgumentsError
"""The arguments of one call, or why nobody can read them."""


def arguments_of(call: AskedCall, answer: ModelAnswer) -> Given:
    """The arguments of a call as an object; what cannot be read comes back as the error that says so."""
    try:
        return read_arguments(call.raw, is_cut=answer.is_cut)
    except ArgumentsError as problem:
        return problem


def as_history(answer: ModelAnswer, arguments: list[Given]) -> dict[str, Any]:
    """The model's message as it is sent back.

    Arguments that do not parse are sent back as an empty object: llama-server answers 500 to broken ones in
    the history, and the tool's result says what was wrong with them.
    """
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps(given if isinstance(given, dict) else {}, ensure_ascii=False),
            },
        }
        for call, given in zip(answer.calls, arguments, strict=True)
    ]
    return {"role": "assistant", "content": answer.text, "tool_calls": calls}


class Repeats:
    """Tells how often in a row a model asks for the same call, so that an agent can stop it."""

    def __init__(self) -> None:
        self._last: tuple[str, str] | None = None
        self._count = 0

    def count(self, call: AskedCall, given: Given) -> int:
        """How many calls just before this one were the same; 0 for a new one.

        The order of arguments does not count; arguments that nobody can read are compared as they stand.
        """
        made = call.name, json.dumps(given, sort_keys=True) if isinstance(given, dict) else call.raw
        self._count = self._count + 1 if made == self._last else 0
        self._last = made
        return self._count
