"""What a recorded test is told of its run: what was captured, what was left over, where replay stopped it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Interaction
from kit.recording.guard.frames import owner
from kit.recording.patching import CLIENTS

if TYPE_CHECKING:
    from types import TracebackType

NOTHING = (
    "nothing was captured: the test asks no model and no tool, or asks through a client that kit does not "
    f"intercept (kit intercepts {CLIENTS}, and kit.tool)"
)
_SHOWN = 5


def place_in(trace: TracebackType | None) -> str:
    """The test's own line that replay stopped at: between it and kit lies a client's code."""
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if owner(code.co_filename) == "program":
            place = f"\n\n{code.co_filename}:{trace.tb_lineno}: in {code.co_name}"
        trace = trace.tb_next
    return place


def left_over(leftovers: Sequence[Interaction], again: str) -> str:
    """What of a recording the test did not ask for.

    Args:
        leftovers: at least one.
        again: the command that records the test anew.
    """
    named = ", ".join(f"{one.number} ({_asked(one)})" for one in leftovers[:_SHOWN])
    more = f" and {len(leftovers) - _SHOWN} more" if len(leftovers) > _SHOWN else ""
    return f"recorded but never played: interaction {named}{more}; the test no longer asks\n  next: {again}"


def _asked(interaction: Interaction) -> str:
    request = interaction.request
    return f"{request.method} {request.url}" if isinstance(request, HttpRequest) else f"tool {request.name}"
