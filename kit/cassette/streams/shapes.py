"""Which shape a stream has; the first that recognises it is tried, then the plain merge of the events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kit.cassette.assemble import assemble
from kit.cassette.streams import anthropic, cohere, converse, gemini, jsonrpc, ollama, responses
from kit.cassette.streams.assembled import Assembled, Shape

SHAPES: tuple[Shape, ...] = (responses, anthropic, gemini, converse, cohere, ollama, jsonrpc)
"""Of APIs whose events do not add up by merging them; OpenAI's chat and its like need none."""


def readings(events: list[Any]) -> Iterator[Assembled]:
    """The messages that the events may add up to, the most telling first.

    Args:
        events: JSON values, mappings; what is no mapping has no part in a message.
    """
    if all(isinstance(event, dict) for event in events):
        for shape in SHAPES:
            if shape.recognises(events):
                try:
                    yield shape.assemble(events)
                except (LookupError, TypeError, ValueError, AttributeError):
                    break
    yield Assembled(assemble(events), None)
