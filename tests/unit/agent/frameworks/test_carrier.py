"""One tool of a framework crosses, plain and async, served and executed."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest

from kit.agent.frameworks.carrier import Carrier, checked
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


class Retry(Exception):
    """An exception that needs its own `__init__`."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def effect(text: str) -> tuple[str, int]:
    EFFECTS.append(text)
    return text, len(EFFECTS)


@pytest.fixture(autouse=True)
def no_effects() -> None:
    """Each test counts its own."""
    EFFECTS.clear()


@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_plain_call(tmp_path: Path, replay: Literal["serve", "execute"]) -> None:
    """Served, the tool runs in record only; executed, it runs again and a difference is tool drift."""
    carrier = Carrier("effect", replay, (), shape=tuple)
    done = twice(lambda: carrier.call({"text": "a"}, lambda: effect("a")), tmp_path)
    assert done.calls == [("effect", {"text": "a"}, ["a", 1], None)]
    assert done.recorded == ("a", 1)
    assert done.replayed == (("a", 1) if replay == "serve" else ("a", 2))
    assert bool(done.sessions[1].tool_drift) == (replay == "execute")


def test_async_call_that_falls_back_on_the_plain_one_crosses_once(tmp_path: Path) -> None:
    """A framework whose async method calls its plain one in a thread records one call."""
    carrier = Carrier("effect", "execute", ())

    async def program() -> Any:
        async def plain() -> Any:
            return await asyncio.to_thread(carrier.call, {"text": "a"}, lambda: effect("a")[0])

        return await carrier.call_async({"text": "a"}, plain)

    done = twice(program, tmp_path)
    assert [call[0] for call in done.calls] == ["effect"]
    assert EFFECTS == ["a", "a"]


def test_failures_come_back_as_what_they_were(tmp_path: Path) -> None:
    """The framework's own exceptions are made by it, others are looked up by name."""
    carrier = Carrier("effect", "serve", (), failures={"Retry": Retry})

    def fail(error: Exception) -> Any:
        EFFECTS.append(str(error))
        raise error

    def program() -> list[Any]:
        told: list[Any] = []
        for error in (Retry("again"), LookupError("none")):
            try:
                carrier.call({}, partial(fail, error))
            except (Retry, LookupError) as met:
                told.append((type(met).__name__, getattr(met, "message", str(met))))
        return told

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == [("Retry", "again"), ("LookupError", "none")]
    assert EFFECTS == ["again", "none"]


def test_outside_a_run_it_just_calls() -> None:
    """Neither arguments nor result need be JSON then."""
    carrier = Carrier("effect", "serve", ())

    async def later() -> object:
        return object

    assert carrier.call({"open": object()}, lambda: object) is object
    assert asyncio.run(carrier.call_async({"open": object()}, later)) is object


def test_result_that_is_no_json_is_the_agents_error(tmp_path: Path) -> None:
    """It is said in record, where somebody can mend it, and the call is recorded as failed."""
    carrier = Carrier("effect", "serve", ())

    def program() -> str:
        try:
            carrier.call({}, object)
        except Exception as error:  # noqa: BLE001 - any class of kit's
            return str(error).partition(":")[0]
        return "nothing"

    assert twice(program, tmp_path).recorded == "the result of tool effect is a builtins.object"


def test_replay_is_one_of_two() -> None:
    """A typo is said at once."""
    assert checked("execute") == "execute"
    with pytest.raises(ValueError, match="'server'"):
        checked("server")
