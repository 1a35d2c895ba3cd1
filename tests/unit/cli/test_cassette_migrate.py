"""`kit cassette migrate` as a command; what it does stands in tests/unit/workflow/test_migrate.py."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.tiny_project import tiny_project


def test_its_help_says_when_it_may_be_used(tmp_path: Path) -> None:
    """A newcomer learns that it is a loan."""
    ran = tiny_project(tmp_path).kit("cassette", "migrate", "--help")
    assert ran.code == 0
    assert "expires" in ran.out
    assert "--yes" in ran.out


def test_wrong_words_and_nothing_recorded(tmp_path: Path) -> None:
    """Documented exit codes."""
    project = tiny_project(tmp_path)
    assert project.kit("cassette", "migrate").code == 3
    assert project.kit("cassette", "migrate", "nobody").code == 2
