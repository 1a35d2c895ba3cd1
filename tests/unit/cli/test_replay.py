"""`kit replay`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.model_server import serving
from tests.fakes.stub_project import StubProject
from tests.fakes.wrapped_program import ASK

Kit = Callable[..., Any]


def test_scenarios(project: StubProject, kit: Kit) -> None:
    """The report and where the traces lie; no progress, since nobody waits."""
    project.scenario()
    project.record()
    ran = kit("replay")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("home on stub, replay\n  success_rate  1/1\n")


def test_exit_codes(project: StubProject, kit: Kit) -> None:
    """Decision 14: nothing recorded 3, an unknown scenario 2, a miss 3."""
    project.scenario()
    ran = kit("replay")
    assert (ran.code, ran.out) == (3, "")
    assert "next: kit record --model stub" in ran.err
    project.record()
    assert kit("replay", "999").code == 2
    assert kit("replay", "--agent", "tests.fakes.agents:asks_politely").code == 3
    assert kit("replay", "--model", "m:1b").code == 3
    assert kit("replay", "--only", "nightly").code == 2


def test_same_bytes_twice_but_for_the_timestamp(project: StubProject, kit: Kit) -> None:
    """S2-46 1: whatever reads the JSON sees a change only where the agent changed."""
    project.scenario(judged=True)
    project.scenario("002_y", says="buongiorno")
    project.record()
    first, second = (kit("replay", "--json").out for _ in range(2))
    stamp = re.compile(r'"timestamp": "[^"]+"')
    assert stamp.sub("", first) == stamp.sub("", second)
    assert len(json.loads(first)[0]["scenarios"]) == 2


def test_warnings_stand_before_the_report(project: StubProject, kit: Kit) -> None:
    """A scenario that expects only an outcome is probably not meant."""
    project.scenario(expected={"outcome": "success"})
    project.record()
    assert kit("replay").out.startswith("warning: scenarios/home/001_x.yaml")


def test_program(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline: the server is gone. A changed program misses, on stderr, with exit code 3."""
    project.write("my_agent.py", ASK + 'ask("one")')
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        assert kit("record", "--tape", "demo", "--", sys.executable, "my_agent.py").code == 0
    ran = kit("replay", "--tape", "demo", "--", sys.executable, "my_agent.py")
    assert (ran.code, ran.err) == (0, "")
    assert "--- demo, replayed" in ran.out
    project.write("my_agent.py", ASK + 'ask("two")')
    changed = kit("replay", "--tape", "demo", "--", sys.executable, "my_agent.py")
    assert changed.code == 3
    assert changed.err.startswith("kit: MISS")
    assert kit("replay", "--", sys.executable, "my_agent.py").code == 3
