"""What the stubs of all clients are tested with: record against a server, replay, compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kit.cassette.interaction import HttpResponse
from kit.recording.options import SessionResult
from tests.fakes.model_server import Answer, ModelServer, serving
from tests.fakes.runs import recording, replaying, run

Program = Callable[[ModelServer], Any]


def asked(text: str) -> dict[str, Any]:
    """A chat request that says `text`."""
    return {"model": "stub", "messages": [{"role": "user", "content": text}]}


def response_of(recorded: SessionResult, position: int = 0) -> HttpResponse:
    """The answer of one recorded exchange; `position` counts from 0."""
    response = recorded.interactions[position].response
    assert isinstance(response, HttpResponse)
    return response


def there_and_back(
    folder: Path, program: Program, *, again: Program | None = None, answers: dict[str, Answer] | None = None
) -> tuple[Any, SessionResult]:
    """Records a program, replays it with the server dead, and checks what every replay must hold.

    Args:
        folder: for journals.
        program: gets the server, and returns all that it saw.
        again: what is replayed, where it is not the same program.
        answers: of the server, by path.

    Returns:
        What the program saw, the same both times, and what was recorded.
    """
    with serving(**(answers or {})) as server:
        seen, recorded = run(recording(folder), lambda: program(server))
    assert not recorded.escapes, recorded.escapes
    hits = len(server.requests)
    replayed = again or program
    seen_again, result = run(replaying(folder, recorded.interactions), lambda: replayed(server))
    assert not (result.leftovers or result.misses or result.escapes or result.side_effects), result
    assert result.live_requests == 0
    assert len(server.requests) == hits
    assert seen_again == seen, (seen_again, seen)
    assert result.ended_ms == recorded.ended_ms
    return seen, recorded
