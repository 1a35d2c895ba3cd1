"""The door of http.client and urllib.request, against a real loopback server."""

from __future__ import annotations

import gzip
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import Miss
from kit.recording.faults import Fault
from tests.fakes.exchanges import there_and_back
from tests.fakes.model_server import (
    DONE,
    ModelServer,
    after,
    completion,
    reply,
    serving,
    stream,
)
from tests.fakes.runs import recording, replaying, run

CHAT = "/v1/chat/completions"
QUESTION = json.dumps({"model": "stub", "messages": [{"role": "user", "content": "hi"}]}).encode()


def by_connection(port: int, path: str, body: Any = b"x", **given: Any) -> Any:
    """One request through a connection of http.client."""
    conn = HTTPConnection("127.0.0.1", port, timeout=0.3)
    try:
        conn.request("POST", path, body, **given)
        answer = conn.getresponse()
        return answer.status, answer.read(), answer.getheader("content-type"), time.time()
    except (OSError, HTTPException) as error:
        return type(error).__name__, str(error)
    finally:
        conn.close()


def by_urllib(url: str, data: bytes | None = b"y") -> Any:
    """One request through urllib.request."""
    try:
        with urllib.request.urlopen(url, data, timeout=0.3) as answer:  # noqa: S310 - a loopback server
            return answer.status, answer.read(), answer.url
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except (OSError, HTTPException) as error:
        return type(error).__name__, str(error)


def test_answers_and_failures_of_all_kinds_come_back_as_recorded(tmp_path: Path) -> None:
    """JSON, 429, torn, empty, late, redirected, streamed, refused and unknown hosts, through both."""
    answers = {
        "busy": reply(429, b'{"error": "slow down"}', retry_after="1"),
        "torn": stream(b"one", b"two", torn=True),
        "empty": reply(204, b""),
        "slow": after(0.5, reply()),
        "old": reply(302, b"", location="/new"),
        "new": reply(body=b'"here"'),
        "sse": stream(b"data: 1\n\n", DONE),
    }

    def program(server: ModelServer) -> list[Any]:
        seen = [by_connection(server.port, f"/{name}") for name in answers]
        seen += [by_urllib(f"{server.url}/{name}") for name in answers]
        seen += [
            by_connection(9, "/x"),
            by_urllib("http://127.0.0.1:9/x"),
            by_urllib("http://nowhere.invalid/"),
        ]
        return [*seen, by_urllib(server.url + CHAT, QUESTION)]

    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen[1][0] == seen[8][0] == "IncompleteRead"
    assert seen[3] == seen[10] == ("TimeoutError", "timed out")
    assert seen[11] == (200, b'"here"', seen[11][2])
    assert seen[14] == ("ConnectionRefusedError", "[Errno 111] Connection refused")
    assert [one[0] for one in seen[15:17]] == ["URLError", "URLError"]
    assert recorded.interactions[-1].lane == "model"


def test_requests_written_in_pieces_are_one_exchange_each(tmp_path: Path) -> None:
    """`putrequest`, `send` and chunks, several on one connection, also one that was connected by hand."""

    def program(server: ModelServer) -> list[Any]:
        conn = HTTPConnection("127.0.0.1", server.port, timeout=5)
        conn.connect()
        conn.putrequest("POST", "/x")
        conn.putheader("content-length", "4")
        conn.endheaders()
        conn.send(b"ab")
        conn.send(b"cd")
        seen = [conn.getresponse().read()]
        conn.request("POST", "/x", b"again")
        seen.append(conn.getresponse().read())
        conn.close()
        return seen

    seen, recorded = there_and_back(tmp_path, program, answers={"x": reply(body=b'"ok"')})
    assert seen == [b'"ok"', b'"ok"']
    bodies = [one.request.body for one in recorded.interactions if isinstance(one.request, HttpRequest)]
    assert bodies == [b"abcd", b"again"]


