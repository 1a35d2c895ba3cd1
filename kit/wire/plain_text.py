"""Models that only continue a text: Titan, Llama, Mistral on Bedrock, the old completions of many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kit.wire import cohere_message
from kit.wire.answer import read_answer, sse_values
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireMessage
from kit.wire.openai_message import read_error
from kit.wire.shape import (
    as_object,
    compact,
    in_path,
    objects,
    read_count,
    request_object,
    text_or_none,
    total,
    without,
)

_HOLDERS = ("results", "outputs", "generations", "completions", "choices")
_TEXTS = (
    "outputText",
    "generation",
    "token",
    "generated_text",
    "completion",
    "text",
    "data",
    "value",
    "content",
)
_REASONS = ("completionReason", "stop_reason", "finish_reason", "finishReason", "stopReason", "stop_type")
_PROMPTS = ("prompt", "inputText", "inputs", "input")
_MODELS = ("model", "model_id")
_PLACES = (
    (re.compile(r"/completion\Z|/complete\Z|/v1/generate\Z"), (b'"prompt"',)),
    (re.compile(r"/generate(?:_stream)?\Z"), (b'"inputs"',)),
    (
        re.compile(r"/text/generation(?:_stream)?\Z|/generation/text(?:_stream)?\Z"),
        (b'"model_id"', b'"input"'),
    ),
)
"""Places of Anthropic, Aleph Alpha, AI21, Cohere, llama.cpp; of text-generation-inference; of watsonx: each
with what a body there must have, since the path may be anybody's."""
_ASKED = re.compile(r"/(?:v\d\w*|openai|fim|(?:deployments|engines)/[^/]+)/completions\Z")
_ASKED_COUNTS = ("prompt_token_count", "inputTextTokenCount", "num_tokens_prompt_total", "tokens_evaluated")
_SAID_COUNTS = (
    "generation_token_count",
    "totalOutputTextTokenCount",
    "num_tokens_generated",
    "tokens_predicted",
)
_UNDER_WAY = frozenset({"", "none", "not_finished"})
"""What llama.cpp and watsonx say of a text that goes on."""
_MODEL = re.compile(r"/(?:deployments|serving-endpoints|endpoints|engines)/([^/]+)/")


class PlainText:
    """The dialect of `POST …/completions`."""

    name = "text_completions"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By path, and by a prompt where there is a body; where the path may be anybody's, only by both."""
        path = path.rstrip("/")
        if method.upper() != "POST":
            return False
        if _ASKED.search(path):
            return not body or b'"prompt"' in body
        return any(place.search(path) and all(sign in body for sign in signs) for place, signs in _PLACES)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked: the prompt is one message."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        named = next((name for key in _MODELS if (name := text_or_none(value.get(key)))), None)
        return read_prompt(value, named or in_path(_MODEL, url))

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered."""
        return read_answer(body, content_type, streamed=streamed, of_json=read_text_answer, of_stream=_stream)


PLAIN_TEXT = PlainText()


def read_prompt(value: Mapping[str, Any], model: str | None) -> ModelRequest:
    """A request whose question is one text."""
    prompt = next((value[name] for name in _PROMPTS if value.get(name) is not None), None)
    return ModelRequest(
        model=model,
        messages=() if prompt is None else (WireMessage("user", _prompt(prompt)),),
        parameters=without(value, *_MODELS, *_PROMPTS),
    )


def read_text_answer(value: Any) -> ModelAnswer:
    """The answer that one object is, or the first of a list."""
    if isinstance(value, list):
        value = next(iter(objects(value)), {})
    error = read_error(value, answers=(*_HOLDERS, *_TEXTS))
    if error is not None:
        return ModelAnswer(error=error)
    return join_texts([value], is_stream=False)


def join_texts(pieces: Iterable[Any], *, is_stream: bool, is_done: bool = False) -> ModelAnswer:
    """The answer that some pieces amount to.

    Args:
        pieces: JSON values, in order.
        is_stream: whether they came one by one, so that the end may lack.
        is_done: whether an end mark came.
    """
    texts: list[str] = []
    model = reason = error = None
    prompt = completion = None
    for piece in pieces:
        error = error or read_error(piece, answers=(*_HOLDERS, *_TEXTS, "usage", "type"))
        value = as_object(piece)
        holder = next((items[0] for name in _HOLDERS if (items := objects(value.get(name)))), value)
        texts.append(_text(holder))
        model = text_or_none(value.get("model")) or model
        reason = _reason(holder) or _reason(value) or reason
        prompt, completion = _counts(value, prompt, completion)
    text = "".join(texts) or None
    is_nothing = text is None and reason is None and error is None
    return ModelAnswer(
        model=model,
        text=text,
        finish_reason=reason,
        prompt_tokens=prompt,
        completion_tokens=completion,
        error=error or ("answer has no text" if is_nothing else None),
        broken=is_stream and reason is None and not is_done,
    )


def _stream(body: bytes) -> ModelAnswer:
    pieces = list(sse_values(body))
    # Writer ends its streams without a word: nothing tells a whole one from one that was cut.
    is_endless = bool(pieces) and all("value" in as_object(piece) for piece in pieces)
    return join_texts(pieces, is_stream=True, is_done=is_endless or body.rstrip().endswith(b"[DONE]"))


def _prompt(prompt: Any) -> str | None:
    """A text, or the parts that Aleph Alpha makes of it."""
    parts = objects(prompt)
    return ("".join(str(part.get("data", "")) for part in parts) if parts else compact(prompt)) or None


def _text(holder: Mapping[str, Any]) -> str:
    for name in _TEXTS:
        text = holder.get(name)
        if isinstance(text, dict):
            text = text.get("text")
        if isinstance(text, str):
            return text
    return ""


def _reason(holder: Mapping[str, Any]) -> str | None:
    for name in _REASONS:
        reason = holder.get(name)
        if isinstance(reason, dict):
            reason = reason.get("reason")
        if isinstance(reason, str) and reason.lower() not in _UNDER_WAY:
            return reason
    return text_or_none(as_object(holder.get("details")).get("finish_reason"))


def _counts(
    value: Mapping[str, Any], prompt: int | None, completion: int | None
) -> tuple[int | None, int | None]:
    """The last word of each count; Titan and watsonx count their results one by one."""
    usage, metrics = value.get("usage"), value.get("amazon-bedrock-invocationMetrics")
    results = objects(value.get("results"))
    asked = (
        read_count(usage, "prompt_tokens"),
        read_count(metrics, "inputTokenCount"),
        *(read_count(value, name) for name in _ASKED_COUNTS),
        total(*(read_count(result, "input_token_count") for result in results)) or None,
        cohere_message.count(value, "input_tokens"),
    )
    said = (
        read_count(usage, "completion_tokens"),
        read_count(metrics, "outputTokenCount"),
        *(read_count(value, name) for name in _SAID_COUNTS),
        total(*(read_count(result, "tokenCount") for result in results)),
        total(*(read_count(result, "generated_token_count") for result in results)),
        read_count(value.get("details"), "generated_tokens"),
        cohere_message.count(value, "output_tokens"),
    )
    return (
        next((count for count in asked if count is not None), prompt),
        next((count for count in said if count is not None), completion),
    )
