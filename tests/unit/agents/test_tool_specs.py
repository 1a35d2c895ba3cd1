"""What the model is told of the home agent's tools."""

from __future__ import annotations

from typing import Any

import pytest

from kit.agents.tool_specs import SPECS


def test_schemas_are_what_chat_completions_want() -> None:
    """Every parameter is required, and every tool says what it is for."""
    schema = SPECS["fs_write"].schema()
    assert schema["type"] == "function"
    assert schema["function"]["name"] == "fs_write"
    assert schema["function"]["parameters"]["required"] == ["path", "content"]
    assert {kind["type"] for kind in schema["function"]["parameters"]["properties"].values()} == {"string"}
    assert all(spec.description for spec in SPECS.values())
    assert all(spec.lists <= set(spec.parameters) for spec in SPECS.values())


def test_a_list_is_told_as_one() -> None:
    """The arguments of a program are a list of strings."""
    argv = SPECS["shell"].schema()["function"]["parameters"]["properties"]["argv"]
    assert (argv["type"], argv["items"]) == ("array", {"type": "string"})


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("shell", {"argv": ["ls"]}, ""),
        ("fs_read", {"path": "a"}, ""),
        ("fs_read", {"path": ["a"]}, "fs_read: path must be a string"),
        ("fs_read", {}, "fs_read takes path; it got nothing"),
        ("memory_write", {"key": "a"}, "memory_write takes key, text; it got key"),
        ("shell", {"argv": []}, 'shell: argv must be a list of strings, like ["ls", "-l"]'),
        ("shell", {"argv": ["head", 3]}, 'shell: argv must be a list of strings, like ["ls", "-l"]'),
    ],
)
def test_mismatch(name: str, arguments: dict[str, Any], text: str) -> None:
    """Arguments that do not fit are told in words; those that do are not."""
    assert SPECS[name].mismatch(arguments) == text
