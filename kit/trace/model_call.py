"""The model calls among a run's interactions, read through their dialect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.wire.dialect import MODEL_KINDS, Dialect, ModelAnswer, ModelRequest
from kit.wire.registry import recognise

_NEVER_SENT = (
    "ConnectError",
    "ConnectTimeout",
    "PoolTimeout",
    "UnsupportedProtocol",
    "LocalProtocolError",
    "ProxyError",
)


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model.

    Attributes:
        number: of the interaction.
        started_ms: on the run's virtual clock.
        ended_ms: on the run's virtual clock.
        request: the HTTP request, its body not yet looked at.
        answer: what the model said; empty where no dialect knows the exchange.
        failure: how the call went wrong, else None.
        is_counted: whether a server may have counted tokens for it; one refused, never sent, or answered only
            later costs nothing.
        dialect: that of the exchange; None for an address that only the settings call a model's.
    """

    number: int
    started_ms: int
    ended_ms: int
    request: HttpRequest
    answer: ModelAnswer
    failure: str | None
    is_counted: bool
    dialect: Dialect | None

    def read_request(self) -> ModelRequest:
        """What was asked. Builds the whole body: dear in a long conversation, so only where it must be."""
        if self.dialect is None:
            return ModelRequest()
        return self.dialect.read_request(self.request.body, self.request.url)

    def model(self) -> str | None:
        """The model that answered, or where the answer names none, the one asked for."""
        return self.answer.model or self.read_request().model


def model_calls(interactions: Iterable[Interaction]) -> tuple[ModelCall, ...]:
    """The model calls, in order of conversation.

    A GET asks no model anything (lists of models under the model's address), and a redirect is no answer:
    neither is a call. A GET for the answer to an earlier request is one where it brings that answer: asking
    whether it is there yet is none, nor is asking for it again.
    """
    found: list[ModelCall] = []
    answered: set[str] = set()
    for interaction in interactions:
        call = _call(interaction)
        if call is None:
            continue
        is_again = call.request.method.upper() == "GET"
        if is_again and call.failure is None and (call.answer.pending or call.answer.id in answered):
            continue
        if call.answer.id is not None and call.is_counted and call.failure is None:
            answered.add(call.answer.id)
        found.append(call)
    return tuple(found)


def _call(interaction: Interaction) -> ModelCall | None:
    request, response = interaction.request, interaction.response
    if interaction.lane != "model" or not isinstance(request, HttpRequest):
        return None
    if not isinstance(response, HttpResponse) or 300 <= response.status < 400:
        return None
    dialect = _dialect(request)
    if request.method.upper() == "GET" and (dialect is None or dialect.kind != "chat"):
        return None
    answer = ModelAnswer() if dialect is None else _read(dialect, response)
    return ModelCall(
        number=interaction.number,
        started_ms=interaction.started_ms,
        ended_ms=interaction.ended_ms,
        request=request,
        answer=answer,
        failure=_failure(response, answer),
        is_counted=_is_counted(response, answer, dialect),
        dialect=dialect,
    )


def _dialect(request: HttpRequest) -> Dialect | None:
    """By method and path; by the body, dear in a long conversation, only where these tell of no model."""
    known = recognise(request.method, request.url)
    if known is not None and known.kind in MODEL_KINDS:
        return known
    asked = recognise(request.method, request.url, (request.like or request).body)
    return asked if asked is not None and asked.kind == "chat" else known


def _read(dialect: Dialect, response: HttpResponse) -> ModelAnswer:
    return dialect.read_response(response.body, response.content_type, streamed=bool(response.chunks))


def _failure(response: HttpResponse, answer: ModelAnswer) -> str | None:
    """How a call went wrong; to stop reading what is finished, or an error, is nothing wrong."""
    is_told = answer.finish_reason is not None or response.status >= 400
    if response.failure and not (response.failure.startswith("Abandoned") and is_told):
        return response.failure
    if response.status >= 400:
        why = answer.error if response.failure is None else None  # of a body that nobody read
        return f"http {response.status}: {why}" if why else f"http {response.status}"
    if response.status == 0 and response.failure is None:
        return "no answer"
    if answer.error is not None:
        return answer.error
    return "stream ended early" if answer.broken and not answer.pending else None


def _is_counted(response: HttpResponse, answer: ModelAnswer, dialect: Dialect | None) -> bool:
    if answer.pending or (dialect is not None and dialect.kind == "moderation"):
        # Moderations are free, and tell no tokens.
        return False
    if response.status:
        return response.status < 400
    return not (response.failure or "").startswith(_NEVER_SENT)
