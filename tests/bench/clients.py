"""`python -m tests.bench.clients`: a replayed exchange of each client against its own floor.

The floor of a client is its own code with a canned answer where its connection would be: what no recorder can
save. Ratios only.
"""

from __future__ import annotations

import asyncio
import functools
import io
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiohttp
import httpx
import requests

from kit.cassette.interaction import HttpRequest, Interaction
from kit.cassette.interaction import HttpResponse as Recorded
from tests.fakes.runs import replaying, run

CALLS = 200
ROUNDS = 7
URL = "http://127.0.0.1:9/v1/chat/completions"
ANSWER = json.dumps({"model": "stub", "choices": [{"message": {"content": "word " * 280}}]}).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)
BODIES = [
    json.dumps({"model": "stub", "messages": [{"role": "user", "content": f"{n} " + "ask " * 500}]}).encode()
    for n in range(CALLS)
]
JSON = {"content-type": "application/json"}
Program = Callable[[], Any]


def by_requests() -> None:
    """All calls through one session of requests, and so urllib3."""
    with requests.Session() as session:
        session.trust_env = False
        for body in BODIES:
            assert session.post(URL, data=body, headers=JSON).content == ANSWER


def by_http_client() -> None:
    """All calls through connections of http.client."""
    for body in BODIES:
        conn = HTTPConnection("127.0.0.1", 9)
        conn.request("POST", "/v1/chat/completions", body, JSON)
        assert conn.getresponse().read() == ANSWER
        conn.close()


async def by_aiohttp() -> None:
    """All calls through one session of aiohttp."""
    async with aiohttp.ClientSession() as session:
        for body in BODIES:
            async with session.post(URL, data=body, headers=JSON) as answer:
                assert await answer.read() == ANSWER


def by_httpx() -> None:
    """All calls through one client of httpx."""
    with httpx.Client(transport=httpx.HTTPTransport(), trust_env=False) as client:
        for body in BODIES:
            assert client.post(URL, content=body, headers=JSON).content == ANSWER


class _Socket:
    """Answers whatever is sent."""

    def sendall(self, data: bytes) -> None:
        """Nobody looks."""

    def makefile(self, mode: str, *args: Any) -> io.BytesIO:
        """The canned answer."""
        return io.BytesIO(HEAD + ANSWER)

    def close(self) -> None:
        """Nothing to close."""

    def settimeout(self, seconds: float | None) -> None:
        """Nothing to wait for."""

    setsockopt = settimeout


@contextmanager
def canned_sockets() -> Iterator[None]:
    """Connections of http.client, and so of urllib3, lead to a canned answer."""
    import urllib3.connection

    def connect(conn: Any) -> None:
        conn.sock = _Socket()

    with (
        patch.object(HTTPConnection, "connect", connect),
        patch.object(urllib3.connection.HTTPConnection, "connect", connect),
        patch.object(urllib3.connection.HTTPConnection, "is_connected", property(lambda conn: False)),
    ):
        yield


class _Transport(asyncio.Transport):
    """Answers when the body was written."""

    def __init__(self, protocol: Any) -> None:
        super().__init__()
        self._protocol = protocol

    def write(self, data: Any) -> None:
        """The answer to any body."""
        if b"ask ask" in data:
            asyncio.get_running_loop().call_soon(self._protocol.data_received, HEAD + ANSWER)

    def writelines(self, list_of_data: Any) -> None:
        """The same."""
        self.write(b"".join(list_of_data))

    def is_closing(self) -> bool:
        """Never."""
        return False

    def close(self) -> None:
        """At once."""
        asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    abort = close


@contextmanager
def canned_transports() -> Iterator[None]:
    """Connections of aiohttp lead to a canned answer."""

    async def create(connector: Any, *args: Any) -> Any:
        protocol = connector._factory()
        protocol.connection_made(_Transport(protocol))
        return protocol

    with patch.object(aiohttp.TCPConnector, "_create_connection", create):
        yield


@contextmanager
def canned_httpx() -> Iterator[None]:
    """The transport of httpx gives a canned answer."""

    def handle(transport: Any, request: httpx.Request) -> httpx.Response:
        request.read()
        return httpx.Response(200, headers=JSON, content=ANSWER, request=request)

    with patch.object(httpx.HTTPTransport, "handle_request", handle):
        yield


CLIENTS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "httpx": (by_httpx, canned_httpx),
    "requests": (by_requests, canned_sockets),
    "http.client": (by_http_client, canned_sockets),
    "aiohttp": (by_aiohttp, canned_transports),
}


def recorded() -> list[Interaction]:
    """What a session would have recorded of the calls."""
    answer = Recorded(200, (("content-type", "application/json"),), ANSWER)
    return [
        Interaction(number, "model", HttpRequest("POST", URL, (), body), answer, number, number + 1)
        for number, body in enumerate(BODIES, start=1)
    ]


def ratio(program: Program, floor: Callable[[], Any]) -> float:
    """How many times the floor a replay takes: the median of pairs measured one after the other."""
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            with floor():
                below = _seconds(program)
            # Loading is measured elsewhere; what a run costs once is part of it.
            options = replaying(Path(folder), recorded())
            ratios.append(_seconds(functools.partial(run, options, program)) / below)
    return statistics.median(ratios)


def _seconds(program: Program) -> float:
    began = time.perf_counter()
    returned = program()
    if isinstance(returned, Coroutine):
        asyncio.run(returned)
    return time.perf_counter() - began


def main() -> None:
    """Prints a line for each client."""
    for name, (program, floor) in CLIENTS.items():
        print(f"{name:<12} replayed / floor  {ratio(program, floor):.2f}")  # noqa: T201 - a benchmark's output


if __name__ == "__main__":
    main()
