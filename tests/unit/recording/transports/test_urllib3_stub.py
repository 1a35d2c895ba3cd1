"""The door of urllib3, requests and boto3, against a real loopback server."""

from __future__ import annotations

import gzip
import io
import json
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
import requests
import urllib3
from backports import zstd
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from kit.cassette.interaction import HttpRequest
from kit.errors import Miss
from kit.recording.faults import Fault
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


def ask(url: str, **given: Any) -> Any:
    """Sends one request through requests and returns all that a program can see of the answer."""
    try:
        answer = requests.post(url, timeout=5, **given)
    except requests.RequestException as error:
        return type(error).__name__, str(error)
    return answer.status_code, answer.content, answer.headers.get("content-type"), time.time()


def test_answers_of_all_kinds_come_back_as_recorded(tmp_path: Path) -> None:
    """JSON, gzip, 429, 500, broken JSON, a torn body and an empty one replay to the same bytes and errors."""
    answers = {
        "gzip": zipped(b'{"packed": true}'),
        "busy": reply(429, b'{"error": "slow down"}', retry_after="1"),
        "broken": reply(500, b"oops", "text/plain"),
        "torn": stream(b"one", b"two", torn=True),
        "empty": reply(204, b""),
    }

    def program(server: ModelServer) -> list[Any]:
        sent = [ask(server.url + CHAT, json=asked("hi")), ask(server.url + CHAT, json=asked("hi"))]
        return sent + [ask(f"{server.url}/{name}", data=b"x") for name in answers]

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen[2][:2] == (200, b'{"packed": true}')
    assert seen[5] == ("ChunkedEncodingError", "Response ended prematurely")
    assert [item.lane for item in recorded.interactions[:3]] == ["model", "model", "other"]
    assert ("retry-after", "1") in response_of(recorded, 3).headers
    assert (response_of(recorded, 5).failure or "").startswith("RemoteProtocolError")


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(b"the body", mtime=0)),
        ("br", brotli.compress(b"the body")),
        ("zstd", zstd.compress(b"the body")),
        ("deflate", zlib.compress(b"the body")),
    ],
)
def test_a_body_is_recorded_without_its_encoding(coding: str, packed: bytes, tmp_path: Path) -> None:
    """Each content-encoding that urllib3 knows is taken off in the cassette, and gives the same in replay."""
    answers = {"packed": reply(body=packed, content_encoding=coding)}

    def program(server: ModelServer) -> bytes:
        return bytes(requests.get(f"{server.url}/packed", timeout=5).content)

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen == response_of(recorded).body == b"the body"


@pytest.mark.parametrize("read", ["iter_content", "iter_lines", "stream", "read1", "readline"])
def test_a_stream_reaches_the_agent_when_the_server_sends_it(read: str, tmp_path: Path) -> None:
    """The client has the first chunk before the server sends the second; replay keeps their bounds."""
    gate = threading.Event()
    answers = {"sse": stream(b"data: 1\n\n", b"data: 2\n\n", DONE, gate=gate)}

    def pieces(url: str) -> Iterator[bytes]:
        if read.startswith("iter"):
            answer = requests.get(url, stream=True, timeout=5)
            yield from answer.iter_lines(chunk_size=1) if read == "iter_lines" else answer.iter_content(None)
            return
        raw = urllib3.PoolManager().request("GET", url, preload_content=False)
        if read == "stream":
            yield from raw.stream()
        else:
            while piece := raw.read1() if read == "read1" else raw.read(1):
                yield piece
        raw.release_conn()

    def program(server: ModelServer) -> list[bytes]:
        seen = []
        for piece in pieces(f"{server.url}/sse"):
            gate.set()
            seen.append(piece)
        return seen

    began = time.monotonic()
    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert time.monotonic() - began < 4
    assert b"".join(seen).replace(b"\n", b"") == b"data: 1data: 2data: [DONE]"
    assert response_of(recorded).chunks == (9, 9, 14)


def test_a_stream_that_is_left_early_is_abandoned(tmp_path: Path) -> None:
    """What was read is kept, the rest never existed; after the stream's own end mark nothing is missing."""
    answers = {"left": stream(b"data: 1\n\n", b"data: 2\n\n"), "done": stream(b"data: 1\n\n", DONE)}

    def first(url: str, last: bytes) -> list[bytes]:
        seen = []
        with requests.get(url, stream=True, timeout=5) as answer:
            for piece in answer.iter_content(None):
                seen.append(piece)
                if piece == last:
                    break
        return seen

    def program(server: ModelServer) -> Any:
        return first(f"{server.url}/left", b"data: 1\n\n"), first(f"{server.url}/done", DONE)

    _, recorded = there_and_back(tmp_path, program, answers=answers)
    assert [response_of(recorded, at).failure for at in (0, 1)] == ["Abandoned", None]


