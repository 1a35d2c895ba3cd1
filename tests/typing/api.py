"""A small program against kit's public names; mypy in strict mode reads it, nobody runs it.

What a user writes must be typed without a cast or an ignore, and what is wrong must be seen: each
`type: ignore` below is an error that mypy has to find, since unused ones are errors themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import kit


@kit.tool
def read_file(path: str, limit: int = 10) -> str:
    """A plain function stays what it is."""
    return path[:limit]


@kit.tool(name="fs_write", replay="execute")
async def write_file(path: str) -> int:
    """An async one too."""
    return len(path)


def agent(turn: kit.Turn) -> kit.Reply:
    """An agent that answers with a reply."""
    assert_type(turn.endpoint, kit.ModelEndpoint)
    assert_type(turn.workspace, kit.Workspace)
    assert_type(turn.history, tuple[kit.Message, ...])
    assert_type(turn.workspace.resolve("/a"), Path)
    assert_type(turn.report.ask_approval("write", {"path": "/a"}), bool)
    return kit.Reply(read_file("/a", limit=3), detail={"seen": 1})


async def async_agent(turn: kit.Turn) -> str:
    """An agent that is awaited and answers with plain text."""
    assert_type(await write_file("/a"), int)
    return turn.message


AGENTS: tuple[kit.Agent, ...] = (agent, async_agent, lambda turn: turn.message)


class Lenient:
    """An oracle of a user's own."""

    async def evaluate(self, scenario: kit.Scenario, trace: kit.ExecutionTrace) -> kit.OracleResult:
        """Judge a trace."""
        assert_type(trace.cost_micro_usd, int | None)
        return kit.OracleResult(
            scenario_id=scenario.id,
            passed=True,
            trace_path=Path("t"),
            verdict="pass",
            suite="home",
            category=scenario.category,
            model=trace.model,
        )


async def evaluate(harness: kit.EvalHarness, oracle: kit.Oracle) -> kit.EvalReport:
    """Whoever asks for the protocols takes what kit ships."""
    result = await harness.run_one(Path("scenarios/home/001_x.yaml"), mode="live")
    assert_type(result, kit.OracleResult)
    assert_type(result.cost_usd, float | None)
    assert_type(result.passed, bool)
    assert_type(result.failures, tuple[str, ...])
    return await harness.run([Path("a.yaml")], baseline=Path("../main"))


async def main() -> int:
    """The whole of it."""
    try:
        report = await evaluate(kit.LocalHarness(model="stub", start=Path()), Lenient())
    except kit.KitError as error:
        assert_type(error.next_command, str | None)
        return error.exit_code
    except (kit.Miss, kit.SideEffect) as stop:
        return stop.exit_code
    return len(report.scenarios)


async def wrong(harness: kit.LocalHarness) -> None:
    """What a checker must refuse."""
    read_file(3)  # type: ignore[arg-type]
    await harness.run([Path("a.yaml")], mode="record")  # type: ignore[arg-type]
    kit.Reply(text=None)  # type: ignore[arg-type]
    kit.record_tools([read_file])[0](3)  # type: ignore[arg-type]
    kit.record_tools(read_file, replay="both")  # type: ignore[arg-type]
    kit.nothing()  # type: ignore[attr-defined]
