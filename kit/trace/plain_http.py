"""HTTP that is neither a model's work nor a tool's call: a plain step each, and what no dialect knows."""

from __future__ import annotations

from collections.abc import Iterable

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.trace.trace import Step
from kit.wire.mcp import MCP
from kit.wire.registry import recognise

_SHOWN = 3


def http_step(interaction: Interaction) -> Step | None:
    """The step of an interaction of lane `other`: its address and what it is; None for other lanes."""
    request, response = interaction.request, interaction.response
    if interaction.lane != "other" or not isinstance(request, HttpRequest):
        return None
    failure = None
    if isinstance(response, HttpResponse):
        failure = response.failure or (f"http {response.status}" if response.status >= 400 else None)
    return Step(
        index=0,
        kind="http",
        started_ms=interaction.started_ms,
        ended_ms=interaction.ended_ms,
        name=f"{request.method} {request.url}",
        text=what_it_is(request),
        failure=failure,
        interaction=interaction.number,
    )


def what_it_is(request: HttpRequest) -> str | None:
    """What an exchange is for (`files`, `count_tokens`, `mcp tools/list`); None where no dialect knows it."""
    dialect = recognise(request.method, request.url, request.body)
    if dialect is None:
        return None
    if dialect.kind == "mcp":
        return f"mcp {MCP.read_request(request.body).parameters.get('method', '')}".strip()
    return dialect.name


def unknown_traffic(interactions: Iterable[Interaction]) -> str | None:
    """The notice of exchanges that no dialect knows; None without any."""
    unknown: dict[str, int] = {}
    for interaction in interactions:
        request = interaction.request
        if interaction.lane == "other" and isinstance(request, HttpRequest) and what_it_is(request) is None:
            name = f"{request.method} {request.url.partition('?')[0]}"
            unknown[name] = unknown.get(name, 0) + 1
    if not unknown:
        return None
    count = sum(unknown.values())
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    what = "1 request is" if count == 1 else f"{count} requests are"
    return f"{what} plain HTTP, which no dialect reads: {', '.join(list(unknown)[:_SHOWN])}{more}"
