"""The door of aiohttp, against a real loopback server."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import Miss, SideEffect
from kit.recording.faults import Fault
from kit.recording.transports.aiohttp_stub import _Destination, _failure_of
from tests.fakes.exchanges import asked, response_of, there_and_back
from tests.fakes.model_server import (
    DONE,
    ModelServer,
    after,
    completion,
    delta,
    in_turn,
    reply,
    serving,
    stream,
    zipped,
)
from tests.fakes.runs import recording, replaying, run

CHAT = "/v1/chat/completions"
Asking = Callable[[ModelServer, aiohttp.ClientSession], Awaitable[Any]]


async def ask(client: aiohttp.ClientSession, url: str, method: str = "POST", **given: Any) -> Any:
    """Sends one request and returns all that a program can see of the answer."""
    try:
        async with client.request(method, url, **given) as answer:
            return answer.status, await answer.read(), answer.headers.get("content-type"), time.time()
    except (aiohttp.ClientError, TimeoutError) as error:
        return type(error).__name__, str(error), time.time()


def with_client(asking: Asking, **options: Any) -> Callable[[ModelServer], Any]:
    """A program that asks through one session of aiohttp."""

    def program(server: ModelServer) -> Any:
        async def main() -> Any:
            async with aiohttp.ClientSession(**options) as client:
                return await asking(server, client)

        return main()

    return program


def test_answers_of_all_kinds_come_back_as_recorded(tmp_path: Path) -> None:
    """JSON, gzip, 429, 500, torn, empty, redirected, refused, unknown host: same bytes, times, exceptions."""
    answers = {
        "gzip": zipped(b'{"packed": true}'),
        "busy": reply(429, b'{"error": "slow down"}', retry_after="1"),
        "broken": reply(500, b"oops", "text/plain"),
        "torn": stream(b"one", b"two", torn=True),
        "empty": reply(204, b""),
        "old": reply(302, b"", location="/gzip"),
        "short": _short,
        "gone": _gone,
    }

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        seen = [await ask(client, f"{server.url}/{name}", data=b"x") for name in answers]
        seen += [await ask(client, server.url + CHAT, json=asked("hi")) for _ in range(2)]
        places = ("http://127.0.0.1:9/x", "http://nowhere.invalid/x")
        return seen + [await ask(client, place) for place in places]

    seen, recorded = there_and_back(tmp_path, with_client(asking), answers=answers)
    assert seen[0][:2] == (200, b'{"packed": true}')
    assert [one[0] for one in seen[3:]] == [
        *("ClientPayloadError", 204, 200, "ClientPayloadError", "ServerDisconnectedError"),
        *(200, 200, "ClientConnectorError", "ClientConnectorDNSError"),
    ]
    assert (response_of(recorded, -2).failure or "").startswith("ConnectError: ")
    assert response_of(recorded, 3).chunks == (3, 3)


def _short(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "10")
    handler.end_headers()
    handler.wfile.write(b"12345")
    handler.close_connection = True


def _gone(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    handler.close_connection = True


async def by_lines(answer: aiohttp.ClientResponse) -> AsyncIterator[Any]:
    """Line by line, as for server-sent events."""
    while line := await answer.content.readline():
        yield line


READS: dict[str, Callable[[aiohttp.ClientResponse], AsyncIterator[Any]]] = {
    "readline": by_lines,
    "lines": lambda answer: aiter(answer.content),
    "iter_any": lambda answer: aiter(answer.content.iter_any()),
    "iter_chunks": lambda answer: aiter(answer.content.iter_chunks()),
    "iter_chunked": lambda answer: aiter(answer.content.iter_chunked(4)),
}


@pytest.mark.parametrize("read", READS)
def test_a_stream_reaches_the_agent_when_the_server_sends_it(read: str, tmp_path: Path) -> None:
    """The client has the first piece before the server sends the second; replay keeps pieces and times."""
    gate = threading.Event()

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        seen: list[Any] = []
        async with client.get(f"{server.url}/sse") as answer:
            async for piece in READS[read](answer):
                gate.set()
                # On a busy machine the stream may be over before the client looks at what follows the first.
                seen.append(piece if seen else (piece, time.time()))
        return [*seen, time.time()]

    answers = {"sse": stream(b"data: 1\n\n", b"data: 2\n\n", DONE, gate=gate)}
    began = time.monotonic()
    _, recorded = there_and_back(tmp_path, with_client(asking), answers=answers)
    assert time.monotonic() - began < 4
    assert response_of(recorded).chunks == (9, 9, 14)


def test_a_stream_that_is_left_early_is_abandoned(tmp_path: Path) -> None:
    """What was read is kept, the rest never existed; after the stream's own end mark nothing is missing."""
    answers = {"left": stream(b"data: 1\n\n", b"data: 2\n\n"), "done": stream(delta("x"), DONE)}

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[bytes]:
        seen = []
        for name in answers:
            async with client.get(f"{server.url}/{name}") as answer:
                async for piece in answer.content.iter_any():
                    seen.append(piece)
                    if name == "left" or b"[DONE]" in piece:
                        break
        return seen

    _, recorded = there_and_back(tmp_path, with_client(asking), answers=answers)
    assert [response_of(recorded, at).failure for at in (0, 1)] == ["Abandoned", None]


