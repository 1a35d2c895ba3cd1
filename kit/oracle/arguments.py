"""Conditions on one argument of a tool call (`args_match`)."""

from __future__ import annotations

import re
from typing import Any

from kit.canonical import canonical_json
from kit.oracle.text import normal
from kit.scenario.expected import ArgumentCondition


def holds(value: Any, condition: ArgumentCondition) -> bool:
    """Whether an argument's JSON value satisfies everything that was written about it."""
    if condition.has_equals and not json_equal(value, condition.equals):
        return False
    if condition.contains is not None and normal(condition.contains) not in normal(as_text(value)):
        return False
    return condition.regex is None or re.search(condition.regex, as_text(value)) is not None


def json_equal(left: Any, right: Any) -> bool:
    """Equality of JSON values: `1` equals `1.0`, and neither equals `true`, as Python would have it."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(left[name], right[name]) for name in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(json_equal, left, right))
    return bool(left == right)


def as_text(value: Any) -> str:
    """A text as it stands, any other JSON value as its compact JSON."""
    return value if isinstance(value, str) else canonical_json(value).decode("utf-8", "surrogatepass")


def wanted(name: str, condition: ArgumentCondition) -> str:
    """`name 'a'`, `name containing 'b'`: the condition as a reason tells it."""
    parts = [repr(condition.equals)] if condition.has_equals else []
    if condition.contains is not None:
        parts.append(f"containing {condition.contains!r}")
    if condition.regex is not None:
        parts.append(f"matching the regex {condition.regex!r}")
    return f"{name} {' and '.join(parts)}"