def test_connection_errors_and_time_outs_come_back_as_the_same_exceptions(tmp_path: Path) -> None:
    """Refused, unknown host, no answer in time, reset: class and text of requests and of urllib3."""

    def reset(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.close_connection = True

    answers = {"slow": after(0.4, reply()), "gone": reset, "torn": _short}

    def each(server: ModelServer, name: str) -> Any:
        places = {"refused": "http://127.0.0.1:9/x", "nowhere": "http://nowhere.invalid/x"}
        url = places.get(name, f"{server.url}/{name}")
        pool = urllib3.PoolManager()
        seen: list[Any] = []
        try:
            requests.get(url, timeout=0.2)
        except requests.RequestException as error:
            seen += [type(error).__name__, str(error)]
        try:
            pool.request("GET", url, retries=False, timeout=0.2)
        except urllib3.exceptions.HTTPError as error:
            seen += [type(error).__name__, str(error)]
        return seen

    def program(server: ModelServer) -> Any:
        return [each(server, name) for name in ("refused", "nowhere", "slow", "gone", "torn")]

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert [one[::2] for one in seen] == [
        ["ConnectionError", "NewConnectionError"],
        ["ConnectionError", "NameResolutionError"],
        ["ReadTimeout", "ReadTimeoutError"],
        ["ConnectionError", "ProtocolError"],
        ["ChunkedEncodingError", "ProtocolError"],
    ]
    failures = [(response_of(recorded, at).failure or "").partition(":")[0] for at in range(0, 10, 2)]
    assert failures == ["ConnectError"] * 2 + ["ReadTimeout"] + ["RemoteProtocolError"] * 2


def _short(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    """Promises ten bytes and sends five."""
    handler.send_response(200)
    handler.send_header("content-length", "10")
    handler.end_headers()
    handler.wfile.write(b"12345")
    handler.close_connection = True


def test_a_retry_after_is_waited_for_once_and_never_in_replay(tmp_path: Path) -> None:
    """urllib3's own retry makes two exchanges; the pause passes on the virtual clock only."""
    answers = {"busy": in_turn(reply(429, b"", retry_after="1"), reply(body=b'"ok"'))}

    def program(server: ModelServer) -> Any:
        session = requests.Session()
        retry = Retry(total=2, status_forcelist=[429], allowed_methods=None)
        session.mount("http://", HTTPAdapter(max_retries=retry))
        answer = session.post(f"{server.url}/busy", data=b"x", timeout=5)
        return answer.json(), time.time()

    with serving(**answers) as server:
        seen, recorded = run(recording(tmp_path), lambda: program(server))
    began = time.monotonic()
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: program(server))
    assert time.monotonic() - began < 0.5
    assert again == seen
    assert len(recorded.interactions) == 2
    assert [sleep.ended_ms - sleep.started_ms for sleep in result.sleeps] == [1000]


def test_redirects_are_exchanges_of_their_own(tmp_path: Path) -> None:
    """Each hop is recorded, and history and final address are the same in replay."""
    answers = {"old": reply(302, b"", location="/new"), "new": reply(body=b'"here"')}

    def program(server: ModelServer) -> Any:
        answer = requests.get(f"{server.url}/old", timeout=5)
        raw = urllib3.PoolManager().request("GET", f"{server.url}/old")
        return answer.url, [hop.status_code for hop in answer.history], answer.content, raw.geturl(), raw.data

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen[1:3] == ([302], b'"here"')
    assert len(recorded.interactions) == 4


def test_bodies_of_every_shape_are_sent_and_matched(tmp_path: Path) -> None:
    """Form, text, a file, an iterator in chunks, multipart: recorded whole, sent whole, matched again."""

    def program(server: ModelServer) -> list[Any]:
        url = f"{server.url}/echo"
        chunks = iter([b"one ", b"two"])
        return [
            ask(url, data={"a": "1", "b": "é"}),
            ask(url, data="text é"),
            ask(url, data=io.BytesIO(b"from a file")),
            ask(url, data=chunks),
            ask(url, files={"file": ("a.txt", b"content")}),
            urllib3.PoolManager().request("POST", url, body="later").data,
        ]

    seen, recorded = there_and_back(tmp_path, program, answers={"echo": _echo})
    assert [json.loads(one[1])["said"] for one in seen[:3]] == ["a=1&b=%C3%A9", "text é", "from a file"]
    bodies = [one.request.body for one in recorded.interactions if isinstance(one.request, HttpRequest)]
    assert bodies[2:4] == [b"from a file", b"one two"]
    assert b'filename="a.txt"' in bodies[4]


def _echo(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    if handler.headers.get("transfer-encoding") == "chunked":
        while int(handler.rfile.readline(), 16):
            handler.rfile.readline()
        handler.rfile.readline()
    reply(body=json.dumps({"said": body.decode("utf-8", "replace")[:40]}).encode())(handler, body)


def test_eight_threads_with_twenty_requests_each_keep_and_replay_all(tmp_path: Path) -> None:
    """All 160 exchanges are recorded, whichever thread makes them, and each gets its own answer again."""

    def program(server: ModelServer) -> list[str]:
        def one(number: int) -> str:
            answer = requests.post(server.url + CHAT, json=asked(f"number {number}"), timeout=20)
            return str(answer.json()["choices"][0]["message"]["content"])

        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(one, range(160)))

    with serving() as server:
        seen, recorded = run(recording(tmp_path), lambda: program(server))
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: program(server))
    assert again == seen == [f"echo number {number}" for number in range(160)]
    assert len(recorded.interactions) == recorded.live_requests == len(server.requests) == 160
    assert not (result.misses or result.leftovers or result.live_requests)


