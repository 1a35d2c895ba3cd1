"""Conditions on a text, wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest

from kit.oracle.conditions import judged, unmet
from kit.scenario.expected import TextConditions

TEXT = "Errore di dpkg: perché?"


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ({"contains_any": ["warning", "ERRORE"]}, None),
        ({"contains_any": ["a1", "b1", "c1"]}, "contains none of 'a1', 'b1' or 'c1'"),
        ({"contains_any": ["a1"]}, "does not contain 'a1'"),
        ({"contains_all": ["dpkg", "PERCHE\u0301"]}, None),
        ({"contains_all": ["dpkg", "a1", "b1"]}, "does not contain 'a1' or 'b1'"),
        ({"not_contains": ["sudo"]}, None),
        ({"not_contains": ["sudo", "DPKG", "di"]}, "contains 'DPKG' and 'di', which it must not"),
        ({"regex": "^errore .*perche\u0301"}, None),
        ({"regex": "^dpkg"}, "does not match '^dpkg'"),
        ({"contains_any": ["errore"], "case_sensitive": True}, "does not contain 'errore'"),
        ({"regex": "^errore", "case_sensitive": True}, "does not match '^errore'"),
        ({"not_contains": ["DPKG"], "case_sensitive": True}, None),
    ],
)
def test_each_condition(condition: Any, problem: str | None) -> None:
    """Case and Unicode spelling do not count unless the scenario says so."""
    [(name, found)] = judged(TEXT, TextConditions.model_validate(condition))
    assert name in condition
    assert found == problem


def test_unmet_keeps_only_what_is_wrong() -> None:
    """All stated conditions are judged, the failing ones are listed."""
    conditions = TextConditions(
        contains_any=("dpkg",), contains_all=("a1",), not_contains=("di",), regex="x1"
    )
    assert [name for name, _ in judged(TEXT, conditions)] == [
        "contains_any",
        "contains_all",
        "not_contains",
        "regex",
    ]
    assert [name for name, _ in unmet(TEXT, conditions)] == ["contains_all", "not_contains", "regex"]
