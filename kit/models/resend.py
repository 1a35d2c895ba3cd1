"""A recorded request, sent again to a model of today."""

from __future__ import annotations

from typing import Self

import httpx

from kit.agent.protocol import ModelEndpoint
from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import ModelUnreachable
from kit.models.endpoint import is_encrypted


class Resender:
    """Sends recorded requests to one endpoint; a context manager.

    Args:
        endpoint: where and whom to ask.
        recorded_url: base URL of the recording, whose place the endpoint's takes.
        transport: to send through; the network without it.
    """

    def __init__(
        self, endpoint: ModelEndpoint, recorded_url: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._endpoint = endpoint
        self._recorded_url = recorded_url.rstrip("/")
        self._client = httpx.Client(
            verify=is_encrypted(endpoint), timeout=endpoint.timeout_s, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def address(self, request: HttpRequest) -> str | None:
        """Where a request would go; None where it is none of this endpoint's."""
        if request.url != self._recorded_url and not request.url.startswith(f"{self._recorded_url}/"):
            return None
        return self._endpoint.base_url + request.url[len(self._recorded_url) :]

    def send(self, request: HttpRequest) -> HttpResponse:
        """Today's answer to the same bytes, with this endpoint's key.

        An answer that breaks off or takes too long is one with a `failure`, as a recording keeps it.

        Raises:
            ModelUnreachable: nothing answers.
            ValueError: the request is none of this endpoint's.
        """
        url = self.address(request)
        if url is None:
            raise ValueError(f"{request.url} is not below {self._recorded_url}")
        headers = {name: value for name, value in request.headers if name in {"content-type", "accept"}}
        headers["authorization"] = f"Bearer {self._endpoint.api_key}"
        try:
            answer = self._client.request(request.method, url, content=request.body, headers=headers)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ModelUnreachable(
                f"{self._endpoint.model} does not answer at {self._endpoint.base_url}",
                why=f"{request.method} {url}: {type(error).__name__}: {error}",
            ) from error
        except httpx.TransportError as error:
            return HttpResponse(0, failure=f"{type(error).__name__}: {error}")
        pairs = tuple((name.lower(), value) for name, value in answer.headers.multi_items())
        is_stream = "event-stream" in answer.headers.get("content-type", "")
        return HttpResponse(
            answer.status_code, pairs, answer.content, (len(answer.content),) if is_stream else ()
        )
