"""What stands around models: counts, files, batches, media, real time, catalogues; known, not read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest
from kit.wire.json_text import parse_json
from kit.wire.openai_message import read_error
from kit.wire.shape import as_object, in_path, read_count, text_or_none

_MODELS = (re.compile(r"/models/([^/:]+):[^/]+\Z"), re.compile(r"/model/(.+)/count-tokens\Z"))
_COUNTS = ("input_tokens", "inputTokens", "totalTokens", "total_tokens")


@dataclass(frozen=True, slots=True)
class ByAddress:
    """A dialect of exchanges that are recognised by their address.

    Attributes:
        name: for people and for reports.
        kind: what its exchanges are for.
        path: what the end of the address looks like, or a part of it.
        methods: those that it takes.
    """

    name: str
    kind: Kind
    path: re.Pattern[str]
    methods: frozenset[str] = frozenset({"POST"})

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path alone."""
        return method.upper() in self.methods and self.path.search(path.rstrip("/")) is not None

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """The model, where one is named; the rest is not read."""
        try:
            value = as_object(parse_json(body))
        except ValueError:
            value = {}
        named = text_or_none(value.get("model"))
        in_url = next(filter(None, (in_path(one, url) for one in _MODELS)), None)
        return ModelRequest(model=named.removeprefix("models/") if named else in_url)

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What went wrong, and where tokens were counted, how many."""
        if not body.strip() or not body.lstrip().startswith((b"{", b"[")):
            return ModelAnswer()
        return read_answer(
            body, content_type, streamed=streamed, of_json=self._read, of_stream=lambda _: ModelAnswer()
        )

    def _read(self, value: Any) -> ModelAnswer:
        answer = as_object(value)
        known = tuple(name for name in answer if name not in _TOLD)
        error = read_error(value, answers=known)
        if error is not None:
            return ModelAnswer(error=error)
        return ModelAnswer(
            model=text_or_none(answer.get("model")),
            prompt_tokens=_counted(answer) if self.kind == "count" else _used(answer, "input_tokens"),
            completion_tokens=_used(answer, "output_tokens") if self.kind == "media" else None,
        )


_TOLD = ("message", "detail", "Message", "errorMessage", "type", "code", "status", "id", "request_id")
"""Fields of an error: a body that has no other is one."""


def _counted(answer: dict[str, Any]) -> int | None:
    tokens = answer.get("tokens")
    listed = len(tokens) if isinstance(tokens, list) else None
    counts = (*(read_count(answer, name) for name in _COUNTS), listed)
    return next((count for count in counts if count is not None), None)


def _used(answer: dict[str, Any], name: str) -> int | None:
    """What making a picture or a sound took."""
    return read_count(answer.get("usage"), name)
