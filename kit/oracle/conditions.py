"""Conditions on a text, wherever it stands: an answer, a file, a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kit.oracle.text import contains, listed, normal
from kit.scenario.expected import TextConditions


def unmet(text: str, conditions: TextConditions) -> Iterator[tuple[str, str]]:
    """Each stated condition that a text does not satisfy: its name and, as half a sentence, what is wrong."""
    for name, problem in judged(text, conditions):
        if problem is not None:
            yield name, problem


def judged(text: str, conditions: TextConditions) -> Iterator[tuple[str, str | None]]:
    """Every stated condition: its name and what is wrong, None where it holds (S2-19)."""
    if conditions.contains_any is not None:
        yield "contains_any", _contains_any(text, conditions.contains_any, exact=conditions.case_sensitive)
    if conditions.contains_all is not None:
        yield "contains_all", _contains_all(text, conditions.contains_all, exact=conditions.case_sensitive)
    if conditions.not_contains is not None:
        yield "not_contains", _not_contains(text, conditions.not_contains, exact=conditions.case_sensitive)
    if conditions.regex is not None:
        yield "regex", _regex(text, conditions.regex, exact=conditions.case_sensitive)


def _contains_any(text: str, parts: tuple[str, ...], *, exact: bool) -> str | None:
    if any(contains(text, part, case_sensitive=exact) for part in parts):
        return None
    return f"contains none of {listed(parts)}" if len(parts) > 1 else f"does not contain {parts[0]!r}"


def _contains_all(text: str, parts: tuple[str, ...], *, exact: bool) -> str | None:
    missing = tuple(part for part in parts if not contains(text, part, case_sensitive=exact))
    return f"does not contain {listed(missing)}" if missing else None


def _not_contains(text: str, parts: tuple[str, ...], *, exact: bool) -> str | None:
    present = tuple(part for part in parts if contains(text, part, case_sensitive=exact))
    return f"contains {listed(present, 'and')}, which it must not" if present else None


def _regex(text: str, pattern: str, *, exact: bool) -> str | None:
    flags = re.NOFLAG if exact else re.IGNORECASE
    return None if re.search(normal(pattern), normal(text), flags) else f"does not match {pattern!r}"
