"""Gemini's generateContent and streamGenerateContent: Google's own, on Vertex and behind gateways."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kit.wire.answer import is_event_stream, json_items, sse_values
from kit.wire.dialect import UNUSABLE_OUTPUT, Kind, ModelAnswer, ModelRequest, WireMessage
from kit.wire.gemini_message import (
    calls_of,
    completion_tokens,
    parts_of,
    prompt_tokens,
    read_content,
    server_calls_of,
    text_of,
    thinking_of,
)
from kit.wire.json_text import excerpt
from kit.wire.openai_message import read_error
from kit.wire.shape import as_object, in_path, objects, request_object, text_or_none, without

_ASKED = re.compile(r"/([^/:]+):(?:stream)?[gG]enerateContent\Z")
_OWN_WORD = frozenset({"STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"})
"""Reasons to stop that are no refusal, together with failures to call a tool."""
_UNUSABLE = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})


class Gemini:
    """The dialect of `POST …/models/{model}:generateContent` and its streaming twin."""

    name = "gemini"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path: the verb after the colon is Google's alone."""
        return method.upper() == "POST" and _ASKED.search(path) is not None

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; the model stands in the path, the system prompt is the first message."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(model=in_path(_ASKED, url), error=error)
        system = text_of(parts_of(value.get("systemInstruction", value.get("system_instruction"))))
        messages = [WireMessage("system", system)] if system else []
        contents = value.get("contents")
        for content in [contents] if isinstance(contents, dict) else objects(contents):
            messages.extend(read_content(content))
        return ModelRequest(
            model=in_path(_ASKED, url) or text_or_none(value.get("model")),
            messages=tuple(messages),
            tools=_tools(value.get("tools")),
            parameters=without(
                value, "model", "systemInstruction", "system_instruction", "contents", "tools"
            ),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; a stream is server-sent events, or an array that grows."""
        if not body.strip():
            return ModelAnswer(error="empty answer", broken=streamed)
        if is_event_stream(body, content_type, streamed=streamed):
            return _join(list(sse_values(body)), is_stream=True)
        chunks, is_whole = json_items(body)
        if not chunks and not is_whole:
            return ModelAnswer(error=f"answer is not JSON: {excerpt(body)}")
        return _join(chunks, is_stream=body.lstrip().startswith(b"["), is_cut=not is_whole)


GEMINI = Gemini()


def _tools(tools: Any) -> tuple[dict[str, Any], ...]:
    """The tools one by one: functions come bundled."""
    found: list[dict[str, Any]] = []
    for tool in [tools] if isinstance(tools, dict) else objects(tools):
        declared = tool.get("functionDeclarations", tool.get("function_declarations"))
        found.extend(objects(declared))
        rest = without(tool, "functionDeclarations", "function_declarations")
        if rest or not declared:
            found.append(rest)
    return tuple(found)


def _join(chunks: Sequence[Any], *, is_stream: bool, is_cut: bool = False) -> ModelAnswer:
    """The answer that some responses amount to; of several candidates the first."""
    parts: list[dict[str, Any]] = []
    model = reason = said = blocked = error = None
    usage: dict[str, Any] = {}
    for chunk in chunks:
        error = error or read_error(chunk, answers=("candidates", "promptFeedback", "usageMetadata"))
        response = as_object(chunk)
        candidates = [one for one in objects(response.get("candidates")) if one.get("index", 0) == 0]
        candidate = candidates[0] if candidates else {}
        parts += parts_of(candidate.get("content"))
        model = text_or_none(response.get("modelVersion")) or model
        reason = text_or_none(candidate.get("finishReason")) or reason
        said = text_or_none(candidate.get("finishMessage")) or said
        feedback = as_object(response.get("promptFeedback"))
        why = text_or_none(feedback.get("blockReasonMessage")) or text_or_none(feedback.get("blockReason"))
        blocked = blocked or (why and f"prompt blocked: {why}")
        usage = as_object(response.get("usageMetadata")) or usage
        reason = reason or (text_or_none(feedback.get("blockReason")) if blocked else None)
    is_nothing = not (parts or reason or usage or error)
    told = f"{reason}: {said}" if said else reason
    unusable = f"{UNUSABLE_OUTPUT}: {told}" if reason in _UNUSABLE else None
    return ModelAnswer(
        model=model,
        text=text_of(parts),
        tool_calls=calls_of(parts),
        finish_reason=reason,
        prompt_tokens=prompt_tokens(usage),
        completion_tokens=completion_tokens(usage),
        refusal=blocked or _refusal(reason, said),
        error=error
        or unusable
        or (("stream holds no answer" if is_stream else "answer has no candidates") if is_nothing else None),
        broken=is_stream and (is_cut or reason is None) and not (error and not parts),
        server_calls=server_calls_of(parts),
        thinking=thinking_of(parts),
    )


def _refusal(reason: str | None, said: str | None) -> str | None:
    """What a filter stopped (`SAFETY`, `RECITATION`, `MODEL_ARMOR`, …) is a refusal, told or not."""
    return None if reason is None or reason in _OWN_WORD | _UNUSABLE else said or reason
