"""A run from scenario to trace, with the real recording and a real server on loopback."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time

import httpx
import pytest

import kit
from kit.agent.protocol import Reply, Turn
from kit.errors import EXIT_CASSETTE, EXIT_ENVIRONMENT, EXIT_USAGE, EnvironmentFault, Miss
from tests.unit.run.conftest import Bench, ask, ask_async


def plain(turn: Turn) -> str:
    """An agent that asks its model once."""
    return ask(turn)


def test_a_replay_gives_the_trace_of_the_record_and_asks_nobody(bench: Bench) -> None:
    """The whole loop: record two turns from a server, replay them without it."""
    seen: list[int] = []

    def agent(turn: Turn) -> Reply:
        seen.append(len(turn.history))
        return Reply(ask(turn))

    recorded = bench.run(agent, turns=("one", "two"))
    assert recorded.verdict_error is None
    assert recorded.trace.replies == ("you said one", "you said two")
    assert recorded.trace.outcome == "success"
    assert seen == [0, 2]
    bench.server.shutdown()
    bench.server.server_close()
    replayed = bench.run(agent, "replay", turns=("one", "two"))
    assert replayed.verdict_error is None
    assert replayed.session.live_requests == 0
    assert replayed.trace.steps == recorded.trace.steps
    assert (recorded.trace.mode, replayed.trace.mode) == ("live", "replay")


def test_an_async_agent_keeps_its_loop_over_all_turns(bench: Bench) -> None:
    """A client that an agent opened in its first turn still works in its second."""

    class Talker:
        def __init__(self) -> None:
            self.client: httpx.AsyncClient | None = None

        async def __call__(self, turn: Turn) -> str:
            if self.client is None:
                self.client = httpx.AsyncClient()
            reply = await ask_async(turn, self.client)
            if turn.message == "two":
                await self.client.aclose()
            return reply

    recorded = bench.run(Talker(), turns=("one", "two"))
    assert recorded.trace.replies == ("you said one", "you said two")
    replayed = bench.run(Talker(), "replay", turns=("one", "two"))
    assert replayed.verdict_error is None
    assert replayed.trace.steps == recorded.trace.steps


def test_a_sync_agent_may_run_a_loop_of_its_own(bench: Bench) -> None:
    """No loop of kit's is in its way."""

    def agent(turn: Turn) -> str:
        async def work() -> str:
            async with httpx.AsyncClient() as client:
                return await ask_async(turn, client)

        return asyncio.run(work())

    assert bench.run(agent).trace.replies == ("you said one",)


def test_the_turn_carries_the_scenarios_world(bench: Bench) -> None:
    """Tools, autonomy, policy, channel, memory and fixtures are those of the setup."""
    (bench.root / "note.txt").write_text("a note")
    turns: list[Turn] = []

    def agent(turn: Turn) -> str:
        turns.append(turn)
        turn.workspace.resolve("made.txt").write_text(turn.workspace.resolve("/etc/note").read_text())
        assert turn.report.ask_approval("write")
        assert not turn.report.ask_approval("again")
        return ask(turn)

    setup = {
        "autonomy": "supervised",
        "available_tools": ["a", "b"],
        "channel": "cli:me",
        "policy_preset": "strict",
        "approvals": ["approve"],
        "memory": {"editor": "vim"},
        "fixtures": [{"path": "/etc/note", "content_fixture": "note.txt"}],
    }
    trace = bench.run(agent, setup=setup).trace
    turn = turns[0]
    assert (turn.tools, turn.autonomy, turn.channel, turn.policy) == (
        ("a", "b"),
        "supervised",
        "cli:me",
        "strict",
    )
    assert trace.files["/workspace/made.txt"] == "a note"
    assert "/workspace/made.txt" not in trace.files_before
    assert trace.memory == {"editor": "vim"}
    assert [step.arguments for step in trace.events("approval_decided")] == [
        {"action": "write", "approved": True, "by": "scenario"},
        {"action": "again", "approved": False, "by": "exhausted"},
    ]
    assert trace.outcome == "needs_approval"
    assert not turn.workspace.root.exists()


def test_the_workspace_can_be_kept(bench: Bench) -> None:
    """A person may look into what the agent left."""
    result = bench.run(plain, keep_workspace=True)
    assert result.workspace is not None
    assert (result.workspace / "workspace/SOUL.md").is_file()


def test_an_agent_that_raises_has_failed_and_the_line_is_named(bench: Bench) -> None:
    """S2-44: its exception is its outcome, in record and in replay alike, and no error of the harness."""

    def agent(turn: Turn) -> str:
        ask(turn)
        raise ValueError(f"no file {turn.workspace.resolve('x')}")

    for mode in ("record", "replay"):
        result = bench.run(agent, mode)
        assert result.verdict_error is None
        assert result.trace.outcome == "failure"
        assert result.trace.failure is not None
        assert result.trace.failure.startswith("ValueError: no file /workspace/x (")
        assert "test_runner.py:" in result.trace.failure