def test_time_outs_come_true_again_on_virtual_time(tmp_path: Path) -> None:
    """Total time, time between pieces, a time-out of asyncio: same exception, and replay does not wait."""
    answers = {
        "slow": after(1.5, reply()),
        "stalls": stream(b"data: 1\n\n", b"data: 2\n\n", gate=threading.Event()),
    }

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        seen = []
        for limit in (aiohttp.ClientTimeout(total=0.3), aiohttp.ClientTimeout(sock_read=0.3)):
            for name in answers:
                began = asyncio.get_running_loop().time()
                seen.append((await ask(client, f"{server.url}/{name}", timeout=limit))[:2])
                assert asyncio.get_running_loop().time() - began > 0.25
        try:
            async with asyncio.timeout(0.3):
                await ask(client, f"{server.url}/slow", "GET")
        except TimeoutError:
            seen.append("gave up")
        return seen

    with serving(**answers) as server:
        seen, recorded = run(recording(tmp_path), lambda: with_client(asking)(server))
    began = time.monotonic()
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: with_client(asking)(server))
    assert time.monotonic() - began < 1
    assert again == seen
    assert [one[0] for one in seen[:4]] == ["TimeoutError"] * 2 + ["SocketTimeoutError"] * 2
    assert not (result.misses or result.leftovers or result.live_requests)
    assert [response_of(recorded, at).failure for at in (0, 1)] == ["Cancelled", "Cancelled"]
    assert (response_of(recorded, 3).failure or "").startswith("ReadTimeout")


def test_gathered_requests_run_at_once_and_end_in_their_recorded_order(tmp_path: Path) -> None:
    """Replay ends them in the order of their latencies, in no real time, and equal ones are not swapped."""
    answers: dict[str, Any] = {f"l{n}": after(n * 0.15, reply(body=b"%d" % n)) for n in (1, 2, 3)}
    answers["same"] = in_turn(after(0.4, reply(body=b'"first"')), reply(body=b'"second"'))

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> Any:
        ended: list[Any] = []

        async def one(name: str) -> Any:
            answer = await ask(client, f"{server.url}/{name}")
            ended.append((name, answer[3]))
            return answer[1]

        bodies = await asyncio.gather(*(one(f"l{n}") for n in (3, 1, 2)))
        first = asyncio.create_task(one("same"))
        await asyncio.sleep(0.1)
        second = await one("same")
        return bodies, ended, await first, second

    with serving(**answers) as server:
        seen, recorded = run(recording(tmp_path), lambda: with_client(asking)(server))
    began = time.monotonic()
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: with_client(asking)(server))
    assert time.monotonic() - began < 1
    assert again == seen
    assert seen[0] == [b"3", b"1", b"2"]
    assert [name for name, _ in seen[1]] == ["l1", "l2", "l3", "same", "same"]
    assert seen[2:] == (b'"first"', b'"second"')
    assert not (result.misses or result.leftovers)


