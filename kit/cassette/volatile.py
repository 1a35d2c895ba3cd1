"""What changes on every call goes out of the reviewed part and comes back by position (decision 8).

Finish reason, usage counts, tool names and the answering model stay where they are reviewed: hiding them
would make «unchanged» hide a change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kit.cassette.interaction import Headers

_ENVELOPE = frozenset(
    {
        "id", "object", "created", "created_at", "completed_at", "createTime", "responseId", "request_id",
        "system_fingerprint", "timings", "x_groq", "obfuscation", "total_duration", "load_duration",
        "prompt_eval_duration", "eval_duration",
    }
)  # fmt: skip
_USAGE = re.compile(
    r"(?:.*_time|prompt_tokens_details|input_tokens_details|cached_tokens|cache_read_input_tokens"
    r"|cache_creation_input_tokens|cache_creation|cacheReadInputTokens?(?:Count)?|cacheWriteInputTokens?(?:Count)?"
    r"|cacheDetails)\Z"
)
_HIDDEN_HEADER = re.compile(
    r"(?:date|age|via|server|etag|expires|vary|set-cookie|cookie|connection|keep-alive|host|user-agent|accept"
    r"|accept-.*|content-length|transfer-encoding|last-modified|alt-svc|traceparent|tracestate|traceresponse"
    r"|server-timing|nel|report-to|strict-transport-security|cf-.*|x-stainless-.*|x-amzn-.*|.*request-?id.*"
    r"|.*trace-?id.*|.*-ms|.*ratelimit.*|access-control-.*|x-accel-buffering|x-content-type-options)\Z"
)
_NUMBERED_BY_CLIENTS = "jsonrpc"
"""Answers of this protocol have the id that the request gave them."""

_NESTED: dict[str, re.Pattern[str]] = {
    "usage": _USAGE,
    "usageMetadata": re.compile(r"(?:cachedContentTokenCount|cacheTokensDetails)\Z"),
    "metrics": re.compile(r"latencyMs\Z"),
}
"""Parts of an answer that hold something that changes on every call, and its names there."""

_CANDIDATES = "candidates"
_OF_CANDIDATE = "avgLogprobs"

Put = dict[str, list[Any]]
"""Path of a value that was taken out (`usage.cached_tokens`) → its position in its mapping, and the value."""


def take_out(tree: Any, keep: frozenset[str] = frozenset()) -> tuple[Any, Put]:
    """An answer's value without what changes on every call, and what `put_back` needs.

    Args:
        tree: the parsed body of an answer; only mappings have an envelope.
        keep: names of the envelope that stay, e.g. `id` where a later request names it.
    """
    if not isinstance(tree, dict) or _NUMBERED_BY_CLIENTS in tree:
        return tree, {}
    put: Put = {}
    slim: dict[str, Any] = {}
    for position, (name, value) in enumerate(tree.items()):
        if name in _ENVELOPE and name not in keep:
            put[name] = [position, value]
        elif name in _NESTED and isinstance(value, dict):
            slim[name] = _slim(value, name, _NESTED[name].match, put)
        elif name == _CANDIDATES and isinstance(value, list):
            slim[name] = [
                _slim(item, f"{name}[{index}]", _OF_CANDIDATE.__eq__, put) if isinstance(item, dict) else item
                for index, item in enumerate(value)
            ]
        else:
            slim[name] = value
    return slim, put


def _slim(tree: dict[str, Any], path: str, is_volatile: Callable[[str], object], put: Put) -> dict[str, Any]:
    slim: dict[str, Any] = {}
    for position, (name, value) in enumerate(tree.items()):
        if is_volatile(name):
            put[f"{path}.{name}"] = [position, value]
        else:
            slim[name] = value
    return slim


def put_back(tree: Any, put: Put) -> Any:
    """The inverse of `take_out`.

    Raises:
        ValueError: a path, or a place in it, that leads nowhere.
    """
    before: str | None = None
    holder: Any = None
    items: list[tuple[str, Any]] = []
    for path, (position, value) in put.items():
        parent, _, name = path.rpartition(".")
        if parent != before:
            _refill(holder, items)
            holder, before = _part(tree, parent) if parent else tree, parent
            if not isinstance(holder, dict):
                raise ValueError(f"{path} cannot be put back")
            items = list(holder.items())
        if not 0 <= position <= len(items):
            raise ValueError(f"{path} cannot be put back at {position}")
        items.insert(position, (name, value))
    _refill(holder, items)
    return tree


def _refill(holder: dict[str, Any] | None, items: list[tuple[str, Any]]) -> None:
    if holder is not None:
        holder.clear()
        holder.update(items)


def _part(tree: Any, path: str) -> Any:
    name, _, index = path.partition("[")
    part = tree.get(name) if isinstance(tree, dict) else None
    if not index:
        return part
    place = int(index.removesuffix("]"))
    return part[place] if isinstance(part, list) and 0 <= place < len(part) else None


def is_hidden(header: str) -> bool:
    """Whether a header tells nothing about the conversation: dates, ids, what SDKs say of themselves."""
    return _HIDDEN_HEADER.match(header) is not None


def split_headers(headers: Headers, usual_type: str | None) -> tuple[dict[str, str], list[Any] | None]:
    """Headers for the reviewed part, and the whole list in order where it does not follow from them.

    Args:
        headers: as recorded.
        usual_type: the content type that goes without saying here, or None.

    Returns:
        What is shown; and None, or a list in which a shown header is its name, a hidden one `[name, value]`.
    """
    shown: dict[str, str] = {}
    order: list[Any] = []
    for name, value in headers:
        usual = name == "content-type" and usual_type is not None and value.partition(";")[0] == usual_type
        if usual or is_hidden(name) or name in shown:
            order.append([name, value])
        else:
            shown[name] = value
            order.append(name)
    return shown, None if join_headers(shown, None, usual_type) == headers else order


def join_headers(shown: dict[str, str], order: list[Any] | None, usual_type: str | None) -> Headers:
    """The inverse of `split_headers`.

    Raises:
        ValueError: the order names a header that is not shown.
    """
    if order is None:
        first = () if usual_type is None or "content-type" in shown else (("content-type", usual_type),)
        return (*first, *shown.items())
    headers: list[tuple[str, str]] = []
    for item in order:
        if isinstance(item, str) and item in shown:
            headers.append((item, shown[item]))
        elif isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
            headers.append((item[0], item[1]))
        else:
            raise ValueError(f"the header {item!r} is not shown")
    return tuple(headers)
