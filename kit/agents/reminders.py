"""The home agent's reminders: one file an instant, `reminders/<instant>.md`, run again in replay."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.speaking import speaking_of

REMINDERS = "reminders"
_WHEN = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?")


def reminder_tool(workspace: Workspace) -> dict[str, Callable[..., str]]:
    """`schedule_reminder` on one workspace."""

    def schedule_reminder(when: str, text: str) -> str:
        instant = _instant(when)
        line = " ".join(text.split())
        if not line:
            raise ValueError("a reminder needs a text")
        path = f"{workspace.home}/{REMINDERS}/{instant.replace(':', '')}.md"
        with speaking_of(path):
            file = workspace.resolve(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            before = file.read_bytes() if file.exists() else b""
            file.write_bytes(before + f"{instant} {line}\n".encode())
        return f"reminder set for {instant}: {line}"

    return {"schedule_reminder": tool(schedule_reminder, replay="execute")}


def _instant(when: str) -> str:
    """The instant as `2026-05-04T09:00`, of the user's own clock.

    Raises:
        ValueError: it is none; there is no guessing what «tomorrow» is.
    """
    wrong = f"{when!r} is no date and time; write it like 2026-12-31T18:30"
    if not _WHEN.fullmatch(when.strip()):
        raise ValueError(wrong)
    try:
        return datetime.fromisoformat(when.strip()).strftime("%Y-%m-%dT%H:%M")
    except ValueError:
        raise ValueError(wrong) from None
