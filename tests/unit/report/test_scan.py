"""How finds are told."""

from __future__ import annotations

import json

from kit.redaction.scan import Find
from kit.report.scan import render_scanned, scanned_json
from kit.workflow.scan import Scanned

FOUND = Scanned(
    (
        ("a.py", Find("", "GitHub token", "ghp_… (40 characters)", 3)),
        ("b.yaml", Find("interaction 1, answer.x", "API key", "sk-… (20 characters)")),
        ("c.json", Find(".a[0]", "JWT", "eyJh… (60 characters)")),
    ),
    4,
    ("z.bin",),
    ('allow "x"',),
    1,
)


def test_for_people() -> None:
    """Place and kind a line, what to do, what was looked at."""
    lines = render_scanned(FOUND).splitlines()
    assert lines[:3] == [
        "a.py:3: GitHub token, ghp_… (40 characters)",
        "b.yaml: interaction 1, answer.x: API key, sk-… (20 characters)",
        "c.json: a[0]: JWT, eyJh… (60 characters)",
    ]
    assert lines[-2:] == [
        "4 files scanned, 1 without text: 3 finds",
        'note: allow "x" of [tool.kit.redaction] matched nothing here',
    ]
    assert render_scanned(Scanned((), 1, (), (), 0)) == "1 file scanned: clean"


def test_for_programs() -> None:
    """The same as JSON."""
    whole = json.loads(scanned_json(FOUND))
    assert whole["files"] == 4
    assert whole["found"][0] == {
        "file": "a.py", "line": 3, "place": "", "kind": "GitHub token", "shown": "ghp_… (40 characters)",
    }  # fmt: skip
    assert whole["unmatched_rules"] == ['allow "x"']


def test_what_was_not_looked_at_is_told() -> None:
    """By name and reason, in text and for programs."""
    scanned = Scanned((), 1, (), (), 0, (("a.yaml", "a pointer of git LFS: git lfs pull"),))
    assert render_scanned(scanned).splitlines() == [
        "1 file scanned: clean",
        "note: a.yaml was not looked at: a pointer of git LFS: git lfs pull",
    ]
    assert json.loads(scanned_json(scanned))["not_looked_at"] == [
        {"file": "a.yaml", "reason": "a pointer of git LFS: git lfs pull"}
    ]
