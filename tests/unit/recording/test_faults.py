"""Which call meets which fault, and what becomes of it live and in replay."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import kit
from kit.cassette.interaction import HttpResponse
from kit.recording.damage import TORN
from kit.recording.faults import Fault, Faults
from kit.recording.options import SessionResult
from kit.recording.session import current
from tests.fakes.model_server import DONE, Answer, ModelServer, completion, delta, reply, serving, stream
from tests.fakes.runs import recording, replaying, run

BUSY = HttpResponse(503, (("retry-after", "2"),), b'{"error": {"message": "busy"}}')
STATUS = Fault(on="model", what="status", nth=1, answer=BUSY)
CLOSED = Fault(
    on="model",
    what="close",
    nth=1,
    answer=HttpResponse(0, failure="RemoteProtocolError: Server disconnected"),
)
LATE = Fault(on="model", what="timeout", nth=1, is_timeout=True)
SLOW = Fault(on="model", what="delay", nth=1, delay_ms=2500)
CUT = Fault(on="model", what="cut", nth=1, damage="cut")
SHORT = Fault(on="model", what="cut 20", nth=1, damage="cut", at=20)
GARBLED = Fault(on="model", what="garble", nth=1, damage="garble")
MODEL_FAULTS = (STATUS, CLOSED, LATE, SLOW, CUT, SHORT, GARBLED)
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"path": "/tmp/x"}'}}
URL = "v1/chat/completions"
PATIENCE_S = 7


def asking() -> Answer:
    """An answer that wants a tool."""
    return reply(body=completion("", tool_calls=[CALL]))


def asking_in_pieces() -> Answer:
    """The same as a stream."""
    wanted = json.dumps({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **CALL}]}}]})
    return stream(delta(""), b"data: " + wanted.encode() + b"\n\n", delta("so"), DONE)


def tell(response: httpx.Response, body: bytes) -> str:
    """What an agent would remember of an answer."""
    return f"{response.status_code} {response.headers.get('retry-after')} {body.decode()}"


def ask(url: str) -> list[str]:
    """A client that tries three times, with a pause of a minute in between."""
    heard: list[str] = []
    with httpx.Client(timeout=PATIENCE_S) as client:
        for _ in range(3):
            try:
                with client.stream("POST", url, json={"messages": []}) as response:
                    heard.append(tell(response, response.read()))
                if response.status_code == 200:
                    break
            except httpx.HTTPError as error:
                heard.append(f"{type(error).__name__}: {error}")
            time.sleep(60)
    session = current()
    assert session is not None
    return [*heard, str(session.started()), str(round(session.now_ms(), -2))]


async def ask_async(url: str) -> list[str]:
    """The same, asynchronously."""
    heard: list[str] = []
    async with httpx.AsyncClient(timeout=PATIENCE_S) as client:
        for _ in range(3):
            try:
                async with client.stream("POST", url, json={"messages": []}) as response:
                    heard.append(tell(response, await response.aread()))
                if response.status_code == 200:
                    break
            except httpx.HTTPError as error:
                heard.append(f"{type(error).__name__}: {error}")
            await asyncio.sleep(60)
    session = current()
    assert session is not None
    return [*heard, str(session.started()), str(round(session.now_ms(), -2))]


def both(
    folder: Path, server: ModelServer, program: Callable[[str], Any], *faults: Fault
) -> tuple[tuple[list[str], SessionResult], tuple[list[str], SessionResult]]:
    """The program under its faults, recorded and replayed."""
    url = f"{server.url}/{URL}"
    live = run(recording(folder, faults=faults), lambda: program(url))
    again = run(replaying(folder, live[1].interactions, faults=faults), lambda: program(url))
    return live, again


@pytest.mark.parametrize("answer", [asking, asking_in_pieces])
@pytest.mark.parametrize("program", [ask, ask_async])
@pytest.mark.parametrize("fault", MODEL_FAULTS, ids=lambda fault: fault.what)
def test_a_replay_meets_the_fault_as_the_live_run_did(
    tmp_path: Path, fault: Fault, program: Callable[[str], Any], answer: Callable[[], Answer]
) -> None:
    """The same words, exceptions and clock; only real answers are recorded, whole; nobody really waits."""
    with serving(v1_chat_completions=answer()) as server:
        began = time.monotonic()
        (heard, live), (heard_again, again) = both(tmp_path, server, program, fault)
        assert time.monotonic() - began < 20
        assert len(server.requests) == live.live_requests == len(live.interactions)
    assert heard == heard_again
    assert (again.misses, again.leftovers, again.notices) == ((), (), ())
    assert again.live_requests == 0
    assert live.ended_ms == again.ended_ms
    assert [(one.what, one.is_real, one.interaction) for one in live.faults] == [
        (one.what, one.is_real, one.interaction) for one in again.faults
    ]
    assert [one.what for one in live.faults] == [fault.what]
    for item in live.interactions:
        assert isinstance(item.response, HttpResponse)
        assert item.response.status == 200
        assert item.response.failure is None
        assert b'"{\\"path\\": \\"/tmp/x\\"}"' in item.response.body


def test_what_comes_instead_is_not_recorded_and_the_retry_is(tmp_path: Path) -> None:
    """A 503 with its headers, a pause that nobody waits, then the real answer under the next number."""
    with serving(v1_chat_completions=asking()) as server:
        (heard, live), _ = both(tmp_path, server, ask, STATUS)
    assert heard[0] == '503 2 {"error": {"message": "busy"}}'
    assert heard[1].startswith("200 None")
    assert [item.number for item in live.interactions] == [2]
    (met,) = live.faults
    assert (met.interaction.number, met.interaction.lane, met.interaction.response) == (1, "model", BUSY)
    assert live.interactions[0].started_ms == 60_000


def test_a_time_out_takes_as_long_as_the_client_waits(tmp_path: Path) -> None:
    """The virtual clock moves by the client's patience; a longer delay is a time-out, a shorter one late."""
    slow = Fault(on="model", what="slow", nth=1, delay_ms=PATIENCE_S * 1000 + 1)
    short = Fault(on="model", what="short", nth=1, is_timeout=True, delay_ms=300)
    with serving(v1_chat_completions=asking()) as server:
        for fault, ended_ms in ((LATE, 7000), (slow, 7000), (short, 300)):
            (heard, live), _ = both(tmp_path, server, ask, fault)
            assert heard[0] == "ReadTimeout: The read operation timed out"
            assert live.faults[0].interaction.ended_ms == ended_ms


