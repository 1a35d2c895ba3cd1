"""What the loopback provider makes of a question, before any dialect spells it."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, field
from typing import Any

_numbers = itertools.count(1)
_lock = threading.Lock()


@dataclass(frozen=True)
class Asked:
    """One question, whatever its dialect.

    Attributes:
        model: the model asked for.
        text: the last message of the user.
        results: what tools gave since, oldest first; empty where the user spoke last.
        tools: names of the tools offered.
        stream: whether the answer shall come in pieces.
    """

    model: str
    text: str
    results: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    stream: bool = False


@dataclass(frozen=True)
class Call:
    """A call of a tool that the model wants."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """One answer, whatever its dialect: a text, or calls of tools."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    tokens: tuple[int, int] = field(default=(11, 7))

    @property
    def pieces(self) -> list[str]:
        """The text as a stream cuts it."""
        words = self.text.split(" ")
        return [word if index == 0 else f" {word}" for index, word in enumerate(words)]


def fresh_id(prefix: str) -> str:
    """An id that no answer had before: as with real providers, it is never the same in two recordings."""
    with _lock:
        return f"{prefix}{next(_numbers):04d}kit"


def think(asked: Asked) -> Said:
    """Asks for the weather where a tool offers it, tells what tools gave, else says back what it heard."""
    if asked.results:
        return Said("I was told: " + " / ".join(asked.results))
    if asked.tools and "weather" in asked.text:
        cities = cities_in(asked.text)
        name = next((tool for tool in asked.tools if "weather" in tool), asked.tools[0])
        return Said(calls=tuple(Call(fresh_id("call_"), name, {"city": city}) for city in cities))
    return Said(f"You said {asked.text} to {asked.model}")


def cities_in(text: str) -> list[str]:
    """The cities that a question is about; a number at its end makes them others than those of the next."""
    number = text.rpartition(" ")[2]
    more = f" {number}" if number.isdigit() else ""
    return [f"{city}{more}" for city in (("Paris", "Rome") if "both" in text else ("Paris",))]


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or parts that hold `text`."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
