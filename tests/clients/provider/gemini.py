"""Gemini generateContent and streamGenerateContent."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.clients.provider.mind import Asked, Said, fresh_id, text_of


def read(path: str, body: dict[str, Any]) -> Asked:
    """The question of a request; the model and whether it streams stand in the path."""
    found = re.search(r"models/([^:]+):(\w+)", path)
    assert found is not None
    contents = body["contents"]
    parts = contents[-1]["parts"]
    results = tuple(
        _shown(_either(part, "functionResponse")["response"])
        for part in parts
        if _either(part, "functionResponse")
    )
    users = [text_of(one["parts"]) for one in contents if one.get("role", "user") == "user"]
    said = next((text for text in reversed(users) if text), "")
    tools = tuple(
        tool["name"]
        for group in body.get("tools") or ()
        for tool in _either(group, "functionDeclarations") or ()
    )
    return Asked(found[1], said, results, tools, found[2].startswith("stream"))


def whole(asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    return _chunk(asked, said, _parts(said), "STOP", fresh_id("gem"))


def events(asked: Asked, said: Said) -> list[bytes]:
    """The answer as a stream."""
    identifier = fresh_id("gem")
    parts = _parts(said) if said.calls else [{"text": piece} for piece in said.pieces]
    chunks = [_chunk(asked, said, [part], None, identifier) for part in parts[:-1]]
    chunks.append(_chunk(asked, said, parts[-1:], "STOP", identifier))
    return [b"data: " + json.dumps(chunk).encode() + b"\r\n\r\n" for chunk in chunks]


def _either(found: dict[str, Any], name: str) -> Any:
    """A field in either spelling: Google takes `functionResponse` and, from litellm, `function_response`."""
    return found.get(name) or found.get(re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name))


def _shown(response: Any) -> str:
    """SDKs wrap a plain result as `{"result": …}` or `{"return_value": …}`."""
    if isinstance(response, dict) and len(response) == 1:
        response = next(iter(response.values()))
    return response if isinstance(response, str) else json.dumps(response)


def _parts(said: Said) -> list[dict[str, Any]]:
    if said.calls:
        return [{"functionCall": {"name": call.name, "args": call.arguments}} for call in said.calls]
    return [{"text": said.text}]


def _chunk(
    asked: Asked, said: Said, parts: list[dict[str, Any]], reason: str | None, identifier: str
) -> dict[str, Any]:
    heard, spoken = said.tokens
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    usage = {"promptTokenCount": heard, "candidatesTokenCount": spoken, "totalTokenCount": heard + spoken}
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": asked.model,
        "responseId": identifier,
    }
