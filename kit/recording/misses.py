"""What becomes of a request that was never recorded: it goes on (decision 6) or is explained (decision 5).

The imports are paid for by a miss only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Interaction, Lane, ToolRequest
from kit.recording.guard.frames import asking_place

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence
    from kit.cassette.match import Playlist
    from kit.recording.options import SessionOptions
    from kit.redaction.redactor import Redactor


def same_place(request: HttpRequest, playlist: Playlist) -> tuple[Interaction, Divergence] | None:
    """The recorded call of a model at the same place of the same conversation, taken from the playlist.

    Returns:
        None where more than prompt, tools or parameters differ: then the run must not go on.
    """
    from kit.cassette.divergence import divergence_from

    return playlist.take_first("model", divergence_from(request))


def same_behind_masks(
    request: HttpRequest | ToolRequest, playlist: Playlist, redactor: Redactor
) -> Interaction | None:
    """The recorded interaction whose request differs only where masks stand, taken from the playlist.

    What stands there is known from now on, so that the rest of the conversation is found by its key.
    """
    from kit.recording.behind_masks import judge_of

    judge = judge_of(request, redactor)

    def bound(item: Interaction) -> bool | None:
        numbers = judge(item)
        return (numbers is not None and redactor.bind(numbers)) or None

    lanes: tuple[Lane, ...] = ("model", "other") if isinstance(request, HttpRequest) else ("tool",)
    for lane in lanes:
        found = playlist.take_first(lane, bound)
        if found is not None:
            return found[0]
    return None


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

    report = explain(request, playlist, key, lane=lane)
    return render(report, options.name, options.next_command, where=_where(request))


def _where(request: HttpRequest | ToolRequest) -> str:
    place = str(asking_place())
    if isinstance(request, ToolRequest):
        return place
    host = request.url.partition("://")[2].partition("/")[0]
    return f"{place}, to {host}" if host else place
