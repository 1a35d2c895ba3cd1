"""Explains a request that was never recorded (decision 5); its imports are paid for by a miss only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Lane, ToolRequest

if TYPE_CHECKING:
    from kit.cassette.match import Playlist
    from kit.recording.options import SessionOptions


def explain_miss(
    request: HttpRequest | ToolRequest, key: bytes, lane: Lane, playlist: Playlist, options: SessionOptions
) -> str:
    """The whole text of a miss: nearest recorded request, what differs, what to type next.

    Args:
        request: as it would have been recorded.
        key: what it was looked up by.
        lane: of the request.
        playlist: what this run plays.
        options: of the session.
    """
    from kit.cassette.explain import explain
    from kit.cassette.render_miss import render

    return render(explain(request, playlist, key, lane=lane), options.name, options.next_command)
