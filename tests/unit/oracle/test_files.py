"""What lies in the workspace after the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.oracle.files import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

BEFORE = {"/w/kept": "k", "/w/changed": "old", "/w/gone": "g", "/w/pic": None}
AFTER = {"/w/kept": "k", "/w/changed": "new", "/w/new.md": "milk", "/w/pic": None, "/w/b.md": "bread"}


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"path": "/w/kept"}, None),
        ({"path": "/w//kept"}, None),
        ({"path": "/w/none"}, "does not exist"),
        ({"path": "/w/none", "exists": True}, "does not exist"),
        ({"path": "/w/none", "content": "x"}, "does not exist"),
        ({"path": "/w/none", "exists": False}, None),
        ({"path": "/w/kept", "exists": False}, "exists ('/w/kept'), expected not to"),
        ({"path": "/w/new.md", "contains_any": ["MILK"]}, None),
        ({"path": "/w/new.md", "contains_any": ["eggs"]}, "does not contain 'eggs'; it holds «milk»"),
        ({"path": "/w/pic"}, None),
        ({"path": "/w/kept", "unchanged": True}, None),
        ({"path": "/w/changed", "unchanged": True}, "is not unchanged: /w/changed has another content"),
        ({"path": "/w/gone", "unchanged": True}, "is not unchanged: /w/gone is gone"),
        ({"path": "/w/new.md", "unchanged": True}, "is not unchanged: /w/new.md is new"),
        ({"path": "/w/none", "unchanged": True}, None),
        ({"path": "/w/none", "unchanged": True, "exists": True}, "does not exist"),
        (
            {"path": "/w/pic", "unchanged": True},
            "is not unchanged: /w/pic is binary, so its content cannot be compared",
        ),
        (
            {"path": "/w/changed", "content": "old", "unchanged": True},
            "is not «old»; it holds «new», and is not unchanged: /w/changed has another content",
        ),
        ({"path": "/w/*.md"}, None),
        ({"path": "/w/*.md", "contains_all": ["bread"]}, None),
        (
            {"path": "/w/*.md", "contains_all": ["bread", "milk"]},
            (
                "matches no file as stated: /w/b.md does not contain 'milk'; it holds «bread»; "
                "/w/new.md does not contain 'bread'; it holds «milk»"
            ),
        ),
        ({"path": "/w/*.md", "exists": False}, "exists ('/w/b.md' and '/w/new.md'), expected not to"),
        ({"path": "/w/k*", "unchanged": True}, None),
        (
            {"path": "/w/*e*", "unchanged": True},
            "is not unchanged: /w/changed has another content, /w/gone is gone, /w/new.md is new",
        ),
    ],
)
def test_entry(
    entry: Any, problem: str | None, scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """One finding an entry, with all that is wrong of it."""
    [finding] = findings(scenario(files=[entry]), trace(files=AFTER, files_before=BEFORE))
    assert finding.reason == f"files: {entry['path']} {problem or 'is as stated'}"
    assert finding.ok is (problem is None)