def test_an_agent_that_raises_earlier_than_recorded_is_still_to_blame(bench: Bench) -> None:
    """What it did not get to is said, but the verdict is the agent's."""
    bench.run(plain)

    def broken(turn: Turn) -> str:
        raise RuntimeError("new bug")

    result = bench.run(broken, "replay")
    assert result.verdict_error is None
    assert result.trace.failure is not None
    assert "new bug" in result.trace.failure
    assert any("1 recorded interaction was never played" in notice for notice in result.notices)


def test_a_record_in_which_the_agent_dies_at_once_is_no_recording(bench: Bench) -> None:
    """A crash must never replace a good cassette by an empty one."""

    def broken(turn: Turn) -> str:
        raise RuntimeError("typo")

    result = bench.run(broken)
    assert result.verdict_error is not None
    assert "no model call was captured, since the agent failed before it made one: RuntimeError: typo" in (
        result.verdict_error
    )
    assert result.exit_code == EXIT_CASSETTE


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        (None, "the agent returned nothing for turn 1"),
        (5, "the agent returned a int for turn 1"),
        (Reply(None), "the agent returned a Reply for turn 1"),  # type: ignore[arg-type]
        ("", "the agent gave no answer to the last turn"),
        (Reply("  \n"), "the agent gave no answer to the last turn"),
    ],
)
def test_an_agent_that_answers_nothing_has_failed(bench: Bench, returned: object, text: str) -> None:
    """What it returned is named."""

    def agent(turn: Turn) -> object:
        ask(turn)
        return returned

    result = bench.run(agent)  # type: ignore[arg-type]
    assert result.verdict_error is None
    assert result.trace.outcome == "failure"
    assert (result.trace.failure or "").startswith(text)
    assert result.trace.final_response is None


def test_an_agent_that_leaves_the_process_has_failed(bench: Bench) -> None:
    """`sys.exit` ends the agent and not kit."""

    def agent(turn: Turn) -> str:
        ask(turn)
        sys.exit(3)

    assert (bench.run(agent).trace.failure or "").startswith("SystemExit: 3")


def test_ctrl_c_ends_kit_and_not_the_agent(bench: Bench) -> None:
    """An interruption is never a verdict, even out of a task group."""

    async def agent(turn: Turn) -> str:
        raise BaseExceptionGroup("tasks", [KeyboardInterrupt()])

    with pytest.raises(KeyboardInterrupt):
        bench.run(agent)


def test_an_agent_that_hangs_is_stopped_even_where_it_swallows_everything(bench: Bench) -> None:
    """The limit is in real seconds: virtual sleeps do not wait it out, and no `except` outlives it."""

    def agent(turn: Turn) -> str:
        ask(turn)
        try:
            threading.Event().wait()
        except BaseException:  # noqa: BLE001 - the rudest agent there is
            return "never mind"
        return "woke up"

    result = bench.run(agent, time_limit_s=0.2)
    assert result.trace.failure == "the time limit of 0.2 s is over"
    assert result.trace.outcome == "failure"


def test_an_async_agent_that_hangs_is_stopped(bench: Bench) -> None:
    """The alarm gets through the loop's wait, and through a loop that never waits."""

    async def waits(turn: Turn) -> str:
        ask(turn)
        await asyncio.get_running_loop().create_future()
        return "x"

    async def spins(turn: Turn) -> str:
        ask(turn)
        began = time.monotonic()
        while time.monotonic() - began < 30:
            await asyncio.sleep(0)
        return "x"

    for agent in (waits, spins):
        assert bench.run(agent, time_limit_s=0.2).trace.failure == "the time limit of 0.2 s is over"


def test_a_miss_is_an_error_even_where_the_agent_swallows_it(bench: Bench) -> None:
    """A request that was never recorded is found out at the end of the run."""
    bench.run(plain)

    def changed(turn: Turn) -> str:
        try:
            return ask(turn, "something else")
        except Miss:
            return "all is well"

    result = bench.run(changed, "replay")
    assert result.trace.final_response == "all is well"
    assert result.verdict_error is not None
    assert "something else" in result.verdict_error
    assert result.exit_code == EXIT_CASSETTE


def test_a_miss_that_ends_the_run_is_said_once(bench: Bench) -> None:
    """The explanation stands in the error one time, whoever raised it."""
    bench.run(plain)
    result = bench.run(lambda turn: ask(turn, "something else"), "replay")
    assert result.verdict_error is not None
    assert result.verdict_error.count("something else") == result.session.misses[0].count("something else")
    assert result.trace.failure is None
    assert result.trace.outcome == "failure"


def test_fewer_calls_than_recorded_are_an_error(bench: Bench) -> None:
    """A leftover says which interaction was never played."""

    def twice(turn: Turn) -> str:
        ask(turn)
        return ask(turn, "more")

    bench.run(twice)
    result = bench.run(plain, "replay")
    assert result.verdict_error is not None
    assert "1 recorded interaction was never played: 2 (POST http" in result.verdict_error


