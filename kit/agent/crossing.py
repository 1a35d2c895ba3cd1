"""How a call of a tool crosses the boundary of the recording, whoever makes it, plain and async."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kit.cassette.interaction import ToolResponse
    from kit.recording.tickets import ToolTicket


class Tool(Protocol):
    """What is known of a tool: how its result is recorded, and given back."""

    def settle(self, ticket: ToolTicket, result: Any) -> Any:
        """Hand in a result; what comes back is what the agent gets."""
        ...

    def serve(self, recorded: ToolResponse) -> Any:
        """The recorded result, or the recorded exception raised again."""
        ...


def cross(tool: Tool, ticket: ToolTicket, run: Callable[[], Any]) -> Any:
    """Run a plain function under its ticket, or serve what was recorded without running it."""
    if ticket.recorded is not None:
        ticket.end()
        return tool.serve(ticket.recorded)
    try:
        result = run()
    except BaseException as failure:
        ticket.fail(failure)
        raise
    return tool.settle(ticket, result)


async def cross_async(tool: Tool, ticket: ToolTicket, run: Callable[[], Awaitable[Any]]) -> Any:
    """The same for an async function; what is served comes in its recorded time."""
    if ticket.recorded is not None:
        from kit.recording.pace import hand_over  # asyncio: a program of plain functions needs none

        await hand_over(ticket)
        return tool.serve(ticket.recorded)
    try:
        result = await run()
    except BaseException as failure:
        ticket.fail(failure)
        raise
    return tool.settle(ticket, result)
