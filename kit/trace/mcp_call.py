"""Tools called on MCP servers over HTTP: seen on the wire, with their real arguments, results and times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.wire.dialect import WireCall
from kit.wire.mcp import tool_calls, tool_result

_JOINTS = ("_", "-", ".", "/", ":")


@dataclass(frozen=True, slots=True)
class McpCall:
    """One call of a tool on an MCP server.

    Attributes:
        call: name and arguments as the server got them.
        result: structured content, else text; None where it gave nothing or the answer came another way.
        failure: how the call went wrong, else None.
        number: of the interaction.
        started_ms: on the run's virtual clock.
        ended_ms: on the run's virtual clock.
    """

    call: WireCall
    result: Any
    failure: str | None
    number: int
    started_ms: int
    ended_ms: int


def mcp_calls(interactions: Iterable[Interaction]) -> tuple[McpCall, ...]:
    """The calls in order of conversation; one request may make several."""
    return tuple(
        _made(interaction, interaction.response, call)
        for interaction in interactions
        if interaction.lane == "tool"
        and isinstance(interaction.request, HttpRequest)
        and isinstance(interaction.response, HttpResponse)
        for call in tool_calls(interaction.request.body)
    )


def not_remote(asked: Iterable[WireCall], remote: Sequence[McpCall]) -> list[bool]:
    """Of each call that a model asked for, whether no MCP server was seen to get it.

    Agents put a prefix in front of a server's names (`docs_search`), so the end of a name will do where the
    arguments are the same. Each call of a server answers to one of the model's.
    """
    left = list(remote)
    told = []
    for call in asked:
        match = next((one for one in left if _is_same(call, one.call)), None)
        told.append(match is None)
        if match is not None:
            left.remove(match)
    return told


def _made(interaction: Interaction, response: HttpResponse, call: WireCall) -> McpCall:
    got = tool_result(call, response.body, response.content_type, streamed=bool(response.chunks))
    failure = response.failure or (f"http {response.status}" if response.status >= 400 else None)
    if got is not None and got.failure is not None:
        failure = f"{failure}: {got.failure}" if failure else got.failure
    return McpCall(
        call=call,
        result=None if got is None else got.result,
        failure=failure,
        number=interaction.number,
        started_ms=interaction.started_ms,
        ended_ms=interaction.ended_ms,
    )


def _is_same(asked: WireCall, made: WireCall) -> bool:
    if asked.arguments != made.arguments:
        return False
    ends = tuple(joint + made.name for joint in _JOINTS)
    return asked.name == made.name or asked.name.endswith(ends)
