"""The doors of httpx and httpx2, against a real loopback server."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import Miss
from kit.recording import session as recording_session
from kit.recording.options import SessionResult
from tests.fakes.model_server import DONE, after, delta, in_turn, reply, serving, stream, zipped
from tests.fakes.runs import recording, replaying, run

CHAT = "/v1/chat/completions"
Ask = Callable[..., Any]


def asked(text: str) -> dict[str, Any]:
    """A chat request that says `text`."""
    return {"model": "stub", "messages": [{"role": "user", "content": text}]}


def sync_ask(library: Any) -> Ask:
    """Sends one request and returns all that a program can see of the answer."""

    def ask(url: str, **given: Any) -> Any:
        with library.Client(timeout=5) as client:
            try:
                answer = client.post(url, **given)
            except library.HTTPError as error:
                return type(error).__name__, str(error)
            return answer.status_code, answer.content, answer.headers.get("content-type"), time.time()

    return ask


def async_ask(library: Any) -> Ask:
    """The same through the asynchronous client."""

    async def ask(url: str, given: dict[str, Any]) -> Any:
        async with library.AsyncClient(timeout=5) as client:
            try:
                answer = await client.post(url, **given)
            except library.HTTPError as error:
                return type(error).__name__, str(error)
            return answer.status_code, answer.content, answer.headers.get("content-type"), time.time()

    return lambda url, **given: asyncio.run(ask(url, given))


ASKS = [
    pytest.param(make(library), id=f"{library.__name__}-{kind}")
    for library in (httpx, httpx2)
    for kind, make in (("sync", sync_ask), ("async", async_ask))
]
LIBRARIES = [pytest.param(httpx, id="httpx"), pytest.param(httpx2, id="httpx2")]


def replayed(folder: Path, recorded: SessionResult, program: Callable[[], Any]) -> tuple[Any, SessionResult]:
    """Replays, and checks what every replay must hold."""
    returned, result = run(replaying(folder, recorded.interactions), program)
    assert result.live_requests == 0
    assert not (result.leftovers or result.misses or result.escapes or result.side_effects)
    assert result.ended_ms == recorded.ended_ms
    return returned, result


@pytest.mark.parametrize("ask", ASKS)
def test_answers_of_all_kinds_come_back_as_recorded(ask: Ask, tmp_path: Path) -> None:
    """JSON, gzip, 429, 500, broken JSON and a torn body replay to the same bytes, times and exceptions."""
    answers = {
        "gzip": zipped(b'{"packed": true}'),
        "busy": reply(429, b'{"error": "slow down"}', retry_after="1"),
        "broken": reply(500, b"oops", "text/plain"),
        "invalid": reply(200, b'{"cut": '),
        "torn": stream(b"one", b"two", torn=True),
        "empty": reply(204, b""),
    }
    with serving(**answers) as server:

        def program() -> list[Any]:
            sent = [ask(server.url + CHAT, json=asked("hi")), ask(server.url + CHAT, json=asked("hi"))]
            return sent + [ask(f"{server.url}/{name}", content=b"x") for name in answers]

        seen, recorded = run(recording(tmp_path), program)
        assert recorded.live_requests == 8
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen
    assert seen[2][:2] == (200, b'{"packed": true}')
    assert seen[6][0] == "RemoteProtocolError"
    assert [item.lane for item in recorded.interactions[:3]] == ["model", "model", "other"]
    busy = recorded.interactions[3].response
    assert isinstance(busy, HttpResponse)
    assert ("retry-after", "1") in busy.headers


@pytest.mark.parametrize("ask", ASKS)
def test_a_refused_connection_replays_as_the_same_exception(ask: Ask, tmp_path: Path) -> None:
    """Where nobody answered there is a failure and no status, and replay raises the client's own class."""
    with serving() as server:
        url = server.url
    seen, recorded = run(recording(tmp_path), lambda: ask(url, content=b"x"))
    again, _ = replayed(tmp_path, recorded, lambda: ask(url, content=b"x"))
    assert seen[0] == "ConnectError"
    assert again == seen


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_stream_reaches_the_agent_when_the_server_sends_it(library: Any, tmp_path: Path) -> None:
    """The client has the first chunk before the server sends the second, and replay keeps the chunks."""
    gate = threading.Event()
    with serving(sse=stream(b"data: 1\n\n", b"data: 2\n\n", DONE, gate=gate)) as server:

        def program() -> list[bytes]:
            with (
                library.Client() as client,
                client.stream("POST", f"{server.url}/sse", content=b"") as answer,
            ):
                pieces = []
                for piece in answer.iter_raw():
                    gate.set()
                    pieces.append(piece)
                return pieces

        began = time.monotonic()
        seen, recorded = run(recording(tmp_path), program)
        assert time.monotonic() - began < 4
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen == [b"data: 1\n\n", b"data: 2\n\n", DONE]
    answer = recorded.interactions[0].response
    assert isinstance(answer, HttpResponse)
    assert answer.chunks == (9, 9, 14)


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_async_stream_is_teed_and_replayed(library: Any, tmp_path: Path) -> None:
    """The same for the asynchronous client, and the time seen at each chunk is the same."""
    gate = threading.Event()
    with serving(sse=stream(b"data: 1\n\n", b"data: 2\n\n", DONE, gate=gate)) as server:

        async def program() -> list[Any]:
            seen: list[Any] = []
            async with (
                library.AsyncClient() as client,
                client.stream("POST", f"{server.url}/sse", content=b"") as answer,
            ):
                async for piece in answer.aiter_bytes():
                    gate.set()
                    seen.append((piece, time.time()))
            return [*seen, time.time()]

        seen, recorded = run(recording(tmp_path), program)
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen
    assert [piece for piece, _ in seen[:-1]] == [b"data: 1\n\n", b"data: 2\n\n", DONE]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_stream_that_is_left_early_is_abandoned(library: Any, tmp_path: Path) -> None:
    """What was read is kept, the rest never existed; after the stream's own end mark nothing is missing."""
    with serving(left=stream(b"data: 1\n\n", b"data: 2\n\n"), done=stream(b"data: 1\n\n", DONE)) as server:

        def first(name: str) -> bytes:
            with library.Client() as client, client.stream("GET", f"{server.url}/{name}") as answer:
                for piece in answer.iter_bytes():
                    if name == "left" or piece == DONE:
                        return bytes(piece)
            return b""

        def program() -> list[bytes]:
            return [first("left"), first("done")]

        seen, recorded = run(recording(tmp_path), program)
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen == [b"data: 1\n\n", DONE]
    failures = [item.response.failure for item in recorded.interactions]
    assert failures == ["Abandoned", None]


