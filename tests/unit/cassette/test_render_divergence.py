"""What a person reads of a conditional replay."""

from __future__ import annotations

from kit.cassette.differences import Difference
from kit.cassette.divergence import Divergence
from kit.cassette.render_divergence import render_divergences

PROMPT = Difference("messages[0].content", "be ‹brief›", "be ‹kind›")
TOOLS = Difference("tools[0].function.name", "‹f›", "‹g›")


def test_a_changed_prompt_is_told_once() -> None:
    """However many calls carry it; what differs in some of them only says in how many."""
    divergences = [
        Divergence(1, ("system prompt",), (PROMPT,)),
        Divergence(3, ("system prompt", "tool schema"), (PROMPT, TOOLS)),
    ]
    assert render_divergences(divergences, 3) == (
        "needs recording: 2 of 3 requests differ from what was recorded\n"
        "\n"
        "  changed   system prompt, tool schema\n"
        "\n"
        "    messages[0].content\n"
        "      recorded  be ‹brief›\n"
        "      now       be ‹kind›\n"
        "    tools[0].function.name  (1 of 2)\n"
        "      recorded  ‹f›\n"
        "      now       ‹g›\n"
        "\n"
        "  why       the model may answer the changed requests otherwise; the old answers prove nothing"
    )


def test_one_request_and_many_places_stay_short() -> None:
    """A tool schema rewritten everywhere does not fill the screen."""
    places = tuple(Difference(f"tools[{index}]", "a", "b") for index in range(7))
    text = render_divergences([Divergence(1, ("tool schema",), places)], 1)
    assert text.startswith("needs recording: 1 of 1 request differs from what was recorded\n")
    assert "tools[3]" in text
    assert "tools[4]" not in text
    assert "… and 3 more places" in text
