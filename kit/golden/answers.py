"""What a model said in a run, and nothing else: the same answers twice are one sample (decision 21)."""

from __future__ import annotations

from collections.abc import Iterable

from kit.canonical import canonical_json, digest
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.wire.registry import recognise


def answers_digest(runs: Iterable[Iterable[Interaction]]) -> str:
    """One digest of all that a model said in some runs: texts and calls of tools, in order.

    Ids, times and token counts differ in every answer, and the seed in every request: none of them counts.
    """
    said = [[_said(one) for one in run if one.lane == "model"] for run in runs]
    return digest(canonical_json(said))


def _said(one: Interaction) -> list[object]:
    request, response = one.request, one.response
    if not isinstance(request, HttpRequest) or not isinstance(response, HttpResponse):
        return []
    dialect = recognise(request.method, request.url, request.body)
    if dialect is None:
        return [response.status, digest(response.body)]
    answer = dialect.read_response(response.body, response.content_type, streamed=bool(response.chunks))
    return [answer.text, [[call.name, call.raw] for call in answer.tool_calls], answer.error]
