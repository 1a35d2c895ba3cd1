"""`kit.tool` against a fake session; the real one is met in tests/unit/run/test_runner.py."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from kit.agent import tool as tool_module
from kit.agent.tool import tool
from kit.cassette.interaction import ToolResponse


@dataclass
class FakeTicket:
    """A ticket that keeps what it is told."""

    recorded: ToolResponse | None = None
    finished: list[Any] = field(default_factory=list)
    failed: list[BaseException] = field(default_factory=list)

    def finish(self, result: Any) -> None:
        """Keep a result."""
        self.finished.append(result)

    def fail(self, error: BaseException) -> None:
        """Keep an exception."""
        self.failed.append(error)

    def end(self) -> None:
        """The recorded result is handed over."""
        self.finished.append("handed over")


@dataclass
class FakeSession:
    """A session that keeps the calls and serves `serve`."""

    serve: ToolResponse | None = None
    calls: list[tuple[str, dict[str, Any], bool]] = field(default_factory=list)
    tickets: list[FakeTicket] = field(default_factory=list)

    def begin_tool(self, name: str, arguments: dict[str, Any], *, executed: bool) -> FakeTicket:
        """Keep a call."""
        self.calls.append((name, arguments, executed))
        self.tickets.append(FakeTicket(self.serve))
        return self.tickets[-1]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSession]:
    """A run in force."""
    fake = FakeSession()
    monkeypatch.setattr(tool_module, "responsible", lambda what: fake)
    return fake  # type: ignore[return-value]


@tool
def add(first: int, second: int = 2, *rest: int, scale: int = 1, **named: int) -> int:
    """Adds."""
    return (first + second + sum(rest) + sum(named.values())) * scale


def test_outside_a_run_the_function_is_called_and_nothing_else() -> None:
    """Without a session the wrapper changes neither result nor exceptions."""
    assert add(1, 2, 3, scale=2, extra=4) == 20
    with pytest.raises(TypeError, match="missing"):
        add()  # type: ignore[call-arg]


def test_name_docstring_and_signature_are_kept() -> None:
    """An SDK that makes a tool schema from the function sees what was written."""
    assert add.__name__ == "add"
    assert add.__doc__ == "Adds."
    assert list(inspect.signature(add).parameters) == ["first", "second", "rest", "scale", "named"]


@pytest.mark.parametrize(
    ("args", "kwargs", "arguments"),
    [
        ((1,), {}, {"first": 1, "second": 2, "scale": 1}),
        ((1, 5), {}, {"first": 1, "second": 5, "scale": 1}),
        ((), {"second": 5, "first": 1}, {"first": 1, "second": 5, "scale": 1}),
        ((1, 2, 3, 4), {}, {"first": 1, "second": 2, "rest": (3, 4), "scale": 1}),
        ((1,), {"depth": 3}, {"first": 1, "second": 2, "scale": 1, "depth": 3}),
        ((1,), {"rest": 3}, {"first": 1, "second": 2, "scale": 1, "rest": 3}),
        ((1, 2, 3), {"rest": 4}, {"first": 1, "second": 2, "rest": (3,), "scale": 1, "named": {"rest": 4}}),
    ],
)
def test_arguments_are_recorded_by_parameter_name(
    session: FakeSession, args: tuple[int, ...], kwargs: dict[str, int], arguments: dict[str, Any]
) -> None:
    """Positional, named and defaulted spellings of one call are one request."""
    add(*args, **kwargs)
    assert session.calls == [("add", arguments, False)]


def test_a_call_that_does_not_fit_is_the_functions_own_error(session: FakeSession) -> None:
    """A wrong call raises what Python raises and records nothing."""
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        add()  # type: ignore[call-arg]
    assert session.calls == []


def test_the_result_is_recorded_and_given_as_replay_will_give_it(session: FakeSession) -> None:
    """A tuple in a served result is a list in record already, so that replay shows the agent nothing new."""

    @tool
    def pair() -> tuple[int, int]:
        return (1, 2)

    result: Any = pair()
    assert result == [1, 2]
    assert session.tickets[0].finished == [(1, 2)]


def test_an_executed_tool_gives_its_own_result(session: FakeSession) -> None:
    """The agent gets what the function made, not a copy."""
    made = {"a": [1]}

    @tool(name="make", replay="execute")
    def build() -> dict[str, list[int]]:
        return made

    assert build() is made
    assert session.calls == [("make", {}, True)]


def test_a_served_tool_is_not_called(session: FakeSession) -> None:
    """In replay the recorded result comes back and the function stays untouched."""
    session.serve = ToolResponse(result={"n": 7})

    @tool
    def never() -> dict[str, int]:
        raise AssertionError("called")

    assert never() == {"n": 7}


class QuotaError(Exception):
    """An exception of the tool's own module, with arguments of its own."""

    def __init__(self, used: int, limit: int) -> None:
        super().__init__(f"{used} of {limit}")


