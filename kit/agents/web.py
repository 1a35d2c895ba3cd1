"""The home agent's `http_get`: text from the hosts that the policy names, every redirect looked at.

Replay serves it from the recording and asks nobody.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

import httpx

from kit.agent.tool import tool
from kit.agents.speaking import shortened
from kit.agents.web_address import objection

TIMEOUT_S = 10.0
MAX_HOPS = 5
MAX_BYTES = 1_000_000
_TEXT = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/rss+xml")


def web_tool(
    hosts: tuple[str, ...], transport: httpx.AsyncBaseTransport | None = None
) -> dict[str, Callable[..., Awaitable[str]]]:
    """`http_get` for these hosts.

    Args:
        hosts: names of the hosts that may be asked, lower case.
        transport: for tests, in place of the network.
    """

    async def http_get(url: str) -> str:
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S, transport=transport) as client:
                return shortened(await _text_behind(client, url, hosts))
        except httpx.TimeoutException:
            raise TimeoutError(f"no answer from {url} within {TIMEOUT_S:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise ConnectionError(f"{url} cannot be had: {type(exc).__name__}") from None

    return {"http_get": tool(http_get)}


async def _text_behind(client: httpx.AsyncClient, url: str, hosts: tuple[str, ...]) -> str:
    """The text at the end of at most `MAX_HOPS` redirects, each to an allowed host."""
    target = url
    for _ in range(MAX_HOPS + 1):
        reason = objection(target, hosts)
        if reason:
            raise PermissionError(reason)
        async with client.stream("GET", target, follow_redirects=False) as response:
            if not response.is_redirect:
                return await _text(response, target)
            target = urljoin(target, response.headers.get("location", ""))
    raise ConnectionError(f"{url} redirects more than {MAX_HOPS} times")


async def _text(response: httpx.Response, url: str) -> str:
    if response.status_code >= 400:
        raise ConnectionError(f"{url} answered HTTP {response.status_code}")
    kind = response.headers.get("content-type", "text/plain").lower()
    if not kind.startswith(_TEXT):
        raise ValueError(f"{url} is no text but {kind}")
    raw = bytearray()
    async for piece in response.aiter_bytes():
        raw += piece
        if len(raw) > MAX_BYTES:
            break
    return bytes(raw[:MAX_BYTES]).decode(response.charset_encoding or "utf-8", "replace").strip() or "(empty)"