def test_a_run_without_a_model_call_is_an_error(bench: Bench) -> None:
    """Decision 7: an agent whose client kit cannot see must not pass."""
    result = bench.run(lambda turn: "no model needed")
    assert result.verdict_error is not None
    assert "no model call was captured" in result.verdict_error


def test_another_model_that_answers_is_an_error(bench: Bench) -> None:
    """Decision 20: a cassette's model is the model that answered; a declared alias is the same model."""
    bench.server.answers_as = "model-2"
    result = bench.run(plain)
    assert result.verdict_error is not None
    assert "the model `model-2` answered interaction 1, asked was `model-1`" in result.verdict_error
    assert result.exit_code == EXIT_ENVIRONMENT
    assert bench.run(plain, "replay").exit_code == EXIT_CASSETTE
    assert bench.run(plain, aliases={"model-1": ("model-2",)}).verdict_error is None


def test_a_side_effect_in_replay_is_an_error(bench: Bench) -> None:
    """A program is not started a second time, and the line is named."""

    def agent(turn: Turn) -> str:
        subprocess.run(["true"], check=True)
        return ask(turn)

    bench.run(agent)
    result = bench.run(agent, "replay")
    assert result.verdict_error is not None
    assert "test_runner.py:" in result.verdict_error
    assert result.exit_code == EXIT_CASSETTE


def test_a_served_tool_runs_in_record_only(bench: Bench) -> None:
    """Its recorded result, and its recorded exception, come back in replay."""
    calls: list[str] = []

    @kit.tool
    def weather(city: str) -> dict[str, int]:
        calls.append(city)
        if city == "Atlantis":
            raise LookupError(f"no {city}")
        return {"degrees": 20}

    def agent(turn: Turn) -> str:
        ask(turn)
        try:
            weather(city="Atlantis")
        except LookupError as failure:
            return f"{weather('Roma')['degrees']} {failure}"
        return "no failure"

    recorded = bench.run(agent)
    replayed = bench.run(agent, "replay")
    assert calls == ["Atlantis", "Roma"]
    assert recorded.trace.final_response == replayed.trace.final_response == "20 no Atlantis"
    assert replayed.trace.outcome == "error_handled"
    assert replayed.trace.steps == recorded.trace.steps


def test_an_async_tool_is_served_too(bench: Bench) -> None:
    """What it awaits in record is not awaited in replay."""
    calls: list[int] = []

    @kit.tool
    async def look(number: int) -> int:
        calls.append(number)
        await asyncio.sleep(0)
        return number * 2

    async def agent(turn: Turn) -> str:
        async with httpx.AsyncClient() as client:
            return f"{await ask_async(turn, client)} {await look(4)}"

    bench.run(agent)
    assert bench.run(agent, "replay").trace.final_response == "you said one 8"
    assert calls == [4]


def test_an_executed_tool_that_gives_something_else_has_drifted(bench: Bench) -> None:
    """The agent gets the new result; the difference fails the run but is no error."""
    results = ["old", "new"]

    @kit.tool(replay="execute")
    def look(path: str) -> str:
        return results.pop(0)

    def agent(turn: Turn) -> str:
        ask(turn)
        return look("x")

    bench.run(agent)
    result = bench.run(agent, "replay")
    assert result.verdict_error is None
    assert result.trace.final_response == "new"
    (drift,) = result.tool_drift
    assert "old" in drift
    assert "new" in drift


def test_a_tool_that_cannot_be_recorded_is_kits_error_and_not_the_agents(bench: Bench) -> None:
    """A result that is no JSON value says so, with the exit code of a wrong use."""

    @kit.tool
    def look() -> object:
        return object()

    def agent(turn: Turn) -> str:
        ask(turn)
        return str(look())

    result = bench.run(agent)
    assert result.verdict_error is not None
    assert "the result of tool look is a object" in result.verdict_error
    assert result.exit_code == EXIT_USAGE


def test_a_model_error_that_the_agent_gets_over_is_error_handled(bench: Bench) -> None:
    """Decision 19, with a real 500."""
    bench.server.statuses = [500]

    def agent(turn: Turn) -> str:
        try:
            return ask(turn)
        except httpx.HTTPStatusError:
            return ask(turn)

    assert bench.run(agent).trace.outcome == "error_handled"
    replayed = bench.run(agent, "replay")
    assert (replayed.trace.outcome, replayed.verdict_error) == ("error_handled", None)


def test_runs_do_not_see_each_others_files(bench: Bench) -> None:
    """S2-46 (6): every run has a folder of its own."""

    def agent(turn: Turn) -> str:
        file = turn.workspace.resolve("seen")
        assert not file.exists()
        file.write_text("x")
        return ask(turn)

    for _ in range(2):
        assert bench.run(agent).trace.failure is None


def test_a_fixture_that_is_gone_is_the_worlds_fault(bench: Bench) -> None:
    """Whoever deletes it between load and run gets a sentence."""
    setup = {"fixtures": [{"path": "/a", "content_fixture": "gone.txt"}]}
    with pytest.raises(EnvironmentFault, match="the workspace cannot be built"):
        bench.run(plain, setup=setup)