def test_threads_with_one_session_and_a_pool_that_blocks_give_connections_back(tmp_path: Path) -> None:
    """A pool of one connection serves all in replay: it is given back when an answer was read."""

    def program(server: ModelServer) -> list[int]:
        pool = urllib3.HTTPConnectionPool("127.0.0.1", server.port, maxsize=1, block=True)
        seen = []
        for number in range(3):
            answer = pool.request("GET", f"/x{number}", preload_content=False, pool_timeout=1)
            answer.read()
            answer.release_conn()
            seen.append(answer.status)
        return seen

    seen, _ = there_and_back(tmp_path, program, answers={f"x{number}": reply() for number in range(3)})
    assert seen == [200, 200, 200]


def test_a_head_request_has_no_body(tmp_path: Path) -> None:
    """HEAD replays without a body, and nobody waits for one."""

    def program(server: ModelServer) -> Any:
        answer = requests.head(f"{server.url}/x", timeout=5)
        return answer.status_code, answer.content

    seen, _ = there_and_back(tmp_path, program)
    assert seen[1] == b""


def test_a_request_that_was_never_recorded_is_a_miss_and_reaches_nobody(tmp_path: Path) -> None:
    """The miss comes through requests' own except clauses, and the server is not asked."""
    with serving() as server:
        _, recorded = run(recording(tmp_path), lambda: ask(server.url + CHAT, json=asked("one")))
        with pytest.raises(Miss, match="tried"):
            run(replaying(tmp_path, recorded.interactions), lambda: ask(server.url + CHAT, json=asked("two")))
        assert len(server.requests) == 1


def test_secrets_are_scrubbed_and_replay_needs_none(tmp_path: Path) -> None:
    """A secret in an address and in a streamed answer is masked, and another one matches in replay."""

    def program(server: ModelServer) -> Any:
        return ask(f"{server.url}/x?api_key=sk-realrealrealreal1234567890", data=b"x")[0]

    def again(server: ModelServer) -> Any:
        return ask(f"{server.url}/x?api_key=none", data=b"x")[0]

    _, recorded = there_and_back(tmp_path, program, again=again, answers={"x": stream(b"s3c", b"ret")})
    assert "sk-real" not in repr(recorded.interactions[0].request)
    assert b"s3cret" not in response_of(recorded).body


@pytest.mark.parametrize("damage", ["cut", "garble"])
def test_faults_break_a_live_answer_and_a_replayed_one_alike(damage: Any, tmp_path: Path) -> None:
    """What the agent sees of a damaged answer is the same both times; the recording holds the whole one."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"path": "a"}'}}
    body = completion("", tool_calls=[call])
    faults = (Fault(on="model", what=damage, damage=damage, at=50 if damage == "cut" else None),)

    def program(server: ModelServer) -> Any:
        return ask(server.url + CHAT, json=asked("hi"))

    with serving(v1_chat_completions=reply(body=body)) as server:
        seen, recorded = run(recording(tmp_path, faults=faults), lambda: program(server))
    again, _ = run(replaying(tmp_path, recorded.interactions, faults=faults), lambda: program(server))
    assert again == seen
    assert seen[0] == "ChunkedEncodingError" if damage == "cut" else b'"{path: a}"' in seen[1]
    assert response_of(recorded).body == body


def test_a_fault_stands_in_for_the_model(tmp_path: Path) -> None:
    """A time-out by design is requests' own exception, and nobody is asked."""
    faults = (Fault(on="model", what="late", nth=1, is_timeout=True),)
    with serving() as server:
        seen, recorded = run(
            recording(tmp_path, faults=faults), lambda: ask(server.url + CHAT, json=asked("hi"))
        )
        assert server.requests == []
    assert seen[0] == "ReadTimeout"
    assert recorded.ended_ms == 5000


def test_a_stream_of_a_model_is_recorded_as_one(tmp_path: Path) -> None:
    """A streamed completion through requests is a call of lane model with all its events."""
    answers = {"v1_chat_completions": stream(delta("Hel"), delta("lo"), DONE)}

    def program(server: ModelServer) -> Any:
        body = asked("hi") | {"stream": True}
        with requests.post(server.url + CHAT, json=body, stream=True, timeout=5) as answer:
            return [line for line in answer.iter_lines() if line]

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen[-1] == b"data: [DONE]"
    assert recorded.interactions[0].lane == "model"
    assert len(response_of(recorded).chunks) == 3


def test_without_a_run_urllib3_is_as_it_was(tmp_path: Path) -> None:
    """After the last session the original method is back, and requests go out unseen."""
    before = urllib3.connectionpool.HTTPConnectionPool._make_request
    with serving() as server:
        run(recording(tmp_path), lambda: ask(server.url + CHAT, json=asked("hi")))
        assert urllib3.connectionpool.HTTPConnectionPool._make_request is before
        assert ask(server.url + CHAT, json=asked("hi"))[0] == 200
