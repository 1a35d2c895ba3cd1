"""Which lane an HTTP request belongs to: a model's work, the call of a tool elsewhere, other traffic."""

from __future__ import annotations

from collections.abc import Sequence

from kit.cassette.interaction import HttpRequest, Lane


def lane_of(request: HttpRequest, model_urls: Sequence[str]) -> Lane:
    """The lane of a request.

    What a model answers, measures or draws is lane `model`, a tool called on an MCP server is lane `tool`: of
    these, what is not played again is an error (decision 7). Everything around them, like files, counts of
    tokens or an MCP server's list of tools, is lane `other`: the agent's behaviour hangs on it only through
    the two, so what is not played again there is a notice.

    Args:
        request: as it is recorded.
        model_urls: base URLs whose traffic is of lane `model` even if no dialect knows it.
    """
    if any(request.url.startswith(base) for base in model_urls):
        return "model"
    # Replay knows the lanes; it need not load the dialects.
    from kit.wire.dialect import MODEL_KINDS
    from kit.wire.registry import recognise

    known = recognise(request.method, request.url, request.body)
    if known is None:
        return "other"
    if known.kind in MODEL_KINDS:
        return "model"
    if known.kind != "mcp":
        return "other"
    from kit.wire.mcp import is_tool_call

    return "tool" if is_tool_call(request.body) else "other"
