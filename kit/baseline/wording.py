"""How drift names steps and values to a person: one line each, shortened, never cut inside a mark."""

from __future__ import annotations

import json
from typing import Any

from kit.baseline.skeleton import Call, SkeletonStep
from kit.baseline.values import ABSENT, value_changes
from kit.cassette.differences import brief, differences

_MANY = 3


def describe(step: SkeletonStep) -> str:
    """A step as a phrase: `tool call fs_read(path="/log")`."""
    if step.kind == "tool_call":
        failed = f", which failed: {brief(step.failure)}" if step.failure else ""
        return f"tool call {called(step.name or '', step.arguments)}{failed}"
    if step.kind == "model_call":
        return f"model call, {_answer(step)}"
    if step.kind == "event":
        return f"event {step.name}" + (f" {brief(step.arguments)}" if step.arguments else "")
    if step.kind == "sleep":
        return f"a pause of {step.ms} ms"
    who = "the user says" if step.kind == "user" else "the agent answers"
    return f"{who} «{brief(step.text or '')}»"


def called(name: str, arguments: dict[str, Any] | None, raw: str | None = None) -> str:
    """A tool call with its arguments: `fs_read(path="/log")`."""
    if arguments is None:
        return f"{name}({brief(raw or '')})"
    return f"{name}({', '.join(f'{key}={value(one)}' for key, one in arguments.items())})"


def value(one: Any) -> str:
    """A JSON value as it is written, shortened; what is not there says so."""
    return repr(one) if one is ABSENT else brief(json.dumps(one, ensure_ascii=False))


def texts(before: str | None, after: str | None) -> str:
    """Two texts around the first place where they differ: `«… ‹short› …» → «… ‹brief› …»`."""
    if not before or not after:
        return f"{_said(before)} → {_said(after)}"
    places = list(differences(before, after))
    told = [f"{one.path + ': ' if one.path else ''}«{one.old}» → «{one.new}»" for one in places[:_MANY]]
    return "; ".join(told) + _more(len(places))


def changes(before: Any, after: Any) -> str:
    """Every place where two values differ: `path "/a" → "/b"`; many are counted."""
    found = value_changes(before, after)
    told = [
        f"{one.path}: {value(one.before)} → {value(one.after)}"
        if one.path
        else f"{value(one.before)} → {value(one.after)}"
        for one in found[:_MANY]
    ]
    return "; ".join(told) + _more(len(found))


def _more(count: int) -> str:
    return f"; and {count - _MANY} more" if count > _MANY else ""


def _said(text: str | None) -> str:
    return f"«{brief(text)}»" if text else "nothing"


def _answer(step: SkeletonStep) -> str:
    if step.failure:
        return f"which failed: {brief(step.failure)}"
    if step.calls:
        return f"which asks for {', '.join(_asked(call) for call in step.calls)}"
    return f"which says {_said(step.text)}"


def _asked(call: Call) -> str:
    return called(call.name, call.arguments, call.raw)