def test_a_program_that_asks_for_gzip_gets_gzip(tmp_path: Path) -> None:
    """http.client decodes nothing: the program does, with or without a look at the header."""
    packed = gzip.compress(b'{"packed": true}')

    def program(server: ModelServer) -> Any:
        request = urllib.request.Request(f"{server.url}/gzip", headers={"Accept-Encoding": "gzip"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - a loopback server
            return answer.headers["content-encoding"], gzip.decompress(answer.read())

    answers = {"gzip": reply(body=packed, content_encoding="gzip")}
    seen, recorded = there_and_back(tmp_path, program, answers=answers)
    assert seen == ("gzip", b'{"packed": true}')
    response = recorded.interactions[0].response
    assert isinstance(response, HttpResponse)
    assert response.body == b'{"packed": true}'


def test_a_name_bound_before_the_run_is_met_too(tmp_path: Path) -> None:
    """`from http.client import HTTPSConnection`: its request is a miss in replay, and no byte leaves."""
    conn = HTTPSConnection("127.0.0.1", 9, timeout=1)
    with pytest.raises(Miss, match=r"test_http_client_stub\.py:\d+, to 127\.0\.0\.1:9"):
        run(replaying(tmp_path, ()), lambda: conn.request("GET", "/"))
    assert conn.sock is None


def test_a_tunnel_is_not_dug_in_replay(tmp_path: Path) -> None:
    """Behind a proxy the request is one to the host behind it."""
    conn = HTTPSConnection("127.0.0.1", 9, timeout=1)
    conn.set_tunnel("api.example", 443)
    with pytest.raises(Miss, match=r"GET /v1\n.*, to api\.example"):
        run(replaying(tmp_path, ()), lambda: conn.request("GET", "/v1"))


def test_eight_threads_with_twenty_requests_each_keep_and_replay_all(tmp_path: Path) -> None:
    """All 160 exchanges are recorded, and each gets its own answer again."""

    def program(server: ModelServer) -> list[Any]:
        def one(number: int) -> Any:
            conn = HTTPConnection("127.0.0.1", server.port, timeout=20)
            body = {"messages": [{"role": "user", "content": f"number {number}"}], "model": "stub"}
            conn.request("POST", CHAT, json.dumps(body))
            answer = json.loads(conn.getresponse().read())
            conn.close()
            return answer["choices"][0]["message"]["content"]

        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(one, range(160)))

    with serving() as server:
        seen, recorded = run(recording(tmp_path), lambda: program(server))
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: program(server))
    assert again == seen == [f"echo number {number}" for number in range(160)]
    assert len(recorded.interactions) == recorded.live_requests == 160
    assert not (result.misses or result.leftovers or result.live_requests)


@pytest.mark.parametrize("damage", ["cut", "garble"])
def test_faults_break_a_live_answer_and_a_replayed_one_alike(damage: Any, tmp_path: Path) -> None:
    """What the agent sees of a damaged answer is the same both times."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"path": "a"}'}}
    faults = (Fault(on="model", what=damage, damage=damage, at=50 if damage == "cut" else None),)

    def program(server: ModelServer) -> Any:
        return by_urllib(server.url + CHAT, QUESTION)

    with serving(v1_chat_completions=reply(body=completion("", tool_calls=[call]))) as server:
        seen, recorded = run(recording(tmp_path, faults=faults), lambda: program(server))
    again, _ = run(replaying(tmp_path, recorded.interactions, faults=faults), lambda: program(server))
    assert again == seen
    assert seen[0] == "IncompleteRead" if damage == "cut" else b'"{path: a}"' in seen[1]


def test_who_closes_before_the_answer_abandons_it(tmp_path: Path) -> None:
    """The request was made, so replay plays it."""

    def program(server: ModelServer) -> None:
        conn = HTTPConnection("127.0.0.1", server.port, timeout=5)
        conn.request("POST", "/x", b"x")
        conn.close()
        assert server.was_asked.wait(30), "the server counts it after the client has gone"

    _, recorded = there_and_back(tmp_path, program)
    response = recorded.interactions[0].response
    assert isinstance(response, HttpResponse)
    assert (response.status, response.failure) == (0, "Abandoned")
