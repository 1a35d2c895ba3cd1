"""Interactions and cassettes as a real run would record them, small enough to read in a test."""

from __future__ import annotations

import json
from typing import Any

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import (
    Headers,
    HttpRequest,
    HttpResponse,
    Interaction,
    ToolRequest,
    ToolResponse,
)

URL = "http://127.0.0.1:8080/v1/chat/completions"
JSON: Headers = (("content-type", "application/json"),)
SERVED: Headers = (
    ("content-type", "application/json; charset=utf-8"),
    ("date", "Sun, 29 Nov 2026 21:59:34 GMT"),
)
EVENTS: Headers = (("content-type", "text/event-stream"),)
LOG = "12:00:01 INFO start\n12:00:02 ERROR disk full on /dev/sda1\n12:00:03 INFO stop\n"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FS_READ = {
    "type": "function",
    "function": {"name": "fs_read", "description": "Read a file of the workspace", "parameters": SCHEMA},
}


def compact(value: object) -> bytes:
    """JSON as httpx and the openai SDK send it, and what those refuse: half a surrogate pair."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def header(**fields: Any) -> Header:
    """A header with what it must have."""
    moment = "2026-11-29T21:59:34Z"
    return Header(**{"scenario": "001_read_log", "start": moment, "recorded": moment, **fields})


def cassette(*interactions: Interaction) -> Cassette:
    """A cassette of these interactions."""
    return Cassette(header(), interactions)


def call(
    number: int, request: bytes, answer: bytes, *, headers: Headers = SERVED, url: str = URL, **response: Any
) -> Interaction:
    """One call of a model."""
    asked = HttpRequest("POST", url, JSON if request else (), request)
    told = HttpResponse(response.pop("status", 200), headers, answer, **response)
    return Interaction(number, "model", asked, told, number * 1000, number * 1000 + 900)


def tool(number: int, result: Any, arguments: dict[str, Any] | None = None, **response: Any) -> Interaction:
    """One call of a tool."""
    asked = ToolRequest("fs_read", {"path": "logs/app.log"} if arguments is None else arguments)
    return Interaction(number, "tool", asked, ToolResponse(result, **response), number * 1000, number * 1000)


def request(*messages: dict[str, Any], **parameters: Any) -> bytes:
    """A chat request with one tool."""
    tools = [FS_READ]
    return compact(
        {"model": "qwen:0.5b", "messages": list(messages), "tools": tools, "temperature": 0, **parameters}
    )


def asking(call_id: str, path: str = "logs/app.log") -> dict[str, Any]:
    """The message of a model that wants a file."""
    arguments = json.dumps({"path": path})
    wanted = {"type": "function", "function": {"name": "fs_read", "arguments": arguments}, "id": call_id}
    return {"role": "assistant", "content": "", "tool_calls": [wanted]}


def answer(message: dict[str, Any], *, salt: int = 1, finish: str = "stop") -> bytes:
    """A chat answer as llama-server writes it; `salt` is what differs at every call."""
    return compact(
        {
            "choices": [{"finish_reason": finish, "index": 0, "message": message}],
            "created": 1795986572 + salt,
            "model": "qwen:0.5b",
            "system_fingerprint": "b1-7e4c0a9",
            "object": "chat.completion",
            "usage": {
                "completion_tokens": 8,
                "prompt_tokens": 39,
                "total_tokens": 47,
                "prompt_tokens_details": {"cached_tokens": salt},
            },
            "id": f"chatcmpl-eR5hTINnM1iOypnJ5dEkN6Yqm{salt:07}",
            "timings": {"prompt_n": 39, "prompt_ms": 1568.062 + salt, "predicted_per_second": 4.6055 * salt},
        }
    )


def stream(*pieces: str, salt: int = 1, ascii_only: bool = False) -> bytes:
    """A streamed chat answer as llama-server writes it."""
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": None},
        *({"content": text} for text in pieces),
    ]
    events = [
        {
            "choices": [{"finish_reason": None, "index": 0, "delta": delta}],
            "created": 1795986574 + salt + at // 3,
            "id": f"chatcmpl-rp2EPf6gJNohCNUn4geoqFC{salt:07}",
            "model": "qwen:0.5b",
            "object": "chat.completion.chunk",
        }
        for at, delta in enumerate([*deltas, {}])
    ]
    events[-1]["choices"][0]["finish_reason"] = "stop"  # type: ignore[index]
    lines = [json.dumps(event, ensure_ascii=ascii_only, separators=(",", ":")) for event in events]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


def tool_run(call_id: str = "uOCUzYv1ZfyY3v6g4w5SLIm5gFRYtpIZ", *, salt: int = 1) -> Cassette:
    """A whole run: the model asks for a file, the tool reads it, the model answers in a stream."""
    system = {"role": "system", "content": "If a tool is needed, reply with the tool call only."}
    user = {"role": "user", "content": "Read logs/app.log and say which error is in it."}
    wanted = asking(call_id)
    told = {"role": "tool", "tool_call_id": call_id, "content": LOG}
    last = stream("12:00:02", " ERROR", " disk full", salt=salt)
    chunks = (300 + salt, len(last) - 300 - salt)
    return cassette(
        call(1, request(system, user), answer(wanted, salt=salt, finish="tool_calls")),
        tool(2, LOG, executed=True),
        call(3, request(system, user, wanted, told, stream=True), last, headers=EVENTS, chunks=chunks),
    )


def long_run(turns: int) -> Cassette:
    """A conversation of as many turns, whose messages come back in an SDK's order of keys."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Read all logs, one after the other."}]
    interactions: list[Interaction] = []
    for turn in range(turns):
        call_id = f"call_{turn:024}"
        wanted = asking(call_id, f"logs/{turn}.log")
        result = f"{turn} INFO start\n{turn} ERROR disk {turn} is full\n{turn} INFO stop\n"
        number = 2 * turn + 1
        interactions += [
            call(number, request(*messages), answer(wanted, salt=turn, finish="tool_calls")),
            tool(number + 1, result, {"path": f"logs/{turn}.log"}, executed=True),
        ]
        rebuilt = {name: wanted[name] for name in ("content", "role", "tool_calls")}
        messages = [*messages, rebuilt, {"role": "tool", "tool_call_id": call_id, "content": result}]
    return cassette(*interactions)
