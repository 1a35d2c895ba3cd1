"""Where a model answers, and whether anything answers there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from kit.agent.protocol import ModelEndpoint
from kit.errors import ConfigError, ModelUnreachable

DEFAULT_BASE_URL = "http://localhost:11434/v1"
"""Ollama's OpenAI-compatible endpoint."""
NO_KEY = "kit"
"""What is sent as key where none is known; local servers want none, but clients want to send one."""
_OPENAI_HOST = "api.openai.com"
_PROBE_TIMEOUT_S = 5.0
_LOCAL_OWNERS = frozenset({"library", "llamacpp", "kit-stub"})


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is asked; `seed` is the replicate's number (decision 21), `timeout_s` None no limit."""

    temperature: float = 0.0
    seed: int = 1
    max_tokens: int = 512
    timeout_s: float | None = 300.0


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a reachable server says of itself.

    Attributes:
        server: its name, e.g. `llama.cpp` or `ollama`; None where it does not say.
        model_digest: digest of the model asked for; None where it does not say.
        models: tags it says it has; empty where it does not say.
    """

    server: str | None = None
    model_digest: str | None = None
    models: tuple[str, ...] = ()


def resolve(
    model: str,
    *,
    base_url: str | None = None,
    model_url: str | None = None,
    default_url: str | None = None,
    api_key_env: str | None = None,
    sampling: Sampling | None = None,
    environ: Mapping[str, str] | None = None,
) -> ModelEndpoint:
    """Decide where a model is asked, before anything is sent.

    Args:
        model: tag to ask for.
        base_url: from the command line; wins over everything.
        model_url: `[tool.kit.models.<tag>] base_url`; wins over the environment, as it speaks of this model.
        default_url: `[tool.kit] base_url`; `KIT_BASE_URL` wins over it; without either: Ollama's address.
        api_key_env: variable that holds the key; without it `KIT_API_KEY`, for OpenAI also `OPENAI_API_KEY`.
        sampling: how to sample.
        environ: the environment, `os.environ` without it.

    Raises:
        ConfigError: the address is no http(s) URL.
    """
    environ = os.environ if environ is None else environ
    url = (base_url or model_url or environ.get("KIT_BASE_URL") or default_url or DEFAULT_BASE_URL).rstrip(
        "/"
    )
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError(
            f"{url!r} is no address of a model server", why="it must look like http://host:port/v1"
        )
    sampling = sampling or Sampling()
    return ModelEndpoint(
        base_url=url,
        model=model,
        api_key=_api_key(api_key_env, parts.hostname, environ),
        temperature=sampling.temperature,
        seed=sampling.seed,
        timeout_s=sampling.timeout_s,
        max_tokens=sampling.max_tokens,
    )


def check_reachable(endpoint: ModelEndpoint, client: httpx.Client | None = None) -> ServerFacts:
    """Make sure that a server answers and has the model, before a cassette is touched.

    Args:
        endpoint: what `resolve` decided.
        client: to send with; a fresh one with a time-out of five seconds without it.

    Raises:
        ModelUnreachable: nothing answers, the key is refused, or a local server says it has no such model.
    """
    if client is not None:
        return _facts(endpoint, client)
    with httpx.Client(verify=is_encrypted(endpoint), timeout=_PROBE_TIMEOUT_S) as fresh:
        return _facts(endpoint, fresh)


def is_encrypted(endpoint: ModelEndpoint) -> bool:
    """Whether certificates matter; loading them costs as much as a whole replay where they do not."""
    return endpoint.base_url.startswith("https:")


def _api_key(variable: str | None, host: str, environ: Mapping[str, str]) -> str:
    if variable is not None:
        return environ.get(variable) or NO_KEY
    # A key of OpenAI must not reach whatever server an address names.
    fallback = environ.get("OPENAI_API_KEY") if host == _OPENAI_HOST else None
    return environ.get("KIT_API_KEY") or fallback or NO_KEY


def _facts(endpoint: ModelEndpoint, client: httpx.Client) -> ServerFacts:
    tried = f"{endpoint.base_url}/models"
    try:
        response = client.get(tried, headers={"Authorization": f"Bearer {endpoint.api_key}"})
    except httpx.TransportError as exc:
        raise _unreachable(endpoint, f"GET {tried}: {type(exc).__name__}: {exc}") from exc
    if response.status_code in {401, 403}:
        raise ModelUnreachable(
            f"the model server at {endpoint.base_url} refuses the key",
            why=f"GET {tried}: HTTP {response.status_code}",
            next_command="export KIT_API_KEY=…, or name the variable in [tool.kit.models.<tag>] api_key_env",
        )
    if response.status_code >= 500:
        raise _unreachable(endpoint, f"GET {tried}: HTTP {response.status_code}")
    listed = _listed(response)
    tags = tuple(str(item.get("id")) for item in listed)
    if tags and not _has(endpoint.model, tags) and listed[0].get("owned_by") in _LOCAL_OWNERS:
        raise _without_model(endpoint, tags)
    server, digest = _identity(endpoint, response, client)
    return ServerFacts(server=server, model_digest=digest, models=tags)


def _listed(response: httpx.Response) -> list[dict[str, Any]]:
    body = _json(response)
    listed = body.get("data") if isinstance(body, dict) else None
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _has(model: str, tags: tuple[str, ...]) -> bool:
    return model in tags or f"{model}:latest" in tags


def _identity(
    endpoint: ModelEndpoint, response: httpx.Response, client: httpx.Client
) -> tuple[str | None, str | None]:
    """Server name and model digest; only Ollama tells a digest, at an address of its own."""
    server = response.headers.get("server")
    if server is not None:
        return server, None
    parts = urlsplit(endpoint.base_url)
    try:
        body = _json(client.get(f"{parts.scheme}://{parts.netloc}/api/tags"))
    except httpx.TransportError:
        return None, None
    tags = body.get("models") if isinstance(body, dict) else None
    if not isinstance(tags, list):
        return None, None
    for tag in tags:
        if isinstance(tag, dict) and _has(endpoint.model, (str(tag.get("name")),)) and tag.get("digest"):
            return "ollama", str(tag["digest"])
    return "ollama", None


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _unreachable(endpoint: ModelEndpoint, tried: str) -> ModelUnreachable:
    return ModelUnreachable(
        f"no model server answers at {endpoint.base_url}",
        why=tried,
        next_command=f"{_start(endpoint.model)}; or name another server with --base-url http://host:port/v1",
    )


def _without_model(endpoint: ModelEndpoint, tags: tuple[str, ...]) -> ModelUnreachable:
    return ModelUnreachable(
        f"the model server at {endpoint.base_url} has no model {endpoint.model}",
        why=f"it has {', '.join(tags)}",
        next_command=f"ollama pull {endpoint.model}; or name another server with --base-url http://host:port/v1",
    )


def _start(model: str) -> str:
    return f"`ollama serve`, then `ollama pull {model}`"
