"""Reads a chat request into what a rule may know, and an answer into the bytes of a chat completion."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from kit import clock
from kit.models.stub_script import Answer, Conversation, PlannedCall

_PIECE = 12
"""Characters of text or arguments in one event of a stream."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A `chat.completion` object, ready to be sent whole or cut into a stream."""

    body: dict[str, Any]


def conversation_of(request: dict[str, Any]) -> Conversation:
    """What rules may look at; ids and sampling parameters are not part of it."""
    messages: list[dict[str, Any]] = request["messages"]
    since = list(takewhile(lambda message: message.get("role") != "user", reversed(messages)))
    user = messages[-len(since) - 1] if len(since) < len(messages) else {}
    last = messages[-1] if messages else {}
    has_result = last.get("role") == "tool"
    offered = [tool.get("function") or {} for tool in request.get("tools") or ()]
    return Conversation(
        system="\n".join(
            _text(message) for message in messages if message.get("role") in {"system", "developer"}
        ),
        user=_text(user),
        result=_text(last) if has_result else None,
        result_of=_called(messages, last.get("tool_call_id")) if has_result else None,
        tools=tuple(str(tool.get("name")) for tool in offered),
        turn=sum(message.get("role") == "assistant" for message in since),
    )


def complete(model: str, request: dict[str, Any], answer: Answer, fresh: Callable[[int], str]) -> Completion:
    """Build the completion; `fresh` gives the random part of ids, from a number of bytes."""
    calls = [_call(call, fresh(12)) for call in answer.tool_calls]
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if calls:
        message["tool_calls"] = calls
    reason = answer.finish_reason or ("tool_calls" if calls else "stop")
    prompt, completion = (
        _tokens(request["messages"]) + _tokens(request.get("tools") or []),
        _tokens([message]),
    )
    return Completion(
        {
            "id": f"chatcmpl-{fresh(12)}",
            "object": "chat.completion",
            "created": int(clock.now().timestamp()),
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }
    )


def stream_events(completion: Completion, *, include_usage: bool) -> Iterator[bytes]:
    """The completion as server-sent events, `data: [DONE]` last."""
    body = completion.body
    choice = body["choices"][0]
    head = {key: body[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}

    def event(delta: dict[str, Any], reason: str | None = None) -> bytes:
        return _sse(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

    yield event({"role": "assistant", "content": None})
    for piece in _pieces(choice["message"]["content"]):
        yield event({"content": piece})
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield event(
            {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
        )
        for piece in _pieces(call["function"]["arguments"]):
            yield event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield event({}, choice["finish_reason"])
    if include_usage:
        yield _sse(head | {"choices": [], "usage": body["usage"]})
    yield b"data: [DONE]\n\n"


def _sse(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE]


def _call(call: PlannedCall, fresh: str) -> dict[str, Any]:
    raw = (
        call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    )
    return {"id": f"call_{fresh}", "type": "function", "function": {"name": call.name, "arguments": raw}}


def _called(messages: list[dict[str, Any]], call_id: Any) -> str | None:
    for message in reversed(messages):
        for call in message.get("tool_calls") or ():
            if call.get("id") == call_id:
                return str(call["function"]["name"])
    return None


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _tokens(values: list[dict[str, Any]]) -> int:
    """A count that is the same for the same conversation: four characters a token, ids left out."""
    return sum(-(-_length(value) // 4) for value in values)


def _length(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_length(item) for key, item in value.items() if key not in {"id", "tool_call_id"})
    if isinstance(value, list):
        return sum(_length(item) for item in value)
    return len(str(value)) if value is not None else 0
