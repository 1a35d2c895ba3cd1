"""The loop of an agent without any framework, in the spelling of each API, apart from who asks and how."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import Any, TypeAlias

Talk: TypeAlias = Generator[list[Any], Any, str]
"""Yields the messages to send, takes the answer, ends in a text."""

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {
    "type": "function",
    "function": {"name": "weather", "description": "Tells the weather of a city.", "parameters": SCHEMA},
}


def drive(talk: Talk, ask: Callable[[list[Any]], Any]) -> str:
    """Asks until the talk ends; its text."""
    messages = next(talk)
    while True:
        try:
            messages = talk.send(ask(messages))
        except StopIteration as end:
            return str(end.value)


async def drive_async(talk: Talk, ask: Callable[[list[Any]], Awaitable[Any]]) -> str:
    """The same where asking is awaited."""
    messages = next(talk)
    while True:
        answer = await ask(messages)
        try:
            messages = talk.send(answer)
        except StopIteration as end:
            return str(end.value)


def chat(question: str, weather: Callable[..., Any]) -> Talk:
    """OpenAI chat, as JSON; Ollama's own differs in two places."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        message = yield messages
        messages.append(message)
        if not message.get("tool_calls"):
            return str(message["content"])
        for call in message["tool_calls"]:
            given = call["function"]["arguments"]
            told = weather(**(json.loads(given) if isinstance(given, str) else given))
            about = {"tool_call_id": call["id"]} if "id" in call else {"tool_name": "weather"}
            messages.append({"role": "tool", "content": told, **about})


def responses(question: str, weather: Callable[..., Any]) -> Talk:
    """OpenAI responses; an answer is its list of items."""
    items: list[Any] = [{"role": "user", "content": question}]
    while True:
        output = yield items
        calls = [item for item in output if item["type"] == "function_call"]
        if not calls:
            return str(output[-1]["content"][0]["text"])
        items += output
        for call in calls:
            told = weather(**json.loads(call["arguments"]))
            items.append({"type": "function_call_output", "call_id": call["call_id"], "output": told})


def messages(question: str, weather: Callable[..., Any]) -> Talk:
    """Anthropic messages; an answer is its list of blocks."""
    sent: list[Any] = [{"role": "user", "content": question}]
    while True:
        blocks = yield sent
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if not calls:
            return str(blocks[0]["text"])
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": weather(**call["input"])}
            for call in calls
        ]
        sent += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]


def converse(question: str, weather: Callable[..., Any]) -> Talk:
    """Bedrock converse; an answer is its list of blocks."""
    sent: list[Any] = [{"role": "user", "content": [{"text": question}]}]
    while True:
        blocks = yield sent
        calls = [block["toolUse"] for block in blocks if "toolUse" in block]
        if not calls:
            return str(blocks[0]["text"])
        told = [(call["toolUseId"], weather(**call["input"])) for call in calls]
        results = [{"toolResult": {"toolUseId": one, "content": [{"text": text}]}} for one, text in told]
        sent += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]


def added_up(lines: Iterable[str]) -> dict[str, Any]:
    """The message that a stream of OpenAI chat adds up to, for who reads it line by line."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    for line in lines:
        text = line.removeprefix("data: ").strip()
        choices = json.loads(text)["choices"] if text.startswith("{") else ()
        for delta in (choice["delta"] for choice in choices):
            message["content"] += delta.get("content") or ""
            for part in delta.get("tool_calls") or ():
                calls = message.setdefault("tool_calls", [])
                if part["index"] == len(calls):
                    calls.append({name: value for name, value in part.items() if name != "index"})
                else:
                    calls[part["index"]]["function"]["arguments"] += part["function"]["arguments"]
    return message
