"""Conditions on text that outlives a run: a file, something remembered."""

from __future__ import annotations

from kit.oracle.conditions import unmet
from kit.oracle.text import quoted
from kit.scenario.expected import StateConditions


def problems(text: str | None, conditions: StateConditions) -> str | None:
    """What is wrong with the content of something that exists, as half a sentence; None where nothing is.

    Args:
        text: the content; None where it is no text, which satisfies no condition on text.
        conditions: what was stated of it.
    """
    if not conditions.has_text_condition and conditions.content is None:
        return None
    if text is None:
        return "is not text, so nothing that was stated of its text holds"
    wrong = [problem for _, problem in unmet(text, conditions)]
    if conditions.content is not None and text != conditions.content:
        wrong.insert(0, f"is not {quoted(conditions.content)}")
    return f"{', '.join(wrong)}; it holds {quoted(text)}" if wrong else None
