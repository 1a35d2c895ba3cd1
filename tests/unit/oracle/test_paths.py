"""Paths are compared as the agent sees them, normalised (S2-15)."""

from __future__ import annotations

import pytest

from kit.oracle.paths import normal_path, path_arguments, path_matches


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/tmp/a", "/tmp/a"),
        ("//tmp//a/", "/tmp/a"),
        ("/tmp/./b/../a", "/tmp/a"),
        ("note.md", "/workspace/note.md"),
        ("./note.md", "/workspace/note.md"),
        ("../etc/passwd", "/etc/passwd"),
        ("/../../etc", "/etc"),
        ("", "/workspace"),
        ("perche\u0301", "/workspace/perché"),
    ],
)
def test_normal_path(path: str, expected: str) -> None:
    """Relative paths start at the agent's home; dots and double slashes do not count."""
    assert normal_path(path) == expected


@pytest.mark.parametrize(
    ("path", "pattern", "ok"),
    [
        ("/tmp/a", "/tmp/a", True),
        ("/tmp/x/../a", "/tmp/a", True),
        ("/tmp/a", "/tmp/b", False),
        ("/tmp/A", "/tmp/a", False),
        ("/tmp/ab", "/tmp/a", False),
        ("/tmp/log/x.txt", "/tmp/*.txt", True),
        ("note.md", "note.md", True),
        ("note.md", "/workspace/*.md", True),
        ("/tmp/test.log", "*.log", True),
        ("/tmp/a[1].txt", "/tmp/a[1].txt", True),
        ("/tmp/a1.txt", "/tmp/a[1].txt", True),
        ("/tmp/aXc", "/tmp/a.c", False),
    ],
)
def test_path_matches(path: str, pattern: str, ok: bool) -> None:
    """A pattern is the path itself or a glob, never a regular expression."""
    assert path_matches(path, pattern) is ok


def test_path_arguments_are_told_by_name() -> None:
    """An argument called a path is one; without any, every text may be."""
    assert path_arguments({"path": "/a", "text": "hello", "n": 1}) == {"path": "/a"}
    assert path_arguments({"source_path": "/a", "target_file": "/b"}) == {
        "source_path": "/a",
        "target_file": "/b",
    }
    assert path_arguments({"name": "/a", "n": 1}) == {"name": "/a"}
    assert path_arguments({}) == {}
