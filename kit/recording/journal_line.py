"""A line of the journal: any interaction as JSON and back, and lines that a crash has damaged."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, get_args

import orjson

from kit.cassette.interaction import (
    HttpRequest,
    HttpResponse,
    Interaction,
    Lane,
    ToolRequest,
    ToolResponse,
)

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence

_BY_STANDARD_LIBRARY = b" "
"""Marks a line that orjson would read otherwise than it was meant: big integers as floats."""
_LANES = frozenset(get_args(Lane))


def to_line(line: dict[str, Any]) -> bytes:
    """One line of the journal, with its end."""
    try:
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # Integers beyond 64 bits, lone surrogates: what orjson does not write it would not read either.
        return _BY_STANDARD_LIBRARY + json.dumps(line, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> dict[str, Any]:
    """The inverse of `to_line`.

    Raises:
        ValueError: the line is torn or otherwise damaged.
    """
    loads = json.loads if line.startswith(_BY_STANDARD_LIBRARY) else orjson.loads
    try:
        parsed = loads(line)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(parsed, dict):
        raise ValueError("no object")  # noqa: TRY004 - the file is wrong, not a caller
    return parsed


def read_divergence(content: list[Any]) -> Divergence:
    """The inverse of what `Journal.diverged` writes."""
    # Read only where a run diverged.
    from kit.cassette.differences import Difference
    from kit.cassette.divergence import Divergence

    interaction, changes, places = content
    return Divergence(interaction, tuple(changes), tuple(Difference(*place) for place in places))


def _body_line(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def _body(line: dict[str, str]) -> bytes:
    return base64.b64decode(line["base64"], validate=True) if "base64" in line else line["text"].encode()


def interaction_line(interaction: Interaction) -> dict[str, Any]:
    """An interaction as JSON values, its bodies as text or base64."""
    request, response = interaction.request, interaction.response
    line: dict[str, Any] = {
        "number": interaction.number,
        "lane": interaction.lane,
        "started_ms": interaction.started_ms,
        "ended_ms": interaction.ended_ms,
    }
    if interaction.under is not None:
        line["under"] = interaction.under
    if interaction.job:
        line["job"] = interaction.job
    if isinstance(request, HttpRequest):
        line["http"] = [request.method, request.url, request.headers, _body_line(request.body)]
    else:
        line["tool"] = [request.name, request.arguments]
    if isinstance(response, HttpResponse):
        line["answer"] = [
            response.status,
            response.headers,
            _body_line(response.body),
            response.chunks,
            response.failure,
        ]
    else:
        line["result"] = [response.result, response.failure, response.executed]
    return line


def read_interaction(line: dict[str, Any]) -> Interaction:
    """The inverse of `interaction_line`.

    Raises:
        ValueError: it was damaged; KeyError, TypeError and AttributeError mean the same.
    """
    number, lane = line["number"], line["lane"]
    require(int, number, line["started_ms"], line["ended_ms"])
    if lane not in _LANES:
        raise ValueError(f"there is no lane {lane!r}")
    request = _http_request(*line["http"]) if "http" in line else _tool_request(*line["tool"])
    response = _http_response(*line["answer"]) if "answer" in line else _tool_response(*line["result"])
    under, job = line.get("under"), tuple(line.get("job", ()))
    require(int, *job, 0 if under is None else under)
    return Interaction(
        number, lane, request, response, line["started_ms"], line["ended_ms"], under=under, job=job
    )


def _http_request(method: str, url: str, headers: list[list[str]], body: dict[str, str]) -> HttpRequest:
    require(str, method, url)
    return HttpRequest(method, url, _headers(headers), _body(body))


def _http_response(
    status: int, headers: list[list[str]], body: dict[str, str], chunks: list[int], failure: str | None
) -> HttpResponse:
    require(int, status, *chunks)
    require(str, *([] if failure is None else [failure]))
    return HttpResponse(status, _headers(headers), _body(body), tuple(chunks), failure)


def _tool_request(name: str, arguments: dict[str, Any]) -> ToolRequest:
    require(str, name)
    require(dict, arguments)
    return ToolRequest(name, arguments)


def _tool_response(result: Any, failure: str | None, executed: bool) -> ToolResponse:
    require(str, *([] if failure is None else [failure]))
    require(bool, executed)
    return ToolResponse(result, failure, executed)


def _headers(pairs: list[list[str]]) -> tuple[tuple[str, str], ...]:
    found = tuple((name, value) for name, value in pairs)
    require(str, *(part for pair in found for part in pair))
    return found


def require(kind: type, *values: object) -> None:
    """Refuses values of another kind.

    Raises:
        ValueError: one is.
    """
    for value in values:
        if not isinstance(value, kind):
            raise ValueError(f"{value!r} is no {kind.__name__}")  # noqa: TRY004 - the file is wrong
