from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from kit import errors
from kit.recording import journal
from kit.recording.guard.frames import (
    Place,
    asked_at,
    asking_place,
    is_kit_at_work,
    owner,
    program_place,
)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (__file__, "program"),
        ("<string>", "program"),
        (httpx.__file__, "library"),
        (json.__file__, "stdlib"),
        ("<frozen importlib._bootstrap>", "stdlib"),
        (errors.__file__, "kit"),
        (journal.__file__, "stdlib"),
        (str(Path(errors.__file__).parent / "agents" / "home.py"), "program"),
    ],
)
def test_owner_of_a_file(file: str, expected: str) -> None:
    """The reference agents are programs like any other; what only carries calls is nobody's."""
    assert owner(file) == expected


def test_program_is_found_behind_libraries() -> None:
    """The line named is the program's own, though the standard library did it."""
    assert program_place().file == __file__
    assert not is_kit_at_work(through_libraries=True)


def test_program_is_found_behind_an_event_loop() -> None:
    """A coroutine that awaits another one is on the stack."""

    async def deeper() -> Place:
        return program_place()

    async def outer() -> Place:
        return await deeper()

    assert asyncio.run(outer()).file == __file__


def test_place_is_relative_to_the_working_directory() -> None:
    """A person reads the path from where he stands."""
    assert str(Place(f"{Path.cwd()}/agent.py", 7)) == "agent.py:7"
    assert str(Place("/opt/agent.py", 7)) == "/opt/agent.py:7"


def test_a_place_can_be_named_for_work_in_another_task() -> None:
    """A client that writes in a task of its own names the line that asked; else it is the caller's."""
    place = Place("agent.py", 12)
    with asked_at(place):
        assert asking_place() is place
    with asked_at(None):
        assert asking_place().file == __file__
