"""What differs in what model calls were asked with: prompt, parameters, tool schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kit.baseline.align import Pair
from kit.baseline.pair_drift import Told
from kit.baseline.skeleton import Request, Skeleton
from kit.baseline.values import value_changes
from kit.baseline.wording import changes, texts, value


def told_of_requests(before: Skeleton, after: Skeleton, pairs: Sequence[Pair]) -> Iterator[Told]:
    """Every difference once, with the first step that shows it, however many calls were asked with it."""
    seen: set[tuple[int | None, int | None]] = set()
    for pair in pairs:
        if pair.before is None or pair.after is None or after.steps[pair.after].kind != "model_call":
            continue
        old, new = before.steps[pair.before], after.steps[pair.after]
        if (old.request, new.request) in seen:
            continue
        seen.add((old.request, new.request))
        one, other = before.request_of(old), after.request_of(new)
        if one is not None and other is not None and one != other:
            yield from _request(one, other, pair.after + 1)


def _request(old: Request, new: Request, step: int) -> Iterator[Told]:
    roles = list(dict.fromkeys(part.role for part in (*old.prompt, *new.prompt)))
    for role in roles:
        one, other = _text(old, role), _text(new, role)
        if one != other:
            yield Told("prompt", f"{role} prompt: {texts(one, other)}", step)
    for change in value_changes(old.parameters, new.parameters):
        sentence = f"parameter {change.path}: {value(change.before)} → {value(change.after)}"
        yield Told("prompt", sentence, step)
    one_tools, other_tools = _by_name(old.tools), _by_name(new.tools)
    for name in [*one_tools, *(name for name in other_tools if name not in one_tools)]:
        if name not in other_tools:
            yield Told("tool_schema", f"tool {name} is no longer offered", step)
        elif name not in one_tools:
            yield Told("tool_schema", f"tool {name} is offered anew", step)
        elif what := changes(one_tools[name], other_tools[name]):
            yield Told("tool_schema", f"tool {name}: {what}", step)


def _text(request: Request, role: str) -> str:
    return "\n\n".join(part.text for part in request.prompt if part.role == role)


def _by_name(tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Schemas by their tool's name; what stands around a name in every dialect says nothing of a tool."""
    found: dict[str, Any] = {}
    names: Counter[str] = Counter()
    for tool in tools:
        function = tool.get("function")
        inner = function if isinstance(function, dict) else tool
        name = str(inner.get("name", "without name"))
        names[name] += 1
        found[name if names[name] == 1 else f"{name} ({names[name]})"] = inner
    return found
