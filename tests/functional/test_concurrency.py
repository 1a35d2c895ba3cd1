"""Sub-agents and tools at once: what is recorded and replayed does not depend on who was answered first."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

import kit
from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.header import Header
from kit.cassette.interaction import HttpResponse, Interaction, ToolRequest
from kit.cassette.load import loads, reviewed
from kit.errors import Miss
from kit.recording.guard.allow import parse_allow
from kit.recording.options import SessionResult
from kit.trace.build import build_trace
from kit.trace.export import to_json_lines
from kit.trace.run_facts import RunFacts
from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.runs import recording, replaying, run

HELPERS = ("ada", "bob", "cyd")
TURNS = 3
DEAD = "http://127.0.0.1:9"
HEADER = Header(scenario="x", start="2026-01-02T03:04:05Z", recorded="2026-01-02T03:04:05Z")

Program = Callable[[str], Any]


class Turnstile:
    """Holds requests back until everybody who is at work has asked, then lets one through by lot."""

    def __init__(self, seed: int, at_work: int) -> None:
        self._chance = random.Random(seed)
        self._condition = threading.Condition()
        self._waiting: list[int] = []
        self._next: int | None = None
        self._tickets = 0
        self.at_work = at_work

    def wait(self) -> None:
        """Returns when it is this request's turn."""
        with self._condition:
            ticket = self._tickets = self._tickets + 1
            self._waiting.append(ticket)
            self._draw()
            assert self._condition.wait_for(lambda: self._next == ticket, timeout=20)
            self._next = None
            self._waiting.remove(ticket)

    def leave(self) -> None:
        """Somebody has asked for the last time."""
        with self._condition:
            self.at_work -= 1
            self._draw()

    def _draw(self) -> None:
        if self._next is None and self._waiting and len(self._waiting) >= self.at_work:
            self._next = self._chance.choice(self._waiting)
            self._condition.notify_all()


@contextmanager
def shuffling(seed: int) -> Iterator[ModelServer]:
    """A model whose answers to the helpers arrive in an order of their own each time."""
    turnstile = Turnstile(seed, len(HELPERS))

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        messages = json.loads(body)["messages"]
        turn = sum(message["role"] == "assistant" for message in messages)
        who = messages[0]["content"]
        if who in HELPERS:
            turnstile.wait()
            if turn == TURNS - 1:
                turnstile.leave()
        reply(body=completion(f"{who} {turn}"))(handler, body)

    with serving(v1_chat_completions=answer) as server:
        yield server


def body_of(messages: list[dict[str, str]]) -> dict[str, Any]:
    """A request for the next answer."""
    return {"model": "m", "messages": messages}


@kit.tool
def now(where: str) -> str:
    """A tool that every helper calls with the same arguments."""
    return f"{where} {next(_counter[0])}"


_counter = [itertools.count()]


async def in_tasks(url: str) -> str:
    """A planner with three helpers at once, each a conversation with a tool between its turns."""
    async with httpx.AsyncClient(base_url=url) as client:

        async def ask(messages: list[dict[str, str]]) -> str:
            response = await client.post("/v1/chat/completions", json=body_of(messages))
            return str(response.json()["choices"][0]["message"]["content"])

        async def helper(name: str) -> str:
            messages = [{"role": "user", "content": name}]
            for _ in range(TURNS):
                messages.append({"role": "assistant", "content": await ask(messages)})
                messages.append({"role": "user", "content": now("here")})
            return messages[-1]["content"]

        plan = await ask([{"role": "user", "content": "plan"}])
        told = await asyncio.gather(*map(helper, HELPERS))
        return await ask([{"role": "user", "content": "plan"}, {"role": "assistant", "content": plan}]) + str(
            told
        )


def in_threads(url: str) -> str:
    """The same with a pool of threads and a blocking client."""
    with httpx.Client(base_url=url) as client, ThreadPoolExecutor(len(HELPERS)) as pool:

        def ask(messages: list[dict[str, str]]) -> str:
            response = client.post("/v1/chat/completions", json=body_of(messages))
            return str(response.json()["choices"][0]["message"]["content"])

        def helper(name: str) -> str:
            messages = [{"role": "user", "content": name}]
            for _ in range(TURNS):
                messages.append({"role": "assistant", "content": ask(messages)})
            return messages[-1]["content"]

        plan = ask([{"role": "user", "content": "plan"}])
        told = list(pool.map(helper, HELPERS))
        return ask([{"role": "user", "content": "plan"}, {"role": "assistant", "content": plan}]) + str(told)


