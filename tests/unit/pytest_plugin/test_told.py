"""What a recorded test is told of its run."""

from __future__ import annotations

import json

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.pytest_plugin.told import left_over, place_in


def interaction(number: int, *, is_tool: bool = False) -> Interaction:
    """A call of a model, or of a tool."""
    if is_tool:
        return Interaction(number, "tool", ToolRequest("weather", {}), ToolResponse(None), 0, 1)
    return Interaction(
        number, "model", HttpRequest("POST", "http://m/chat", (), b""), HttpResponse(200), 0, 1
    )


def test_left_over_calls_are_named_and_long_lists_are_cut() -> None:
    """Each by its number and what it asks; then the command."""
    assert left_over([interaction(1), interaction(2, is_tool=True)], "kit record") == (
        "recorded but never played: interaction 1 (POST http://m/chat), 2 (tool weather); the test no longer "
        "asks\n  next: kit record"
    )
    assert "5 (POST http://m/chat) and 2 more;" in left_over([interaction(n) for n in range(1, 8)], "x")


def test_the_place_is_the_innermost_line_of_the_program() -> None:
    """Libraries below it are nobody's to mend."""
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    place = place_in(caught.tb)
    assert place.startswith(f"\n\n{__file__}:")
    assert place.endswith(": in test_the_place_is_the_innermost_line_of_the_program")
    assert place_in(None) == ""