@pytest.mark.parametrize(
    ("failure", "kind", "text"),
    [
        ("FileNotFoundError: no such file", FileNotFoundError, "no such file"),
        ("KeyError: 'name'", KeyError, "'name'"),
        ("QuotaError: 3 of 2", QuotaError, "3 of 2"),
        ("UnicodeDecodeError: bad byte", UnicodeDecodeError, "bad byte"),
        ("StrangeError: what", Exception, "what"),
        ("ValueError: ", ValueError, ""),
    ],
)
def test_a_recorded_exception_is_raised_again(
    session: FakeSession, failure: str, kind: type[Exception], text: str
) -> None:
    """The agent's `except` catches in replay what it caught in record."""
    session.serve = ToolResponse(failure=failure)

    @tool
    def fails() -> None: ...

    with pytest.raises(kind) as caught:
        fails()
    assert str(caught.value) == text
    assert type(caught.value).__name__ == failure.partition(":")[0]


def test_an_exception_is_recorded_and_goes_on(session: FakeSession) -> None:
    """A failing tool fails for the agent too."""

    @tool
    def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fails()
    assert [str(error) for error in session.tickets[0].failed] == ["no"]


def test_async_tools_stay_async(session: FakeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """An async function is recorded when it is awaited, with its result, and served without being run."""

    async def at_once(ticket: FakeTicket) -> None:
        ticket.end()

    monkeypatch.setattr("kit.recording.pace.hand_over", at_once)

    @tool
    async def fetch(key: str) -> str:
        await asyncio.sleep(0)
        if key == "bad":
            raise LookupError(key)
        return key.upper()

    assert inspect.iscoroutinefunction(fetch)
    assert asyncio.run(fetch("x")) == "X"
    assert session.calls == [("fetch", {"key": "x"}, False)]
    with pytest.raises(LookupError):
        asyncio.run(fetch("bad"))
    assert session.tickets[1].failed
    session.serve = ToolResponse(result="recorded")
    assert asyncio.run(fetch("x")) == "recorded"


def test_async_tools_outside_a_run_are_just_awaited() -> None:
    """Without a session the coroutine function is called as it is."""

    @tool
    async def fetch() -> int:
        return 3

    assert asyncio.run(fetch()) == 3


def test_methods_record_their_arguments_without_self(session: FakeSession) -> None:
    """The receiver is no argument of the tool, however the method is bound."""

    class Shelf:
        @tool
        def put(self, book: str) -> str:
            return book

        @classmethod
        @tool
        def make(cls, size: int) -> int:
            return size

        @staticmethod
        @tool
        def count(items: int) -> int:
            return items

        def take(self, book: str) -> str:
            return book

    shelf = Shelf()
    shelf.put("a")
    Shelf.make(3)
    Shelf.count(4)
    tool(shelf.take)("b")
    assert session.calls == [
        ("put", {"book": "a"}, False),
        ("make", {"size": 3}, False),
        ("count", {"items": 4}, False),
        ("take", {"book": "b"}, False),
    ]


def test_a_plain_function_may_have_a_parameter_called_self(session: FakeSession) -> None:
    """Only a function written in a class body has a receiver."""

    @tool
    def name(self: str) -> str:
        return self

    name("x")
    assert session.calls == [("name", {"self": "x"}, False)]


def test_what_cannot_be_recorded_is_refused_when_it_is_wrapped() -> None:
    """A generator, a value, a class-level wrapper and an unknown way of replay fail at once, not in a run."""

    def many() -> Iterator[int]:
        yield 1

    wrong: list[Any] = [many, 3, classmethod(lambda cls: None), staticmethod(many)]
    for one in wrong:
        with pytest.raises(TypeError, match=r"kit\.tool"):
            tool(one)
    with pytest.raises(ValueError, match="serve"):
        tool(replay="skip")  # type: ignore[call-overload]
