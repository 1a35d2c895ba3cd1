"""What a person gets of a bug of kit."""

from __future__ import annotations

from pathlib import Path

from kit.harness.bug import report_bug


def test_the_traceback_is_kept_and_named(tmp_path: Path) -> None:
    """The message is short; the file says where it happened."""
    target = tmp_path / "new" / "bug.log"
    try:
        raise KeyError("gone")  # noqa: TRY301 - a traceback with this test in it
    except KeyError as bug:
        said = report_bug(bug, target, ".kit/bug.log")
    assert said.startswith("a bug in kit, not in your agent: KeyError: 'gone'")
    assert "next: report it with .kit/bug.log attached" in said
    assert "test_the_traceback_is_kept_and_named" in target.read_text(encoding="utf-8")
