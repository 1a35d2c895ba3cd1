"""A call that crosses, plain and async; `kit.tool` itself is met in test_tool.py."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kit.agent.crossing import cross, cross_async
from kit.cassette.interaction import ToolResponse
from tests.unit.agent.test_tool import FakeTicket


class Doubling:
    """Gives back twice what was handed in, or what was recorded."""

    def settle(self, ticket: Any, result: Any) -> Any:
        """Hands in."""
        ticket.finish(result)
        return result * 2

    def serve(self, recorded: ToolResponse) -> Any:
        """Serves."""
        return recorded.result


def test_a_plain_call_is_handed_in() -> None:
    """The tool runs once, and the agent gets what settling made of its result."""
    ticket: Any = FakeTicket()
    assert cross(Doubling(), ticket, lambda: 21) == 42
    assert ticket.finished == [21]


def test_what_was_recorded_is_served_without_running() -> None:
    """In replay nobody calls the function."""
    ticket: Any = FakeTicket(ToolResponse("recorded"))
    assert cross(Doubling(), ticket, lambda: pytest.fail("it ran")) == "recorded"
    assert ticket.finished == ["handed over"]


def test_a_failure_is_handed_in_and_goes_on() -> None:
    """The agent sees the tool's own exception, plain and async."""
    plain: Any = FakeTicket()
    with pytest.raises(ZeroDivisionError):
        cross(Doubling(), plain, lambda: 1 // 0)
    ticket: Any = FakeTicket()

    async def fail() -> None:
        raise LookupError("nothing")

    with pytest.raises(LookupError):
        asyncio.run(cross_async(Doubling(), ticket, fail))
    assert [type(error) for error in plain.failed + ticket.failed] == [ZeroDivisionError, LookupError]


def test_an_async_call_is_awaited() -> None:
    """What is handed in is the result, not the coroutine."""
    ticket: Any = FakeTicket()

    async def answer() -> int:
        return 21

    assert asyncio.run(cross_async(Doubling(), ticket, answer)) == 42
    assert ticket.finished == [21]