def test_a_delay_makes_the_answer_late_for_the_agent_only(tmp_path: Path) -> None:
    """The recording starts when the model was asked, the trace when the agent asked."""
    with serving(v1_chat_completions=asking()) as server:
        (_, live), _ = both(tmp_path, server, ask, SLOW)
    assert live.interactions[0].started_ms == 2500
    assert live.faults[0].interaction.started_ms == 0
    assert live.faults[0].interaction.ended_ms == live.interactions[0].ended_ms >= 2500


@pytest.mark.parametrize("program", [ask, ask_async])
def test_a_torn_stream_ends_in_the_clients_own_exception(
    tmp_path: Path, program: Callable[[str], Any]
) -> None:
    """As with a server that dies in the middle of a tool call."""
    with serving(v1_chat_completions=asking_in_pieces()) as server:
        (heard, live), _ = both(tmp_path, server, program, CUT)
    assert heard[0] == f"{TORN}"
    assert heard[1].startswith("200")
    met = live.faults[0]
    assert isinstance(met.interaction.response, HttpResponse)
    assert met.interaction.response.failure == TORN
    assert met.is_real


def test_a_fault_that_nothing_met_is_told(tmp_path: Path) -> None:
    """A scenario about a fault proves nothing without it."""
    with serving() as server:
        third = Fault(on="model", what="status 500 on model call 3", nth=3, answer=BUSY)
        (_, live), (_, again) = both(tmp_path, server, ask, third, GARBLED)
    assert live.notices[:2] == again.notices
    assert again.notices == (
        "the fault `status 500 on model call 3` never happened: there was no such call",
        "the fault `garble` never happened: there was no such call, or nothing in its answer to break",
    )


def test_other_traffic_meets_no_fault(tmp_path: Path) -> None:
    """Price tables, telemetry and lists of models are no calls of a model."""
    fault = Fault(on="model", what="every", answer=BUSY)

    def program(url: str) -> list[str]:
        base = url.removesuffix("chat/completions")
        return [str(httpx.get(f"{base}chat/completions")), str(httpx.post(f"{base}prices"))]

    with serving(v1_prices=reply()) as server:
        (heard, live), _ = both(tmp_path, server, program, fault)
    assert heard == ["<Response [200 OK]>"] * 2
    assert live.faults == ()


