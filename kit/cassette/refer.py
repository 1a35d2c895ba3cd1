"""What a request repeats of earlier answers and tool results, so that it can point at it instead."""

from __future__ import annotations

from typing import Any

from kit.cassette import body
from kit.cassette.answers import messages_of
from kit.cassette.keyorder import Order, order_of, orderless, reorder
from kit.cassette.marks import AnswerRef, ResultRef

_REFERABLE = 40
"""Shorter results are read faster than looked up."""

_RESULT_STYLES = ("indent2", "ascii", "spaced ascii", "spaced", "")
"""The simplest last: it wins where several give the same text."""


class References:
    """The answers and results so far; and the order of keys in which the agent sends answers back."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[AnswerRef, Any]] = {}
        self._results: dict[str, ResultRef] = {}
        self._order: Order = []

    def add_result(self, number: int, result: Any) -> None:
        """Let requests point at a tool's result: at the text it is, or as JSON text in a usual style."""
        if isinstance(result, str):
            if len(result) >= _REFERABLE:
                self._results[result] = ResultRef(number)
        elif isinstance(result, (dict, list)):
            for style in _RESULT_STYLES:
                text = body.encode(result, style)
                if len(text) >= _REFERABLE:
                    self._results[text] = ResultRef(number, style)

    def add_answer(self, number: int, value: Any) -> None:
        """Let requests point at the messages of an answer's value."""
        for position, message in enumerate(messages_of(value)):
            self._answers[orderless(message)] = (AnswerRef(number, position), message)

    def to_result(self, text: str) -> str | ResultRef:
        """A reference to the result that a text is, else the text."""
        return self._results.get(text, text)

    def to_answers(
        self, messages: list[Any], texts: list[str], row: dict[str, Any]
    ) -> list[AnswerRef | None]:
        """For each message of a request the answer that it is, or None.

        Args:
            messages: values.
            texts: their JSON texts, which the references have to give again.
            row: gets the `answer-order` where the agent has another order of keys than so far.
        """
        marks: list[AnswerRef | None] = []
        for message, text in zip(messages, texts, strict=True):
            found = self._answers.get(orderless(message)) if isinstance(message, dict) else None
            if found is not None and not any(marks) and not _gives(found[1], self._order, text):
                self._order = [] if body.encode(found[1]) == text else order_of(message)
                row["answer-order"] = self._order
            marks.append(found[0] if found is not None and _gives(found[1], self._order, text) else None)
        return marks


def _gives(answered: Any, order: Order, text: str) -> bool:
    try:
        return body.encode(reorder(answered, order) if order else answered) == text
    except ValueError:
        return False