def test_equal_requests_replay_in_the_order_they_were_started(tmp_path: Path) -> None:
    """A slow first and a quick second answer to the same request are not swapped."""
    answers = in_turn(after(0.3, reply(body=b'"first"')), reply(body=b'"second"'))
    with serving(ask=answers) as server:

        async def program() -> Any:
            async with httpx.AsyncClient() as client:
                first = asyncio.create_task(client.get(f"{server.url}/ask"))
                await asyncio.sleep(0.1)
                second = await client.get(f"{server.url}/ask")
                return [(await first).json(), second.json()]

        seen, recorded = run(recording(tmp_path), program)
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen == ["first", "second"]


def test_an_exhausted_request_is_a_miss_and_never_the_first_answer_again(tmp_path: Path) -> None:
    """The second of two equal requests misses where one was recorded, and the flag outlives a bare except."""
    with serving() as server:
        url = server.url + CHAT
        _, recorded = run(recording(tmp_path), lambda: httpx.post(url, json=asked("hi")).status_code)

    def program() -> str:
        httpx.post(url, json=asked("hi"))
        try:
            httpx.post(url, json=asked("hi"))
        except Miss:
            return "swallowed"
        return "answered"

    returned, result = run(replaying(tmp_path, recorded.interactions), program)
    assert returned == "swallowed"
    assert len(result.misses) == 1


def test_what_was_never_asked_is_left_over(tmp_path: Path) -> None:
    """Unplayed model calls are leftovers, other traffic is a notice."""
    with serving(prices=reply()) as server:

        def program() -> None:
            httpx.post(server.url + CHAT, json=asked("hi"))
            httpx.get(f"{server.url}/prices")

        _, recorded = run(recording(tmp_path), program)
    _, result = run(replaying(tmp_path, recorded.interactions), lambda: None)
    assert [item.number for item in result.leftovers] == [1]
    assert len(result.notices) == 1
    assert "/prices" in result.notices[0]


def test_a_declared_model_url_makes_the_lane(tmp_path: Path) -> None:
    """Traffic that no dialect knows is a model call where its address is declared one."""
    with serving(own=reply()) as server:
        options = recording(tmp_path, model_urls=(f"{server.url}/own",))
        _, recorded = run(options, lambda: httpx.post(f"{server.url}/own", content=b"x"))
    assert recorded.interactions[0].lane == "model"


@pytest.mark.parametrize("library", LIBRARIES)
def test_threads_of_a_pool_belong_to_the_run(library: Any, tmp_path: Path) -> None:
    """Eight threads record and replay every request."""
    with serving() as server:

        def program() -> list[str]:
            with library.Client() as client, ThreadPoolExecutor(8) as pool:

                def one(number: int) -> str:
                    answer = client.post(server.url + CHAT, json=asked(f"n{number}"))
                    return str(answer.json()["choices"][0]["message"]["content"])

                return list(pool.map(one, range(40)))

        seen, recorded = run(recording(tmp_path), program)
    again, result = run(replaying(tmp_path, recorded.interactions), program)
    assert again == seen == [f"echo n{number}" for number in range(40)]
    assert sorted(item.number for item in recorded.interactions) == list(range(1, 41))
    assert (len(result.interactions), result.leftovers, result.misses) == (40, (), ())


