"""The model calls among a run's interactions, read through their dialect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.wire.dialect import Dialect, ModelAnswer, ModelRequest
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
        is_counted: whether a server may have counted tokens for it; one refused or never sent costs nothing.
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
        return ModelRequest() if self.dialect is None else self.dialect.read_request(self.request.body)

    def model(self) -> str | None:
        """The model that answered, or where the answer names none, the one asked for."""
        return self.answer.model or self.read_request().model


def model_calls(interactions: Iterable[Interaction]) -> tuple[ModelCall, ...]:
    """The model calls, in order of conversation.

    A GET asks no model anything (lists of models under the model's address), and a redirect is no answer:
    neither is a call.
    """
    found = []
    for interaction in interactions:
        request, response = interaction.request, interaction.response
        if interaction.lane != "model" or not isinstance(request, HttpRequest):
            continue
        if (
            not isinstance(response, HttpResponse)
            or 300 <= response.status < 400
            or request.method.upper() == "GET"
        ):
            continue
        dialect = recognise(request.method, request.url)
        answer = ModelAnswer() if dialect is None else _read(dialect, response)
        found.append(
            ModelCall(
                number=interaction.number,
                started_ms=interaction.started_ms,
                ended_ms=interaction.ended_ms,
                request=request,
                answer=answer,
                failure=_failure(response, answer),
                is_counted=_is_counted(response),
                dialect=dialect,
            )
        )
    return tuple(found)


def _read(dialect: Dialect, response: HttpResponse) -> ModelAnswer:
    content_type = dict(response.headers).get("content-type", "")
    return dialect.read_response(response.body, content_type, streamed=bool(response.chunks))


def _failure(response: HttpResponse, answer: ModelAnswer) -> str | None:
    """How a call went wrong; an agent that stops reading a finished answer did nothing wrong."""
    is_finished = answer.finish_reason is not None
    if response.failure and not (response.failure.startswith("Abandoned") and is_finished):
        return response.failure
    if response.status >= 400:
        return f"http {response.status}: {answer.error}" if answer.error else f"http {response.status}"
    if response.status == 0 and response.failure is None:
        return "no answer"
    if answer.error is not None:
        return answer.error
    return "stream ended early" if answer.broken else None


def _is_counted(response: HttpResponse) -> bool:
    if response.status:
        return response.status < 400
    return not (response.failure or "").startswith(_NEVER_SENT)