calls: list[str] = []


@kit.tool
def look(path: str) -> str:
    """A tool that replay serves."""
    calls.append(path)
    return f"saw {path}"


@kit.tool(replay="execute")
async def touch(path: str) -> str:
    """A tool that replay runs again."""
    calls.append(path)
    return f"touched {path}"


def use_tools(_: str) -> list[str]:
    """Two calls of each tool, whatever becomes of them."""

    def tried(call: Callable[[], str]) -> str:
        try:
            return call()
        except OSError as error:
            return f"{type(error).__name__}: {error}"

    heard = []
    for path in ("a", "b"):
        heard.append(tried(lambda path=path: look(path)))  # type: ignore[misc]
        heard.append(tried(lambda path=path: asyncio.run(touch(path))))  # type: ignore[misc]
    session = current()
    assert session is not None
    return [*heard, str(session.started()), str(round(session.now_ms(), -2))]


@pytest.mark.parametrize(
    ("fault", "heard", "made"),
    [
        (
            Fault(on="tool", tool="look", nth=2, what="no", raises="PermissionError: not for you"),
            ["saw a", "touched a", "PermissionError: not for you", "touched b", "4", "0"],
            ["a", "a", "b"],
        ),
        (
            Fault(on="tool", tool="touch", what="late", is_timeout=True, delay_ms=1000),
            ["saw a", "TimeoutError: timed out", "saw b", "TimeoutError: timed out", "4", "2000"],
            ["a", "b"],
        ),
        (
            Fault(on="tool", nth=2, what="second", raises="OSError: full"),
            ["saw a", "OSError: full", "saw b", "touched b", "4", "0"],
            ["a", "b", "b"],
        ),
        (
            Fault(on="tool", tool="look", nth=1, what="slow", delay_ms=400),
            ["saw a", "touched a", "saw b", "touched b", "4", "400"],
            ["a", "a", "b", "b"],
        ),
    ],
    ids=["raise", "timeout", "any tool", "delay"],
)
def test_tools_meet_faults_alike(tmp_path: Path, fault: Fault, heard: list[str], made: list[str]) -> None:
    """A tool that raises was not run; numbers and clock are those of the live run."""
    calls.clear()
    told, live = run(recording(tmp_path, faults=(fault,)), lambda: use_tools(""))
    assert calls == made
    again, replayed = run(replaying(tmp_path, live.interactions, faults=(fault,)), lambda: use_tools(""))
    assert told == again == heard
    assert (replayed.misses, replayed.leftovers, replayed.tool_drift) == ((), (), ())
    assert live.faults == replayed.faults
    assert len(live.interactions) + sum(not one.is_real for one in live.faults) == 4


def test_the_first_fault_about_a_call_counts() -> None:
    """`every` is what holds besides the numbered ones; calls are counted by tool and over all tools."""
    faults = Faults(
        [
            Fault(on="tool", tool="b", nth=1, what="b1", raises="E"),
            Fault(on="tool", nth=3, what="third", raises="E"),
            Fault(on="tool", tool="a", what="a", raises="E"),
        ]
    )
    met = [faults.of_tool(name) for name in ("a", "b", "b", "a", "b")]
    assert [fault.what if fault else None for fault in met] == ["a", "b1", "third", "a", None]
    assert faults.of_model() is None
    assert Faults(()).of_tool("a") is None


def test_a_recording_without_the_fault_keeps_its_numbers(tmp_path: Path) -> None:
    """Where the faults changed since the recording, no injected call is taken for a recorded one."""
    with serving(v1_chat_completions=asking()) as server:
        url = f"{server.url}/{URL}"
        _, live = run(recording(tmp_path), lambda: ask(url))
        _, again = run(replaying(tmp_path, live.interactions, faults=(STATUS,)), lambda: ask(url))
    assert [item.number for item in again.interactions] == [1]
    assert [one.interaction.number for one in again.faults] == [2]


def test_numbers_are_given_once() -> None:
    """The next one, unless a recorded or an injected call has it."""
    faults = Faults([STATUS])
    assert faults.number(3, [1, 2, 3, 5]) == 4
    assert faults.number(4, [1, 2, 3, 5]) == 6
    assert faults.number(0, ()) == 1