def test_three_runs_in_one_loop_stay_apart(tmp_path: Path) -> None:
    """Tasks of one gather record into their own sessions."""
    with serving() as server:

        async def one(name: str) -> SessionResult:
            with recording_session.start(recording(tmp_path)) as session:
                async with httpx.AsyncClient() as client:
                    for turn in range(3):
                        await client.post(server.url + CHAT, json=asked(f"{name}{turn}"))
            return session.result

        async def three() -> tuple[SessionResult, ...]:
            return await asyncio.gather(one("a"), one("b"), one("c"))

        results = asyncio.run(three())
    for name, result in zip("abc", results, strict=True):
        bodies = [item.request.body for item in result.interactions if isinstance(item.request, HttpRequest)]
        assert len(bodies) == 3
        assert all(f"{name}{turn}".encode() in body for turn, body in enumerate(bodies))


def test_a_client_imported_only_in_the_run_is_caught(tmp_path: Path) -> None:
    """See test_patching for the import itself; here: a mock transport stands for a server."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"mock": True}))

    def program() -> Any:
        with httpx.Client(transport=transport) as client:
            return client.get("http://model.test/x").json()

    seen, recorded = run(recording(tmp_path), program)
    transport.handler = lambda _: httpx.Response(500)
    again, _ = replayed(tmp_path, recorded, program)
    assert again == seen == {"mock": True}


def test_secrets_and_real_paths_do_not_reach_the_recording(tmp_path: Path) -> None:
    """Request, answer and chunk lengths are scrubbed; real paths come back in replay."""
    real = str(tmp_path / "work")
    paths = ((real, "/kit-workspace"),)
    said = f"saw s3cret in {real}/a.txt".encode()
    with serving(sse=stream(b"x " + said[:6], said[6:20], said[20:])) as server:

        def program() -> tuple[bytes, ...]:
            body = f"s3cret {real}/a.txt".encode()
            headers = {"authorization": "Bearer s3cret"}
            with httpx.stream("POST", f"{server.url}/sse", content=body, headers=headers) as answer:
                return tuple(answer.iter_raw())

        seen, recorded = run(recording(tmp_path, paths=paths), program)
    item = recorded.interactions[0]
    assert isinstance(item.request, HttpRequest)
    assert isinstance(item.response, HttpResponse)
    assert item.request.body == b"<secret-1> /kit-workspace/a.txt"
    assert item.response.body == b"x saw <secret-1> in /kit-workspace/a.txt"
    assert "s3cret" not in repr(item.request.headers)
    assert sum(item.response.chunks) == len(item.response.body)
    assert b"".join(seen) == b"x " + said
    again, _ = run(replaying(tmp_path, recorded.interactions, paths=paths), program)
    assert b"".join(again) == b"x " + said.replace(b"s3cret", b"<secret-1>")


@pytest.mark.parametrize("library", LIBRARIES)
def test_upload_streams_are_read_once_and_still_sent(library: Any, tmp_path: Path) -> None:
    """A generator as body reaches the server and the recording alike."""
    with serving(up=reply()) as server:

        def program() -> int:
            with library.Client() as client:
                return int(client.post(f"{server.url}/up", content=iter([b"a", b"b"])).status_code)

        _, recorded = run(recording(tmp_path), program)
    assert isinstance(recorded.interactions[0].request, HttpRequest)
    assert recorded.interactions[0].request.body == b"ab"
    replayed(tmp_path, recorded, program)


def test_streamed_chat_completions_are_of_lane_model(tmp_path: Path) -> None:
    """The wire dialect decides, for streams too."""
    with serving(v1_chat_completions=stream(delta("a"), DONE)) as server:
        _, recorded = run(
            recording(tmp_path),
            lambda: httpx.post(server.url + CHAT, json=asked("hi") | {"stream": True}).text,
        )
    assert recorded.interactions[0].lane == "model"


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_body_that_cannot_be_decoded_fails_the_same_way(library: Any, tmp_path: Path) -> None:
    """The recording breaks nothing: raw bytes stay raw, and decoding fails with the client's error."""
    broken = reply(body=b"no gzip at all", content_encoding="gzip")
    with serving(bad=broken) as server:

        def decoding() -> str:
            try:
                return str(library.get(f"{server.url}/bad").text)
            except library.DecodingError as error:
                return type(error).__name__

        def raw() -> bytes:
            with library.stream("GET", f"{server.url}/bad") as answer:
                return b"".join(answer.iter_raw())

        seen, recorded = run(recording(tmp_path), decoding)
        assert run(recording(tmp_path), raw)[0] == b"no gzip at all"
    again, _ = replayed(tmp_path, recorded, decoding)
    assert again == seen == "DecodingError"
