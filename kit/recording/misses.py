"""Explains a request that was never recorded (decision 5); only ever imported work on a miss."""

from __future__ import annotations

from collections.abc import Sequence

from kit.cassette.interaction import HttpRequest, Interaction, ToolRequest
from kit.recording.options import SessionOptions


def explain_miss(
    request: HttpRequest | ToolRequest, options: SessionOptions, played: Sequence[Interaction]
) -> str:
    """The whole text of a miss: nearest recorded request, what differs, what to type next.

    Args:
        request: as it would have been recorded.
        options: of the session, with its playlist.
        played: what was served so far, in order.
    """
    from kit.cassette.explain import explain, render

    assert options.playlist is not None
    report = explain(request, options.playlist, len(played))
    return render(report, options.name, options.next_command)
