"""The messages inside an answer, so that a request can point at them instead of repeating them."""

from __future__ import annotations

from typing import Any


def messages_of(answer: Any) -> list[Any]:
    """The messages that an answer's value holds, in order.

    Reads the shapes that the known dialects have in common: `choices[].message` (or the merged `delta` of a
    stream), `message`, `output[]`, `candidates[].content`, and a body that is a message itself.
    """
    if not isinstance(answer, dict):
        return []
    for name, inner in (
        ("choices", "message"),
        ("choices", "delta"),
        ("candidates", "content"),
        ("output", ""),
    ):
        found = _inside(answer.get(name), inner)
        if found:
            return found
    if isinstance(answer.get("message"), dict):
        return [answer["message"]]
    if "role" in answer and "content" in answer:
        return [{"role": answer["role"], "content": answer["content"]}]
    return []


def _inside(items: Any, name: str) -> list[Any]:
    if not isinstance(items, list):
        return []
    found = [item.get(name) if name and isinstance(item, dict) else item for item in items]
    return found if all(isinstance(item, dict) for item in found) else []
