"""What a turn begins with."""

from __future__ import annotations

from pathlib import Path

from kit.agent.protocol import Message
from kit.agents.prompt import SYSTEM_PROMPT, opening
from tests.fakes.home_turns import turn


def test_opening_is_system_prompt_history_and_message(tmp_path: Path) -> None:
    """Earlier turns stand between the prompt and the new message, oldest first."""
    history = (Message("user", "one"), Message("assistant", "two"))
    given, _ = turn(tmp_path, message="three", history=history)
    assert opening(given) == [
        {"role": "system", "content": SYSTEM_PROMPT},
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "three"},
    ]


def test_prompt_names_no_scenario() -> None:
    """The prompt was written once and knows nothing of what is tested."""
    assert not any(word in SYSTEM_PROMPT for word in ("apt", "log", "BLUEBIRD", "/tmp", "/workspace"))
