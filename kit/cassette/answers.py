"""The messages inside an answer, so that a request can point at them instead of repeating them."""

from __future__ import annotations

from typing import Any

from kit.cassette import body

_CALLS = ("tool_use", "server_tool_use")


def messages_of(answer: Any) -> list[Any]:
    """The messages that an answer's value holds, in order.

    Reads the shapes that the known dialects have in common: `choices[].message` (or the merged `delta` of a
    stream), `message`, `output[]`, `output.message`, `candidates[].content`, and a body that is a message
    itself. A streamed call of a tool shows its input as the text it came in; it is sent back as a value.
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
    output = answer.get("output")
    if isinstance(output, dict):
        answer = output
    if isinstance(answer.get("message"), dict):
        return [_parsed(answer["message"])]
    if "role" in answer and "content" in answer:
        return [_parsed({"role": answer["role"], "content": answer["content"]})]
    return []


def _parsed(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [_parsed_block(block) for block in content]}


def _parsed_block(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    if "toolUse" in block:
        return {**block, "toolUse": _parsed_call(block["toolUse"])}
    return _parsed_call(block) if block.get("type") in _CALLS else block


def _parsed_call(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("input"), str):
        return call
    try:
        return {**call, "input": body.parse(call["input"])}
    except ValueError:
        return call


def _inside(items: Any, name: str) -> list[Any]:
    if not isinstance(items, list):
        return []
    found = [item.get(name) if name and isinstance(item, dict) else item for item in items]
    return found if all(isinstance(item, dict) for item in found) else []
