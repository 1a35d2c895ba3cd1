"""What migrating changes, as a person reads it."""

from __future__ import annotations

from pathlib import Path

from kit.cassette.differences import Difference
from kit.report.migrate import render_migrated
from kit.workflow.migrate import Edit, Migrated

PATHS = tuple(Path(f"cassettes/home/m/00{number}.yaml") for number in range(1, 6))
ANEW = ("kit record home --stale --model m:1b", "kit record 001_x --model m:2b")


def migrated(**changes: object) -> Migrated:
    """Five recordings of one edited prompt."""
    edit = Edit("system prompt", Difference("messages[0].content", "a ‹home› b", "a ‹good› b"), PATHS)
    given: dict[str, object] = {
        "edits": (edit,),
        "paths": PATHS,
        "refused": (),
        "unchanged": 1,
        "expires": "2026-12-30",
        "is_written": False,
        "exit_code": 0,
        "anew": ANEW,
    }
    return Migrated(**(given | changes))  # type: ignore[arg-type]


def test_an_edit_is_told_once_for_all_its_recordings() -> None:
    """Place, both values, where; then what to type."""
    assert render_migrated(migrated()).splitlines() == [
        "system prompt: messages[0].content  (in 5 recordings)",
        "  recorded  a ‹home› b",
        "  now       a ‹good› b",
        f"  in        {PATHS[0]}, {PATHS[1]}, {PATHS[2]} and 2 more",
        "",
        "5/6 recordings can be migrated, until 2026-12-30; nothing is written yet",
        f"  next: the same command with --yes, or record anew: {'; '.join(ANEW)}",
    ]


def test_what_was_written_says_what_it_is_worth() -> None:
    """The last line is the way out."""
    lines = render_migrated(migrated(is_written=True)).splitlines()
    assert lines[-3:] == [
        "migrated 5/6 recordings; they hold until 2026-12-30",
        "  their answers were given to the requests before: the gate warns, and no floor counts them",
        "  next: kit record home --stale --model m:1b; kit record 001_x --model m:2b",
    ]


def test_what_is_refused_says_why() -> None:
    """All lines of the reason, below the file."""
    text = render_migrated(
        migrated(edits=(), paths=(), refused=((PATHS[0], "MISS step 2\n  next: record"),), unchanged=0)
    )
    assert text.splitlines() == [
        f"cannot be migrated: {PATHS[0]}",
        "  MISS step 2",
        "    next: record",
        "1/1 recordings cannot be migrated; nothing is written",
    ]
