"""`kit scan PATH…`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]
SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def test_clean_and_found(project: StubProject, kit: Kit) -> None:
    """Exit code 0 and one line, or 1 and the places."""
    project.scenario()
    project.record()
    assert (kit("scan", "cassettes").code, kit("scan", "cassettes").out.strip()[-5:]) == (0, "clean")
    path = project.cassette().with_name("other.txt")
    path.write_text(f"use {SECRET}\n", encoding="utf-8")
    ran = kit("scan", "cassettes")
    assert ran.code == 1
    assert "other.txt:1: GitHub token" in ran.out
    assert SECRET not in ran.out
    assert json.loads(kit("scan", "--json", "cassettes").out)["found"][0]["line"] == 1


def test_a_path_is_wanted(project: StubProject, kit: Kit) -> None:
    """Nothing scanned is not clean."""
    assert kit("scan").code == 2
    assert kit("scan", "nowhere").code == 2