async def through_to_thread(url: str) -> str:
    """Helpers in tasks whose blocking client runs in a thread for each call: the task never sees a call."""
    with httpx.Client(base_url=url) as client:

        def ask(messages: list[dict[str, str]]) -> str:
            response = client.post("/v1/chat/completions", json=body_of(messages))
            return str(response.json()["choices"][0]["message"]["content"])

        async def helper(name: str) -> str:
            messages = [{"role": "user", "content": name}]
            for _ in range(TURNS):
                messages.append({"role": "assistant", "content": await asyncio.to_thread(ask, messages)})
            return messages[-1]["content"]

        return str(await asyncio.gather(*map(helper, HELPERS)))


PROGRAMS: dict[str, Program] = {
    "tasks": in_tasks,
    "threads": in_threads,
    "to_thread": through_to_thread,
}


def text_of(session: SessionResult) -> str:
    """The cassette of a recording."""
    return dumps(Cassette(HEADER, session.interactions))


def trace_of(session: SessionResult) -> str:
    """The trace of a run, with every time in it."""
    facts = RunFacts(
        scenario_id="x",
        model="m",
        mode="replay",
        interactions=session.interactions,
        outcome="success",
        ended_ms=session.ended_ms,
        sleeps=session.sleeps,
    )
    return to_json_lines(build_trace(facts))


def recorded(folder: Path, program: Program, seed: int) -> tuple[Any, str]:
    """What the program returned live, and its cassette."""
    _counter[0] = itertools.count()
    with shuffling(seed) as server:
        returned, session = run(recording(folder), lambda: program(server.url))
    assert not session.escapes
    return returned, text_of(session)


@pytest.mark.parametrize("name", PROGRAMS)
def test_recordings_read_the_same_whoever_was_answered_first(tmp_path: Path, name: str) -> None:
    """Four recordings with shuffled latencies differ in nothing that a reviewer reads."""
    told = {reviewed(recorded(tmp_path, PROGRAMS[name], seed)[1]) for seed in range(4)}
    if name == "tasks":
        # The tool itself counts its calls in order of time; all else stands in order of conversation.
        told = {"\n".join(line for line in text.splitlines() if "here" not in line) for text in told}
    assert len(told) == 1
    (text,) = told
    places = [text.index(f"content: {who}") for who in HELPERS]
    assert places == sorted(places)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    ("shuffles", "replays"), [(2, 3), pytest.param(10, 10, marks=pytest.mark.slow)], ids=["few", "hundred"]
)
def test_replays_are_byte_identical(tmp_path: Path, name: str, shuffles: int, replays: int) -> None:
    """From shuffled recordings: what came out live, one and the same trace, nothing missed or left."""
    for seed in range(shuffles):
        returned, text = recorded(tmp_path, PROGRAMS[name], seed)
        cassette = loads(text)
        traces = set()
        for _ in range(replays):
            again, session = run(replaying(tmp_path, cassette.interactions), lambda: PROGRAMS[name](DEAD))
            assert (again, session.leftovers, session.misses) == (returned, (), ())
            traces.add(trace_of(session))
        assert len(traces) == 1


def test_equal_calls_of_two_lines_get_their_own_answers(tmp_path: Path) -> None:
    """Three helpers call one tool with the same arguments; replay gives each what it had live."""
    returned, text = recorded(tmp_path, in_tasks, 3)
    cassette = loads(text)
    asked = [one for one in cassette.interactions if isinstance(one.request, ToolRequest)]
    assert len(asked) == len(HELPERS) * TURNS
    assert len({one.key for one in asked}) == 1
    again, _ = run(replaying(tmp_path, cassette.interactions), lambda: in_tasks(DEAD))
    assert again == returned


HEDGE = parse_allow(["hedge:POST /v1/chat/completions"])