def test_bodies_of_every_shape_are_sent_and_matched(tmp_path: Path) -> None:
    """A base URL, JSON, a form, multipart, a generator in chunks, a wait for leave to send."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"one "
        yield b"two"

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        form = aiohttp.FormData()
        form.add_field("file", b"content", filename="x.txt")
        base = aiohttp.ClientSession(base_url=server.url, raise_for_status=True)
        async with base:
            seen = [await ask(base, "/x", json={"a": "é"}), await ask(base, "/missing")]
        seen += [await ask(client, f"{server.url}/x", data=data) for data in ({"a": "é"}, form)]
        seen.append(await ask(client, f"{server.url}/chunks", data=pieces()))
        seen.append(await ask(client, f"{server.url}/x", data=b"after leave", expect100=True))
        return seen

    answers = {"x": reply(body=b'"ok"'), "missing": reply(404, b"none"), "chunks": _chunks}
    seen, recorded = there_and_back(tmp_path, with_client(asking), answers=answers)
    assert [one[0] for one in seen] == [200, "ClientResponseError", 200, 200, 200, 200]
    bodies = [one.request.body for one in recorded.interactions if isinstance(one.request, HttpRequest)]
    assert json.loads(bodies[0]) == {"a": "é"}
    assert bodies[2] == b"a=%C3%A9"
    assert b'filename="x.txt"' in bodies[3]
    assert bodies[4:] == [b"one two", b"after leave"]


def _chunks(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    while int(handler.rfile.readline(), 16):
        handler.rfile.readline()
    handler.rfile.readline()
    reply(body=b'"ok"')(handler, body)


@pytest.mark.parametrize("damage", ["cut", "garble"])
def test_faults_break_a_live_answer_and_a_replayed_one_alike(damage: Any, tmp_path: Path) -> None:
    """What the agent sees of a damaged answer is the same both times; the recording holds the whole one."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"path": "a"}'}}
    body = completion("", tool_calls=[call])
    faults = (Fault(on="model", what=damage, damage=damage, at=50 if damage == "cut" else None),)
    program = with_client(lambda server, client: ask(client, server.url + CHAT, json=asked("hi")))
    with serving(v1_chat_completions=reply(body=body)) as server:
        seen, recorded = run(recording(tmp_path, faults=faults), lambda: program(server))
    again, _ = run(replaying(tmp_path, recorded.interactions, faults=faults), lambda: program(server))
    assert again[:2] == seen[:2]
    assert seen[0] == "ClientPayloadError" if damage == "cut" else b'"{path: a}"' in seen[1]
    assert response_of(recorded).body == body


@pytest.mark.parametrize("mode", ["record", "replay"])
def test_a_fault_stands_in_for_the_model(mode: str, tmp_path: Path) -> None:
    """An injected status and an injected time-out reach the agent, and nobody is asked."""
    overloaded = HttpResponse(503, (("content-type", "application/json"),), b'{"error": "busy"}')
    faults = (
        Fault(on="model", what="status 503", nth=1, answer=overloaded),
        Fault(on="model", what="late", nth=2, is_timeout=True),
    )

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> Any:
        limit = aiohttp.ClientTimeout(sock_read=2)
        return [(await ask(client, server.url + CHAT, json=asked("hi"), timeout=limit))[:2] for _ in range(2)]

    options = (
        recording(tmp_path, faults=faults) if mode == "record" else replaying(tmp_path, (), faults=faults)
    )
    with serving() as server:
        seen, result = run(options, lambda: with_client(asking)(server))
        assert server.requests == []
    assert seen[0] == (503, b'{"error": "busy"}')
    assert seen[1][0] == "SocketTimeoutError"
    assert result.ended_ms == 2000


def test_a_request_that_was_never_recorded_is_a_miss_and_reaches_nobody(tmp_path: Path) -> None:
    """It comes through aiohttp to the agent's own task."""
    program = with_client(lambda server, client: ask(client, server.url + CHAT, json=asked("hi")))
    with serving() as server:
        with pytest.raises(Miss, match=r"test_aiohttp_stub\.py:\d+, to 127"):
            run(replaying(tmp_path, ()), lambda: program(server))
        assert server.requests == []


def test_a_connection_kept_from_before_the_run_is_not_used_in_replay(tmp_path: Path) -> None:
    """A session that outlives runs asks its server outside of them, and nobody within a replay."""

    async def program(server: ModelServer) -> Any:
        async with aiohttp.ClientSession() as client:
            url = server.url + CHAT
            seen = [(await ask(client, url, json=asked("hi")))[1]]
            from kit.recording.session import start

            with start(recording(tmp_path)) as session:
                seen.append((await ask(client, url, json=asked("hi")))[1])
            recorded = session.result.interactions
            hits = len(server.requests)
            with start(replaying(tmp_path, recorded)) as session:
                seen.append((await ask(client, url, json=asked("hi")))[1])
            assert len(server.requests) == hits
            assert session.result.live_requests == 0
            seen.append((await ask(client, url, json=asked("hi")))[1])
            assert len(server.requests) == hits + 1
            return seen

    with serving() as server:
        seen = asyncio.run(program(server))
    assert len(set(seen)) == 1


