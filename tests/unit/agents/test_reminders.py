"""Reminders as files of the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agents.reminders import reminder_tool
from tests.fakes.home_turns import place


def test_a_reminder_is_a_file(tmp_path: Path) -> None:
    """One file an instant, in one spelling of the instant; a second text stands below the first."""
    remind = reminder_tool(place(tmp_path))["schedule_reminder"]
    assert remind("2026-05-04T09:00", "pagare l'IMU") == "reminder set for 2026-05-04T09:00: pagare l'IMU"
    remind(" 2026-05-04 09:00:00 ", "chiamare\nAnna")
    file = tmp_path / "workspace/reminders/2026-05-04T0900.md"
    assert file.read_text("utf-8") == "2026-05-04T09:00 pagare l'IMU\n2026-05-04T09:00 chiamare Anna\n"


@pytest.mark.parametrize(
    "when",
    ["", "domani", "9:00", "2026-05-04", "2026-13-04T09:00", "2026-02-30T09:00", "../x", "2026-05-04T09:00Z"],
)
def test_an_instant_is_not_guessed(tmp_path: Path, when: str) -> None:
    """The model is told how to write it, and nothing is written."""
    with pytest.raises(ValueError, match="is no date and time; write it like"):
        reminder_tool(place(tmp_path))["schedule_reminder"](when, "x")
    assert not (tmp_path / "workspace/reminders").exists()


def test_a_reminder_says_something(tmp_path: Path) -> None:
    """An empty reminder reminds of nothing."""
    with pytest.raises(ValueError, match="needs a text"):
        reminder_tool(place(tmp_path))["schedule_reminder"]("2026-05-04T09:00", " \n")


def test_reminders_never_leave_the_workspace(tmp_path: Path) -> None:
    """A folder that links out is not followed."""
    inner = tmp_path / "root"
    inner.mkdir()
    workspace = place(inner)
    (inner / "workspace/reminders").symlink_to(tmp_path)
    with pytest.raises(PermissionError, match="not permitted: /workspace/reminders/"):
        reminder_tool(workspace)["schedule_reminder"]("2026-05-04T09:00", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["root"]