async def hedging(url: str, copies: int) -> str:
    """Sends one question several times at once and takes the first answer."""
    body = body_of([{"role": "user", "content": "hurry"}])
    async with httpx.AsyncClient(base_url=url) as client:

        async def ask() -> str:
            response = await client.post("/v1/chat/completions", json=body)
            return str(response.json()["choices"][0]["message"]["content"])

        tasks = [asyncio.create_task(ask()) for _ in range(copies)]
        done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return done.pop().result()


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_a_declared_hedge_may_be_sent_more_or_less_often(tmp_path: Path, copies: int) -> None:
    """Recorded with two copies, replayed with one, two or three: the same answer, and a notice says so."""
    with serving() as server:
        returned, session = run(recording(tmp_path), lambda: hedging(server.url, 2))
    recorded_calls = loads(text_of(session)).interactions
    again, replayed = run(replaying(tmp_path, recorded_calls, allow=HEDGE), lambda: hedging(DEAD, copies))
    assert (again, replayed.leftovers, replayed.misses) == (returned, (), ())
    assert len(replayed.interactions) == 2
    assert [("hedged" in notice) for notice in replayed.notices] == [True] * (copies != 2)


def is_answered(interaction: Interaction) -> bool:
    """Whether the program waited for the end."""
    return interaction.response.failure is None


def test_without_a_declaration_a_hedge_counts_like_any_request(tmp_path: Path) -> None:
    """One less is left over, one more is a miss: nothing is excused in silence."""
    with serving() as server:
        _, session = run(recording(tmp_path), lambda: hedging(server.url, 2))
    # Whichever of the two was answered: that of the task that asked first.
    calls = sorted(loads(text_of(session)).interactions, key=is_answered, reverse=True)
    recorded_calls = [replace(one, number=at + 1, started_ms=at) for at, one in enumerate(calls)]
    _, replayed = run(replaying(tmp_path, recorded_calls), lambda: hedging(DEAD, 1))
    assert len(replayed.leftovers) == 1
    with pytest.raises(Miss, match="asked once more"):
        run(replaying(tmp_path, recorded_calls), lambda: hedging(DEAD, 3))


def test_a_declared_hedge_excuses_no_other_request(tmp_path: Path) -> None:
    """Two equal requests one after the other are no hedge: leaving one out is still told."""

    async def twice(url: str, count: int) -> list[str]:
        return [await hedging(url, 1) for _ in range(count)]

    with serving() as server:
        _, session = run(recording(tmp_path), lambda: twice(server.url, 2))
    later = [
        replace(one, started_ms=number * 1000, ended_ms=number * 1000 + 5)
        for number, one in enumerate(loads(text_of(session)).interactions)
    ]
    _, replayed = run(replaying(tmp_path, later, allow=HEDGE), lambda: twice(DEAD, 1))
    assert len(replayed.leftovers) == 1


def test_a_declared_hedge_is_no_second_answer(tmp_path: Path) -> None:
    """Equal requests one after the other: once more than recorded is a miss, declared or not."""

    async def in_turn(url: str, count: int) -> list[str]:
        return [await hedging(url, 1) for _ in range(count)]

    with serving() as server:
        _, session = run(recording(tmp_path), lambda: in_turn(server.url, 1))
    recorded_calls = loads(text_of(session)).interactions
    with pytest.raises(Miss, match="asked once more"):
        run(replaying(tmp_path, recorded_calls, allow=HEDGE), lambda: in_turn(DEAD, 2))


def test_a_declared_hedge_keeps_the_order_of_a_retry(tmp_path: Path) -> None:
    """A request that failed, and the same once more after it, are played in turn: only copies at once are."""
    with serving() as server:
        _, session = run(recording(tmp_path), lambda: hedging(server.url, 1))
    (answered,) = loads(text_of(session)).interactions
    failed = replace(
        answered, response=HttpResponse(0, failure="ReadTimeout: late"), started_ms=0, ended_ms=5
    )
    retried = replace(answered, number=2, started_ms=10, ended_ms=15)

    async def trying(url: str) -> str:
        try:
            return await hedging(url, 1)
        except httpx.ReadTimeout:
            return f"again: {await hedging(url, 1)}"

    told, replayed = run(replaying(tmp_path, [failed, retried], allow=HEDGE), lambda: trying(DEAD))
    assert (told, replayed.leftovers) == ("again: echo hurry", ())
