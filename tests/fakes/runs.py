"""Runs a program under the recording as a scenario's run would, and replays what was recorded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.clock import fresh_id
from kit.recording.options import SessionOptions, SessionResult
from kit.recording.session import start
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules

RULES = parse_rules({"patterns": ["s3cret"]})
START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


def recording(folder: Path, **changes: Any) -> SessionOptions:
    """Options that record into a journal in `folder`."""
    given: dict[str, Any] = {
        "mode": "record",
        "name": "tried",
        "start": START,
        "seed": 7,
        "journal": folder / f"{fresh_id()}.jsonl",
        "redactor": Redactor(RULES),
        "workspace": folder,
    }
    return SessionOptions(**(given | changes))


def replaying(folder: Path, recorded: Iterable[Interaction], **changes: Any) -> SessionOptions:
    """Options that replay `recorded`."""
    return recording(folder, mode="replay", playlist=Playlist(recorded, Keyer()), **changes)


def run(options: SessionOptions, program: Callable[[], Any]) -> tuple[Any, SessionResult]:
    """What the program returned, and what became of the session; a coroutine gets a loop of its own."""
    with start(options) as session:
        returned = program()
        if isinstance(returned, Coroutine):
            import asyncio

            returned = asyncio.run(returned)
    return returned, session.result
