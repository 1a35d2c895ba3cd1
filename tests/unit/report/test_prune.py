"""Recordings without an owner, as a list."""

from __future__ import annotations

from kit.report.prune import render
from kit.workflow.prune import Orphan, Pruned

ORPHAN = Orphan("cassettes/home/stub/001_x.yaml", "home has no scenario of this name", 2048)


def test_list_says_why_and_what_deletes_it() -> None:
    """Without an orphan there is nothing to type."""
    assert render(Pruned((), False, False)) == "every recording has its owner"
    assert render(Pruned((ORPHAN,), False, True)).splitlines() == [
        "no owner: cassettes/home/stub/001_x.yaml (home has no scenario of this name)",
        "1 file, 2.0 kB",
        "next: kit cassette prune --yes --tests",
    ]


def test_what_was_deleted_is_told_once() -> None:
    """Nothing is left to do."""
    lines = render(Pruned((ORPHAN, ORPHAN), True, False)).splitlines()
    assert lines[0].startswith("deleted: cassettes/home/stub/001_x.yaml")
    assert lines[-1] == "2 files, 4.0 kB"
