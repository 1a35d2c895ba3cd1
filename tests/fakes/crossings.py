"""Runs a program with tools twice, recorded and replayed, for adapters that need no server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.cassette.interaction import ToolRequest, ToolResponse
from kit.recording.options import SessionResult
from tests.fakes.runs import recording, replaying, run


@dataclass
class Twice:
    """What a program did both times.

    Attributes:
        recorded: what it returned in record.
        replayed: what it returned in replay.
        calls: name, arguments, result and failure of each tool call that was recorded.
        sessions: what the two sessions tell.
    """

    recorded: Any
    replayed: Any
    calls: list[tuple[str, dict[str, Any], Any, str | None]]
    sessions: tuple[SessionResult, SessionResult]


def twice(program: Callable[[], Any], folder: Path) -> Twice:
    """Record `program`, sync or async, and replay it from what was recorded."""
    recorded, first = run(recording(folder), program)
    replayed, second = run(replaying(folder, first.interactions), program)
    calls = [
        (one.request.name, one.request.arguments, one.response.result, one.response.failure)
        for one in first.interactions
        if isinstance(one.request, ToolRequest) and isinstance(one.response, ToolResponse)
    ]
    return Twice(recorded, replayed, calls, (first, second))
