"""`kit.record_tools` finds the adapter for whatever it is given."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import kit
from kit.agent.record_tools import record_tools
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


def post(text: str) -> str:
    """Has an effect."""
    EFFECTS.append(text)
    return f"posted {text}"


def test_plain_functions_cross_as_under_kit_tool(tmp_path: Path) -> None:
    """A list or a dict of functions comes back wrapped; each runs in record only."""
    EFFECTS.clear()

    def program() -> list[str]:
        (first,), by_name = record_tools([post]), record_tools({"post": post})
        return [first("a"), by_name["post"]("b"), record_tools((post,))[0]("c")]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == ["posted a", "posted b", "posted c"]
    assert EFFECTS == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("package", "adapter"),
    [
        ("pydantic_ai.agent", "pydantic_ai"),
        ("langchain_core.tools.structured", "langchain"),
        ("agents.tool", "openai_agents"),
        ("mcp.client.session", "mcp_session"),
    ],
)
def test_objects_of_frameworks_go_to_their_adapter(
    package: str, adapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class, or one it inherits from, says which framework it is."""
    base = type("Base", (), {"__module__": package})
    own = type("Own", (base,), {"__module__": "my_project"})
    told: list[Any] = []
    name = f"kit.agent.frameworks.{adapter}"
    stand_in: Any = ModuleType(name)

    def adapter_of_it(target: Any, replay: str) -> Any:
        told.append((target, replay))
        return target

    stand_in.record_tools = adapter_of_it
    monkeypatch.setitem(sys.modules, name, stand_in)
    thing = own()
    assert record_tools([thing], replay="execute") == [thing]
    assert told == [(thing, "execute")]


def test_what_nobody_knows_is_said() -> None:
    """The message names the class and the way on."""
    with pytest.raises(
        TypeError, match=r"knows no tools of a builtins.int: wrap their functions in kit.tool"
    ):
        record_tools(3)
    with pytest.raises(ValueError, match='must be "serve" or "execute"'):
        record_tools(post, replay="both")  # type: ignore[arg-type]


def test_it_is_a_public_name() -> None:
    """A user types `kit.record_tools`."""
    assert kit.record_tools is record_tools
