"""An executed tool against its recording."""

from __future__ import annotations

import pytest

from kit.cassette.interaction import ToolResponse
from kit.recording.tool_drift import tool_drift


@pytest.mark.parametrize(
    ("recorded", "now", "drifts"),
    [
        (ToolResponse(1), ToolResponse(1), False),
        (ToolResponse(1), ToolResponse(2), True),
        (ToolResponse(None, "OSError: x"), ToolResponse(None, "OSError: x"), False),
        (ToolResponse(None, "OSError: x"), ToolResponse("OSError: x"), True),
        (ToolResponse(None, "OSError: x"), ToolResponse(None, "OSError: y"), True),
    ],
)
def test_a_difference_is_told_with_both_sides(
    recorded: ToolResponse, now: ToolResponse, drifts: bool
) -> None:
    """Results and exceptions are compared, and one is never taken for the other."""
    text = tool_drift("look", 3, recorded, now)
    assert (text is not None) == drifts
    if text is not None:
        assert text.startswith("tool look (interaction 3) gave another result than recorded\n  recorded: ")
