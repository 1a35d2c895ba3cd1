"""Embeddings, rerankings, moderations: models that measure texts and write nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireMessage
from kit.wire.openai_message import read_error
from kit.wire.shape import (
    as_object,
    in_path,
    objects,
    read_count,
    request_object,
    text_or_none,
    total,
    without,
)

_MODELS = (
    re.compile(r"/model/(.+)/invoke\Z"),
    re.compile(r"/(?:models|endpoints)/([^/:]+):[^/]+\Z"),
    re.compile(r"/(?:deployments|models|serving-endpoints)/(.+?)/(?:embeddings|invocations|pipeline/.+)\Z"),
)
_MANY = 1000
"""Texts of one request that are looked at."""
_TEXTS = (
    "input",
    "inputs",
    "texts",
    "prompt",
    "content",
    "requests",
    "instances",
    "inputText",
    "query",
    "documents",
    "images",
    "singleEmbeddingParams",
    "segmentedEmbeddingParams",
)
_ANSWERS = (
    "embedding",
    "embeddings",
    "data",
    "results",
    "predictions",
    "embeddingsByType",
    "usage",
    "rankings",
)


@dataclass(frozen=True, slots=True)
class Measuring:
    """A dialect of models that read and do not write: what they wrote is nothing, not unknown.

    Attributes:
        name: for people and for reports.
        kind: what its exchanges are for.
        known: by which a request is recognised.
    """

    name: str
    kind: Kind
    known: Callable[[str, bytes], bool]

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """A POST to a known address."""
        return method.upper() == "POST" and self.known(path.rstrip("/"), body)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is measured: each text a message of role `input`."""
        value, error = request_object(body)
        model = text_or_none(value.get("model")) or next(
            filter(None, (in_path(one, url) for one in _MODELS)), None
        )
        if error is not None:
            return ModelRequest(model=model, error=error)
        texts = [text for name in _TEXTS if name in value for text in _texts(value[name])]
        return ModelRequest(
            model=model.removeprefix("models/") if model else None,
            messages=tuple(WireMessage("input", text) for text in texts),
            parameters=without(value, "model", *_TEXTS),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """How many tokens were read, and by whom."""
        return read_answer(
            body, content_type or "json", streamed=streamed, of_json=_read, of_stream=lambda _: ModelAnswer()
        )


def _read(value: Any) -> ModelAnswer:
    error = read_error(value, answers=_ANSWERS)
    if error is not None:
        return ModelAnswer(error=error)
    answer = as_object(value)
    prompt = _prompt_tokens(answer)
    return ModelAnswer(
        model=text_or_none(answer.get("model")) or text_or_none(answer.get("modelVersion")),
        prompt_tokens=prompt,
        completion_tokens=None if prompt is None else 0,
    )


def _prompt_tokens(answer: dict[str, Any]) -> int | None:
    usage, meta = as_object(answer.get("usage")), as_object(answer.get("meta"))
    statistics = [
        as_object(as_object(one.get("embeddings")).get("statistics")).get("token_count")
        for one in objects(answer.get("predictions"))
    ]
    counts = (
        read_count(usage, "prompt_tokens"),
        read_count(usage, "total_tokens"),
        read_count(as_object(meta.get("tokens")), "input_tokens"),
        read_count(as_object(meta.get("billed_units")), "input_tokens"),
        total(read_count(as_object(meta.get("billed_units")), "image_tokens")),
        read_count(answer, "inputTextTokenCount"),
        read_count(answer, "inputTokenCount"),
        read_count(answer, "prompt_eval_count"),
        read_count(as_object(answer.get("usageMetadata")), "promptTokenCount"),
        total(*(count for count in statistics if isinstance(count, int) and not isinstance(count, bool))),
    )
    return next((count for count in counts if count is not None), None)


def _texts(value: Any) -> list[str | None]:
    """Texts wherever an API puts them: a text, a list, parts of a content, one more object around it."""
    if isinstance(value, str):
        return [value or None]
    if isinstance(value, list):
        return [text for item in value[:_MANY] for text in _texts(item)]
    for name in ("text", "parts", "content", "value"):
        if isinstance(value, dict) and name in value:
            return _texts(value[name])
    return []
