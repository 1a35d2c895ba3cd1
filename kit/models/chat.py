"""One question, one answer: how a judge is asked."""

from __future__ import annotations

from typing import Any

import httpx

from kit.agent.protocol import ModelEndpoint
from kit.errors import EnvironmentFault, ModelUnreachable
from kit.models.endpoint import is_encrypted


class ChatClient:
    """Asks a model through chat completions, over httpx, so that a recording in force sees it.

    Args:
        endpoint: where and whom to ask.
        transport: to send through; the network without it.
    """

    def __init__(self, endpoint: ModelEndpoint, transport: httpx.BaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self._transport = transport

    def ask(self, prompt: str) -> str:
        """The model's answer to one user message; empty where it gave no text.

        Raises:
            ModelUnreachable: nothing answers.
            TimeoutError: the model took longer than the endpoint's `timeout_s`.
            EnvironmentFault: the server answered with an error, or with something that is no chat completion.
        """
        endpoint = self._endpoint
        # The prompt quotes an agent, whose words may hold half a character, which no JSON on the wire can.
        content = prompt.encode("utf-8", "backslashreplace").decode("utf-8")
        request = {
            "model": endpoint.model,
            "messages": [{"role": "user", "content": content}],
            "temperature": endpoint.temperature,
            "seed": endpoint.seed,
            "max_tokens": endpoint.max_tokens,
        }
        url = f"{endpoint.base_url}/chat/completions"
        try:
            verify = is_encrypted(endpoint)
            with httpx.Client(verify=verify, timeout=endpoint.timeout_s, transport=self._transport) as client:
                response = client.post(
                    url, json=request, headers={"Authorization": f"Bearer {endpoint.api_key}"}
                )
        except httpx.TimeoutException as exc:
            limit = "" if endpoint.timeout_s is None else f" within {endpoint.timeout_s:g} s"
            raise TimeoutError(f"{endpoint.model} did not answer{limit}") from exc
        except httpx.TransportError as exc:
            why = f"POST {url}: {type(exc).__name__}: {exc}"
            raise ModelUnreachable(
                f"{endpoint.model} does not answer at {endpoint.base_url}", why=why
            ) from exc
        return _answer(response, endpoint)


def _answer(response: httpx.Response, endpoint: ModelEndpoint) -> str:
    if response.status_code != 200:
        raise EnvironmentFault(
            f"{endpoint.model} at {endpoint.base_url} answered with HTTP {response.status_code}",
            why=response.text[:300],
        )
    try:
        message: Any = response.json()["choices"][0]["message"]
        content = message.get("content")
    except (ValueError, LookupError, TypeError, AttributeError) as exc:
        raise EnvironmentFault(
            f"{endpoint.model} at {endpoint.base_url} answered with no chat completion",
            why=response.text[:300],
        ) from exc
    return content if isinstance(content, str) else ""
