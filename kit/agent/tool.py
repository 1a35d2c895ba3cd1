"""`kit.tool`: the one line that makes a plain function a boundary of the recording (decision 1)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload

from kit.agent.crossing import cross, cross_async
from kit.agent.failure import recreate
from kit.recording.context import responsible
from kit.recording.json_value import to_json_value

if TYPE_CHECKING:
    from kit.recording.tickets import ToolTicket

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Replay = Literal["serve", "execute"]

_PLACED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@overload
def tool(
    function: Callable[Parameters, Result], /, *, name: str | None = None, replay: Replay = "serve"
) -> Callable[Parameters, Result]: ...


@overload
def tool(
    function: None = None, /, *, name: str | None = None, replay: Replay = "serve"
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]: ...


def tool(
    function: Callable[..., Any] | None = None, /, *, name: str | None = None, replay: Replay = "serve"
) -> Any:
    """Record what a function of the agent gets and gives, so that replay need not, or must, run it again.

    Works as `@kit.tool`, `@kit.tool(replay="execute")` and `kit.tool(function)`, on plain and async
    functions and on methods. Outside a run it calls the function and nothing else. In a run, arguments and
    result must be JSON values; a tuple in a served result reaches the agent as a list in both modes.

    Args:
        function: what to wrap; its name, signature and docstring stay.
        name: the tool's name, where the function's is not it.
        replay: `serve` gives the recorded result without calling the function; `execute` calls it again,
            gives its result to the agent, and reports a difference from the recording as tool drift.

    Raises:
        TypeError: it is no function whose call can be recorded, e.g. a generator.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    if replay not in ("serve", "execute"):
        raise ValueError(f'kit.tool: replay must be "serve" or "execute", is {replay!r}')
    if function is None:
        return lambda decorated: _wrap(_Boundary(decorated, name, replay))
    return _wrap(_Boundary(function, name, replay))


class _Boundary:
    """What is known of a tool before any call of it."""

    def __init__(self, function: Callable[..., Any], name: str | None, replay: Replay) -> None:
        if isinstance(function, classmethod | staticmethod):
            raise TypeError(f"kit.tool: put it below @{type(function).__name__}, next to the function")
        if not callable(function):
            raise TypeError(f"kit.tool wraps a function, not a {type(function).__name__}")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"kit.tool: {function.__qualname__} is a generator; a tool returns one JSON value"
            )
        self.function = function
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.label = f"tool {self.name}"
        self.executed = replay == "execute"
        self.signature = inspect.signature(function)
        self.receiver = _receiver(function, self.signature)

    def begin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolTicket | None:
        """The ticket of a call; None outside a run, and for a call that does not fit the signature."""
        session = responsible(self.label)
        if session is None:
            return None
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return None  # the function itself will say it better
        return session.begin_tool(self.name, self.arguments(bound), executed=self.executed)

    def arguments(self, bound: inspect.BoundArguments) -> dict[str, Any]:
        """All arguments by parameter name, defaults among them, so that spelling one out changes no key."""
        bound.apply_defaults()
        given: dict[str, Any] = {}
        for name, parameter in self.signature.parameters.items():
            value = bound.arguments[name]
            if name == self.receiver or (parameter.kind in _PLACED and not value):
                continue
            if parameter.kind is inspect.Parameter.VAR_KEYWORD and not given.keys() & value.keys():
                given.update(value)
            else:
                given[name] = value
        return given

    def settle(self, ticket: ToolTicket, result: Any) -> Any:
        """Hand in a result; what comes back is what the agent gets."""
        ticket.finish(result)
        # What replay will serve, the agent must already get in record: a tuple would come back as a list.
        return result if self.executed else to_json_value(result, self.label)

    def serve(self, recorded: Any) -> Any:
        """The recorded result, or the recorded exception raised again."""
        if recorded.failure is not None:
            raise recreate(recorded.failure, _names_of(self.function))
        return recorded.result


def _wrap(boundary: _Boundary) -> Callable[..., Any]:
    function = boundary.function
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_async(*args: Any, **kwargs: Any) -> Any:
            ticket = boundary.begin(args, kwargs)
            if ticket is None:
                return await function(*args, **kwargs)
            return await cross_async(boundary, ticket, lambda: function(*args, **kwargs))

        return call_async

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        ticket = boundary.begin(args, kwargs)
        if ticket is None:
            return function(*args, **kwargs)
        return cross(boundary, ticket, lambda: function(*args, **kwargs))

    return call


def _receiver(function: Callable[..., Any], signature: inspect.Signature) -> str | None:
    """`self` or `cls` of a function that is written in a class body: no argument of the tool."""
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    first = next(iter(signature.parameters), None)
    is_method = bool(owner) and not owner.endswith("<locals>") and not inspect.ismethod(function)
    return first if is_method and first in {"self", "cls"} else None


def _names_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    names: Mapping[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})
    return names
