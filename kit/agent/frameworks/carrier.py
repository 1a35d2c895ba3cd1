"""Carries one framework's tool calls over the boundary of the recording."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from kit.agent.crossing import cross, cross_async
from kit.agent.failure import recreate
from kit.agent.frameworks.values import pack, unpack
from kit.recording.context import responsible

if TYPE_CHECKING:
    from kit.cassette.interaction import ToolResponse
    from kit.recording.tickets import ToolTicket

Replay = Literal["serve", "execute"]
_CROSSING: ContextVar[tuple[int, ...]] = ContextVar("kit_crossing", default=())
"""The tools under way in this context: an async method that falls back on the plain one crosses once."""


def checked(replay: str) -> Replay:
    """`replay` as an adapter takes it.

    Raises:
        ValueError: it is neither `serve` nor `execute`.
    """
    known: dict[str, Replay] = {"serve": "serve", "execute": "execute"}
    if replay in known:
        return known[replay]
    raise ValueError(f'record_tools: replay must be "serve" or "execute", is {replay!r}')


@dataclass(frozen=True, slots=True)
class Carrier:
    """One tool of a framework; see `kit.tool` for what serving and executing mean.

    Attributes:
        name: the tool's name.
        replay: whether replay serves the recorded result or runs the tool again and compares.
        packages: top-level packages whose objects keep their class in the recording.
        failures: exceptions of the framework that want more than a text, by name.
        names: where other exceptions are looked up, e.g. the globals of the tool's function.
        shape: gives a result its Python shape back, e.g. a pair that JSON holds as a list.
    """

    name: str
    replay: Replay
    packages: tuple[str, ...]
    failures: Mapping[str, Callable[[str], BaseException]] = field(default_factory=dict)
    names: Mapping[str, Any] = field(default_factory=dict)
    shape: Callable[[Any], Any] = lambda value: value

    def call(self, arguments: Mapping[str, Any], run: Callable[[], Any]) -> Any:
        """A plain call: `run` runs the tool."""
        ticket = self._begin(arguments)
        if ticket is None:
            return run()
        with self._under_way():
            return cross(self, ticket, run)

    async def call_async(self, arguments: Mapping[str, Any], run: Callable[[], Awaitable[Any]]) -> Any:
        """An async call: awaiting what `run` returns runs the tool."""
        ticket = self._begin(arguments)
        if ticket is None:
            return await run()
        with self._under_way():
            return await cross_async(self, ticket, run)

    def settle(self, ticket: ToolTicket, result: Any) -> Any:
        """Hand in a result; the agent gets what replay will serve, unless the tool runs again there."""
        try:
            packed = pack(result, self.packages, f"the result of tool {self.name}")
        except BaseException as error:
            ticket.fail(error)
            raise
        ticket.finish(packed)
        return result if self.replay == "execute" else self.shape(unpack(packed, self.packages))

    def serve(self, recorded: ToolResponse) -> Any:
        """The recorded result, or the recorded exception raised again."""
        if recorded.failure is None:
            return self.shape(unpack(recorded.result, self.packages))
        name, _, text = recorded.failure.partition(": ")
        if name in self.failures:
            raise self.failures[name](text)
        raise recreate(recorded.failure, self.names)

    def _begin(self, arguments: Mapping[str, Any]) -> ToolTicket | None:
        label = f"tool {self.name}"
        session = responsible(label)
        if session is None or id(self) in _CROSSING.get():
            return None
        given = pack(arguments, self.packages, f"the arguments of {label}")
        return session.begin_tool(self.name, given, executed=self.replay == "execute")

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        before = _CROSSING.get()
        _CROSSING.set((*before, id(self)))
        try:
            yield
        finally:
            _CROSSING.set(before)
