"""What the home agent's model is told of each tool, and what the policy needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kit.agents.policy import Effect


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool; every parameter is required.

    Attributes:
        name: as the model calls it.
        description: for the model.
        parameters: description by parameter.
        effect: what it does to the world.
        lists: parameters that are lists of strings; the others are strings.
        choices: the words of a parameter that takes no others.
    """

    name: str
    description: str
    parameters: dict[str, str]
    effect: Effect
    lists: frozenset[str] = frozenset()
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """The tool as chat completions want it."""
        properties = {name: self._property(name) for name in self.parameters}
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {"type": "object", "properties": properties, "required": list(properties)},
            },
        }

    def mismatch(self, arguments: dict[str, Any]) -> str:
        """What is wrong with arguments against the parameters, for the model; empty where nothing is."""
        wanted = ", ".join(self.parameters)
        if set(arguments) != set(self.parameters):
            return f"{self.name} takes {wanted}; it got {', '.join(arguments) or 'nothing'}"
        for name, value in arguments.items():
            if name in self.lists and not _is_list_of_texts(value):
                return f'{self.name}: {name} must be a list of strings, like ["ls", "-l"]'
            if name not in self.lists and not isinstance(value, str):
                return f"{self.name}: {name} must be a string"
        return ""

    def _property(self, name: str) -> dict[str, Any]:
        text = self.parameters[name]
        if name in self.lists:
            return {"type": "array", "items": {"type": "string"}, "description": text}
        if name in self.choices:
            return {"type": "string", "enum": list(self.choices[name]), "description": text}
        return {"type": "string", "description": text}


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


_ALL = (
    ToolSpec("fs_read", "Read a text file and return its content", {"path": "path of the file"}, "read"),
    ToolSpec("fs_list", "List the names in a folder", {"path": "path of the folder"}, "read"),
    ToolSpec(
        "fs_write",
        "Write a text file, replacing what it held",
        {"path": "path of the file", "content": "the whole new content"},
        "write",
    ),
    ToolSpec("supra_llm", "Ask a language model a question", {"prompt": "the whole question"}, "ask_model"),
    ToolSpec(
        "shell",
        "Run one program and return what it prints; there is no shell, so no pipes, wildcards or quotes",
        {"argv": 'the program and its arguments, one string each, like ["ls", "-l", "/workspace"]'},
        "run",
        frozenset({"argv"}),
    ),
    ToolSpec("http_get", "Get a web address and return its text", {"url": "the whole address"}, "fetch"),
    ToolSpec(
        "memory_search",
        "Search what you remember of the user; every entry has a key and a text",
        {"query": "words to look for"},
        "read",
    ),
    ToolSpec(
        "memory_write",
        "Remember something, replacing what was remembered under the key",
        {"key": "one short word", "text": "what to remember"},
        "write",
    ),
    ToolSpec(
        "memory_delete",
        "Forget one entry; find its key with memory_search first",
        {"key": "key of the entry"},
        "forget",
    ),
    ToolSpec(
        "schedule_reminder",
        "Remind the user of something at a time",
        {"when": "date and time, like 2026-12-31T18:30", "text": "what to remind of"},
        "write",
    ),
)
SPECS: dict[str, ToolSpec] = {spec.name: spec for spec in _ALL}
"""Every tool of the home agent by name."""