def test_a_web_socket_is_stopped_in_replay(tmp_path: Path) -> None:
    """It is no exchange: the socket guard stops it and names the line."""

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> None:
        await client.ws_connect("http://127.0.0.1:9/ws")

    with serving() as server, pytest.raises(SideEffect, match=r"test_aiohttp_stub\.py:\d+ would connect"):
        run(replaying(tmp_path, ()), lambda: with_client(asking)(server))


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        ("ConnectError: [Errno 111] Connection refused", "ClientConnectorError"),
        ("ConnectError: [Errno -2] Name or service not known", "ClientConnectorDNSError"),
        ("ConnectError: [SSL: CERTIFICATE_VERIFY_FAILED] x", "ClientConnectorCertificateError"),
        ("ConnectError: [SSL: WRONG_VERSION_NUMBER] x", "ClientConnectorSSLError"),
        ("ProxyError: [Errno 111] Connection refused", "ClientProxyConnectionError"),
        ("ConnectTimeout: ", "ConnectionTimeoutError"),
        ("ReadTimeout: x", "SocketTimeoutError"),
        ("DecodingError: x", "ClientPayloadError"),
        ("ReadError: [Errno 104] Connection reset by peer", "ConnectionResetError"),
    ],
)
def test_recorded_failures_are_aiohttps_own_exceptions(failure: str, kind: str) -> None:
    """Whoever recorded them."""

    class Asked:
        url = "http://x/"
        connection_key = aiohttp.client_reqrep.ConnectionKey("x", 80, False, True, None, None, None)

    error = _Destination(Asked(), None).error(failure)
    assert type(error).__name__ == kind


def test_connection_errors_are_recorded_by_httpxs_names() -> None:
    """The error of the system, not aiohttp's text around it."""
    key = aiohttp.client_reqrep.ConnectionKey("x", 80, False, True, None, None, None)
    refused = aiohttp.ClientConnectorError(key, ConnectionRefusedError(111, "Connection refused"))
    assert _failure_of(refused) == "ConnectError: [Errno 111] Connection refused"
    assert _failure_of(aiohttp.ClientProxyConnectionError(key, OSError(1, "x"))) == "ProxyError: [Errno 1] x"
    wrong = ssl.SSLCertVerificationError(1, "certificate verify failed")
    assert _failure_of(aiohttp.ClientConnectorCertificateError(key, wrong)).startswith(
        "ConnectError: certificate"
    )
    assert _failure_of(TimeoutError()) == "ConnectTimeout: "
    assert _failure_of(asyncio.CancelledError()) == "Cancelled"


def test_what_a_task_does_next_comes_from_its_own_request(tmp_path: Path) -> None:
    """The client writes in a task of its own, and looks into netrc in a thread before it connects."""

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        async def one() -> list[Any]:
            return [(await ask(client, server.url + CHAT, json=asked("same")))[:2] for _ in range(2)]

        return list(await asyncio.gather(*(one() for _ in range(3))))

    _, recorded = there_and_back(tmp_path, with_client(asking, trust_env=True))
    assert [item.under for item in recorded.interactions] == [0, 1, 0, 3, 0, 5]


def test_a_request_stands_where_it_was_asked_for(tmp_path: Path) -> None:
    """Connections come about in the reverse order; each task gets its own answer to the same question."""

    async def asking(server: ModelServer, client: aiohttp.ClientSession) -> list[Any]:
        waiting: list[asyncio.Event] = []

        async def turn(*_: Any) -> None:
            waiting.append(own := asyncio.Event())
            if len(waiting) == 3:
                own.set()
            await own.wait()
            place = waiting.index(own)
            waiting[place - 1].set()

        trace = aiohttp.TraceConfig()
        trace.on_connection_create_start.append(turn)
        async with aiohttp.ClientSession(trace_configs=[trace]) as slow:
            asks = (ask(slow, f"{server.url}/same", data=b"same") for _ in range(3))
            return [seen[:2] for seen in await asyncio.gather(*asks)]

    answers = {"same": in_turn(*(reply(200, text) for text in (b"1", b"2", b"3")))}
    seen, recorded = there_and_back(tmp_path, with_client(asking), answers=answers)
    bodies = [item.response.body for item in recorded.interactions]  # type: ignore[union-attr]
    assert bodies == [body for _, body in seen]
