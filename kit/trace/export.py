"""A trace as text: JSON lines for `traces/<scenario>.jsonl`, from which runs are compared."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from kit.trace.trace import Asked, ExecutionTrace, Step

_UNSAFE = re.compile("[\ud800-\udfff\u0085\u2028\u2029]")
"""Lone surrogates cannot be written as UTF-8, and the others end a line for some readers of JSON lines."""


def to_json_lines(trace: ExecutionTrace) -> str:
    """One JSON object a step, a newline after each; the same bytes for the same trace, without real time."""
    return "".join(f"{_json(one)}\n" for one in step_objects(trace))


def step_objects(trace: ExecutionTrace) -> Iterator[dict[str, Any]]:
    """The steps as JSON objects; `asked` stands where it differs from that of the model call before."""
    before: Asked | None = None
    for step in trace.steps:
        one = step_object(step)
        if step.asked is not None and step.asked != before:
            one["asked"] = _asked(step.asked)
            before = step.asked
        yield one


def read_json_lines(text: str) -> tuple[dict[str, Any], ...]:
    """The inverse of `to_json_lines`: the objects of a trace file.

    Raises:
        ValueError: it is no file of JSON lines.
    """
    return tuple(json.loads(line) for line in text.split("\n") if line)


def _asked(asked: Asked) -> dict[str, Any]:
    return {
        "prompt": [{"role": role, "text": text} for role, text in asked.prompt],
        "tools": list(asked.tools),
        "parameters": asked.parameters,
    }


def step_object(step: Step) -> dict[str, Any]:
    """A step as a JSON object, fields in a fixed order; what a step does not have is left out."""
    usage = {"prompt_tokens": step.usage.prompt_tokens, "completion_tokens": step.usage.completion_tokens}
    requested = [
        {"id": call.id, "name": call.name, "arguments": call.arguments, **_raw(call.arguments, call.raw)}
        for call in step.requested
    ]
    optional = {
        "interaction": step.interaction,
        "name": step.name,
        "text": step.text,
        "arguments": step.arguments,
        "result": step.result,
        "failure": step.failure,
        "fault": step.fault,
        "injected": step.is_injected or None,
        "requested": requested or None,
        "finish_reason": step.finish_reason,
        "usage": usage if usage != dict.fromkeys(usage) else None,
    }
    return {
        "index": step.index,
        "kind": step.kind,
        "started_ms": step.started_ms,
        "ended_ms": step.ended_ms,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _raw(arguments: Mapping[str, Any] | None, raw: str) -> dict[str, str]:
    """The text of arguments, only where they do not parse."""
    return {} if arguments is not None else {"raw": raw}


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:  # a tool may return NaN, which is not JSON
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _finite(value: Any) -> Any:
    """A value with NaN and infinities as their names."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
