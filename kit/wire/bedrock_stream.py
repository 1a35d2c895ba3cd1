"""Bedrock's binary event streams, read as the events that they carry."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Iterator
from typing import Any

from kit.wire.bedrock_vendor import join_vendor_chunks
from kit.wire.converse_stream import Event, assemble_events
from kit.wire.dialect import ModelAnswer
from kit.wire.eventstream import EventMessage, messages
from kit.wire.json_text import excerpt, parse_json
from kit.wire.shape import as_object, text_or_none


def assemble_converse(body: bytes) -> ModelAnswer:
    """Read a whole body of `converse-stream`."""
    parts = messages(body)
    return assemble_events(_events(parts), _exception(parts))


def assemble_invoke(body: bytes) -> ModelAnswer:
    """Read a whole body of `invoke-with-response-stream`: the vendor's own chunks, wrapped."""
    parts = messages(body)
    answer = join_vendor_chunks(list(_chunks(parts)))
    error = _exception(parts)
    return answer if error is None else dataclasses.replace(answer, error=error, broken=True)


def _events(parts: list[EventMessage]) -> Iterator[Event]:
    for part in parts:
        if part.finished and not part.is_exception:
            yield part.kind, as_object(_json(part.payload))


def _chunks(parts: list[EventMessage]) -> Iterator[Any]:
    for part in parts:
        wrapped = as_object(_json(part.payload)).get("bytes") if part.finished else None
        if isinstance(wrapped, str):
            try:
                yield _json(base64.b64decode(wrapped))
            except (binascii.Error, ValueError):
                continue


def _exception(parts: list[EventMessage]) -> str | None:
    """What the server told of its failure in the middle of a stream."""
    for part in parts:
        if part.is_exception:
            value = as_object(_json(part.payload))
            text = text_or_none(value.get("message")) or text_or_none(value.get("Message"))
            said = text or part.headers.get(":error-message") or excerpt(part.payload)
            kind = part.kind or part.headers.get(":error-code", "")
            return f"{kind}: {said}" if kind and said else kind or said or "exception"
    return None


def _json(payload: bytes) -> Any:
    try:
        return parse_json(payload)
    except ValueError:
        return None
