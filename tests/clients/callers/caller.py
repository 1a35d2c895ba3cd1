"""What is known of one client of models: how it is asked, by a plain call or by one that is awaited."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeAlias

from tests.clients.provider.mind import fresh_id
from tests.clients.stage import Stage

Say: TypeAlias = Callable[[str], str]
SayLater: TypeAlias = Callable[[str], Awaitable[str]]
KEY = "sk-kit-0123456789abcdef0123456789"


PLAIN = ("pool", "threads", "to_thread")
OPENED = ("tasks", "loops")
"""The ways to ask several questions at once."""


@dataclass(frozen=True)
class Caller:
    """One client: each question goes to a model, whose calls of `weather` are answered until it says a text.

    Attributes:
        plain: stage, whether answers are streamed → how to ask; threads share it. None where there is none.
        opened: the same for a client that is awaited; the context belongs to the loop that it is entered in.
        streams: whether it can stream.
        hides_in: the ways in which it asks in tasks and threads that say nothing to who waits for them: then
            lines that ask the same at once cannot be told apart.
        has_loops: whether it is tried in several loops at once; some keep one async client for all of them.
    """

    plain: Callable[[Stage, bool], Say] | None = None
    opened: Callable[[Stage, bool], AbstractAsyncContextManager[SayLater]] | None = None
    streams: bool = True
    hides_in: tuple[str, ...] = ()
    has_loops: bool = True


def station(stage: Stage) -> Say:
    """A tool with a side effect, whose result is never the same twice."""

    def weather(city: str) -> str:
        """Tells the weather of a city.

        Args:
            city: its name.
        """
        stage.effects.append(city)
        return f"sunny in {city} at {fresh_id('')}"

    return weather
