"""The home agent's line to its model: chat completions over httpx, with bounded retries."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx

from kit.agent.protocol import ModelEndpoint

ATTEMPTS = 3
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
_WORTH_A_RETRY = frozenset({408, 409, 429})


class ModelError(RuntimeError):
    """The model gave no usable answer, retries included."""


@dataclass(frozen=True, slots=True)
class AskedCall:
    """A tool call as the model wrote it; `raw` may be anything."""

    id: str
    name: str
    raw: str


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """One answer of the model; `is_cut` says that it ended at the token limit."""

    text: str
    calls: tuple[AskedCall, ...]
    is_cut: bool


class _TransientError(Exception):
    """Worth another attempt, after a pause of at least `pause_s` seconds."""

    def __init__(self, reason: str, pause_s: float = 0.0) -> None:
        super().__init__(reason)
        self.pause_s = pause_s


class ChatLine:
    """Asks the turn's endpoint; retries 429, 5xx, time-outs, broken connections; other errors are final."""

    def __init__(self, endpoint: ModelEndpoint, client: httpx.AsyncClient) -> None:
        self._endpoint = endpoint
        self._client = client

    async def ask(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> ModelAnswer:
        """The model's next message.

        Raises:
            ModelError: a final error, or the last attempt failed.
        """
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": messages,
            "temperature": self._endpoint.temperature,
            "seed": self._endpoint.seed,
            "max_tokens": self._endpoint.max_tokens,
        }
        if tools:
            request["tools"] = tools
        pause_s = FIRST_PAUSE_S
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._attempt(request)
            except _TransientError as problem:
                await asyncio.sleep(min(max(pause_s, problem.pause_s), LONGEST_PAUSE_S))
                pause_s *= 2
        try:
            return await self._attempt(request)
        except _TransientError as problem:
            raise ModelError(f"the model failed {ATTEMPTS} times, last: {problem}") from problem

    async def _attempt(self, request: dict[str, Any]) -> ModelAnswer:
        headers = {"Authorization": f"Bearer {self._endpoint.api_key}"}
        try:
            response = await self._client.post(
                f"{self._endpoint.base_url}/chat/completions", json=request, headers=headers
            )
        except httpx.RequestError as exc:
            raise _TransientError(type(exc).__name__) from exc
        status = response.status_code
        if status in _WORTH_A_RETRY or status >= 500:
            raise _TransientError(f"HTTP {status}", _retry_after_s(response))
        if status != 200:
            raise ModelError(f"the model refused the request: HTTP {status}: {response.text[:200]}")
        return _read(response)


def _retry_after_s(response: httpx.Response) -> float:
    """Seconds that the server asks to wait; a date or nonsense counts as nothing asked."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _read(response: httpx.Response) -> ModelAnswer:
    try:
        choice = response.json()["choices"][0]
        message = choice["message"]
        calls = [_asked(call, number) for number, call in enumerate(message.get("tool_calls") or (), 1)]
    except (ValueError, LookupError, TypeError, AttributeError) as exc:
        raise _TransientError("the answer is no chat completion") from exc
    text = message.get("content")
    return ModelAnswer(
        text=text.encode("utf-8", "replace").decode() if isinstance(text, str) else "",
        calls=tuple(calls),
        is_cut=choice.get("finish_reason") == "length",
    )


def _asked(call: dict[str, Any], number: int) -> AskedCall:
    function = call["function"]
    raw = function.get("arguments")
    return AskedCall(
        id=str(call.get("id") or f"call-{number}"),
        name=str(function["name"]),
        raw=raw if isinstance(raw, str) else "",
    )
