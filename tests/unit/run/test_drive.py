"""Driving a conversation without any recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.agent.protocol import Message
from kit.errors import Escape, ModelUnreachable
from kit.redaction.redactor import Redactor
from kit.run.drive import Talk, converse
from kit.trace.run_facts import Said


class Standing:
    """A clock that counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def now_ms(self) -> int:
        """One more each time."""
        self.asked += 1
        return self.asked

    def started(self) -> int:
        """Nothing ever starts."""
        return 0


def _converse(agent: Any, *messages: str) -> Talk:
    def turn(message: str, history: tuple[Message, ...]) -> Any:
        class Given:
            pass

        given: Any = Given()
        given.message, given.history = message, history
        return given

    return converse(agent, messages, turn, Standing(), Path(__file__).parent)


def test_history_grows_by_both_sides() -> None:
    """Each turn sees what was said before it, and only that."""
    seen: list[tuple[Message, ...]] = []

    def agent(turn: Any) -> str:
        seen.append(turn.history)
        return f"re: {turn.message}"

    talk = _converse(agent, "one", "two")
    assert seen == [(), (Message("user", "one"), Message("assistant", "re: one"))]
    assert [said.text for said in talk.replies] == ["re: one", "re: two"]
    assert [said.at_ms for said in talk.turns] == [1, 3]


def test_a_failed_turn_is_the_last() -> None:
    """After an answer that is none the user says nothing more."""
    talk = _converse(lambda turn: None, "one", "two")
    assert [said.text for said in talk.turns] == ["one"]
    assert talk.failure is not None


def test_an_empty_answer_in_between_goes_on() -> None:
    """Only the final answer has to be one (decision 19)."""
    talk = _converse(lambda turn: "" if turn.message == "one" else "x", "one", "two")
    assert talk.failure is None
    assert [said.text for said in talk.replies] == ["", "x"]


@pytest.mark.parametrize("fault", [ModelUnreachable("no server"), Escape("around")])
def test_faults_of_kit_and_world_are_not_the_agents(fault: BaseException) -> None:
    """They end the conversation without blaming the agent."""

    def agent(turn: Any) -> str:
        raise fault

    talk = _converse(agent, "one")
    assert talk.fault is fault
    assert talk.failure is None


def test_an_async_agents_exception_is_blamed_on_its_line() -> None:
    """The loop's own frames are no use to its author."""

    async def agent(turn: Any) -> str:
        raise ValueError("bad")

    assert (_converse(agent, "one").failure or "").startswith("ValueError: bad (test_drive.py:")


def test_secrets_in_replies_are_masked() -> None:
    """What agent and user said, and how the agent failed, goes into traces and reports."""
    redactor = Redactor()
    redactor.expect(["hunter22-x"])
    talk = Talk([Said("use hunter22-x")], [Said("used hunter22-x")], "ValueError: hunter22-x")
    talk.hide_secrets(redactor)
    assert (talk.turns[0].text, talk.replies[0].text) == ("use <secret-1>", "used <secret-1>")
    assert talk.failure == "ValueError: <secret-1>"
