"""One cell, run and judged and kept; every way it can end is a result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.agent.protocol import Turn
from kit.cassette.paths import judge_path, partial_path
from kit.cassette.store import read
from kit.errors import ConfigError
from kit.harness.cell import CellResult, run_cell
from kit.harness.keep import Interrupted
from kit.harness.plan import Cell
from kit.harness.servers import Servers
from kit.harness.setting import agent_name
from kit.harness.world import World, folder_of
from kit.models.chat import ChatClient
from kit.trace.trace import Mode
from tests.fakes import agents
from tests.fakes.stub_project import StubProject


class Bench:
    """Runs cells of one project."""

    def __init__(self, project: StubProject, servers: Servers) -> None:
        self.project = project
        self.servers = servers

    def world(self, mode: Mode, *, keep: bool = True, **arguments: Any) -> World:
        """What the cells of a run share."""
        agent = arguments.pop("agent", None)
        opened = self.project.open(agent=agent and f"tests.fakes.agents:{agent}", **arguments)
        return World(opened.settings, mode, keep, opened.scratch("reports"), self.servers)

    def record(self, cell: Cell | None = None, **arguments: Any) -> CellResult:
        """A live run."""
        return run_cell(cell or self.project.cell(), self.world("live", **arguments))

    def replay(self, cell: Cell | None = None, **arguments: Any) -> CellResult:
        """A replay."""
        return run_cell(cell or self.project.cell(), self.world("replay", **arguments))


@pytest.fixture
def bench(project: StubProject) -> Iterator[Bench]:
    """A project with one scenario, and its servers."""
    project.scenario()
    with Servers(project.open().settings) as servers:
        yield Bench(project, servers)


def test_recorded_run_replays_with_the_same_result(bench: Bench) -> None:
    """Cost, latency and calls of a replay are the recorded ones."""
    live = bench.record()
    assert (live.result.verdict, live.result.model_calls) == ("pass", 1)
    assert live.kept is not None
    assert live.kept.path == bench.project.cassette()
    replayed = bench.replay()
    assert replayed.kept is None
    assert replayed.result == live.result


def test_live_run_that_keeps_nothing(bench: Bench) -> None:
    """`kit run --mode live` asks the model and leaves no cassette."""
    assert bench.record(keep=False).kept is None
    assert not (bench.project.root / "cassettes").exists()


def test_trace_lies_in_the_reports_folder(bench: Bench) -> None:
    """The result names it relative to the report, one JSON object a step."""
    world = bench.world("live")
    cell = bench.project.cell()
    result = run_cell(cell, world).result
    assert folder_of(cell, world) == world.folder / "home" / "stub"
    steps = (folder_of(cell, world) / result.trace_path).read_text(encoding="utf-8").splitlines()
    assert [json.loads(step)["kind"] for step in steps] == ["user", "model_call", "answer"]


def test_missing_cassette_is_an_error_and_never_a_live_call(bench: Bench) -> None:
    """S2-46 11: exit code 3, with the command that records it."""
    result = bench.replay().result
    assert (result.verdict, result.exit_code, result.outcome) == ("error", 3, None)
    assert "cassettes/home/stub/001_x.yaml: nothing was recorded yet" in result.errors[0]
    assert "kit record --model stub 001_x" in result.errors[0]


def test_invalid_cassette_names_file_and_line(bench: Bench) -> None:
    """A file that is no cassette is an error of the cassette, named from the project's root."""
    bench.record()
    path = bench.project.cassette()
    path.write_text(path.read_text("utf-8").replace("  suite: home", "  suite: [home"), encoding="utf-8")
    result = bench.replay().result
    assert (result.verdict, result.exit_code) == ("error", 3)
    assert result.errors[0].startswith("cassettes/home/stub/001_x.yaml")
    assert str(bench.project.root) not in result.errors[0]


def test_changed_agent_misses(bench: Bench) -> None:
    """A request that was never recorded is an error whose text is the whole explanation."""
    bench.record()
    result = bench.replay(agent="asks_politely").result
    assert (result.verdict, result.exit_code, result.findings) == ("error", 3, ())
    assert "please: hello" in result.errors[0]
    assert "kit record --model stub 001_x" in result.errors[0]


def test_agent_that_asks_nobody_proves_nothing(bench: Bench) -> None:
    """Decision 7: without a captured model call the verdict is error, in record too, and nothing is kept."""
    live = bench.record(agent="asks_nobody")
    assert (live.result.verdict, live.result.exit_code, live.kept) == ("error", 3, None)
    bench.record()
    replayed = bench.replay(agent="asks_nobody").result
    assert replayed.verdict == "error"
    assert any("never played" in error for error in replayed.errors)


def test_failing_condition_is_a_complete_recording(bench: Bench) -> None:
    """The agent is wrong, the recording is right; the exit code is the gate's business."""
    bench.project.scenario(says="buongiorno")
    live = bench.record()
    assert (live.result.verdict, live.result.exit_code) == ("fail", 0)
    assert live.kept is not None
    assert not live.kept.is_partial
    assert bench.replay().result.failures == live.result.failures != ()


def test_unreachable_model_is_an_error_of_the_environment(bench: Bench, free_port: int) -> None:
    """Exit code 4, and no cassette is touched."""
    cell = bench.project.cell(model="m:1b")
    with Servers(
        bench.project.open(base_url=f"http://127.0.0.1:{free_port}/v1", model="m:1b").settings
    ) as servers:
        bench.servers = servers
        live = bench.record(cell)
    assert (live.result.verdict, live.result.exit_code, live.kept) == ("error", 4, None)


def test_edited_cassette_is_told(bench: Bench) -> None:
    """A recording that somebody changed by hand still plays, with a notice."""
    bench.record()
    path = bench.project.cassette()
    path.write_text(path.read_text("utf-8").replace("ciao, I am", "ciao! I am"), encoding="utf-8")
    result = bench.replay().result
    assert result.verdict == "pass"
    assert result.notices == ("cassettes/home/stub/001_x.yaml was edited by hand since it was recorded",)


@pytest.mark.parametrize("keep", [True, False])
def test_interruption_keeps_what_was_recorded(bench: Bench, keep: bool) -> None:
    """Ctrl-C ends the command; the old cassette stays, the new answers lie beside it."""
    bench.record()
    path = bench.project.cassette()
    before = path.read_bytes()
    with pytest.raises(Interrupted) as stop:
        bench.record(agent="is_interrupted", keep=keep)
    assert path.read_bytes() == before
    assert stop.value.kept == (partial_path(path) if keep else None)
    assert partial_path(path).exists() == keep


def test_interruption_while_the_judge_thinks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent's answers were paid for; Ctrl-C does not lose them."""
    bench.project.scenario(judged=True)

    def stop(self: ChatClient, prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(ChatClient, "ask", stop)
    with pytest.raises(Interrupted):
        bench.record()
    assert len(read(partial_path(bench.project.cassette())).interactions) == 1


def test_bug_of_kit_is_the_error_of_one_cell(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """S2-44: exit code 70 and a log in the report's folder; the other cells run on."""

    def crash(*args: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("kit.harness.cell.run_scenario", crash)
    world = bench.world("live")
    cell = bench.project.cell()
    result = run_cell(cell, world).result
    assert (result.verdict, result.exit_code) == ("error", 70)
    log = folder_of(cell, world) / "bug-001_x.log"
    assert "ZeroDivisionError: boom" in log.read_text("utf-8")
    assert log.relative_to(bench.project.root).as_posix() in result.errors[0]


def test_judge_is_recorded_beside_and_replayed(bench: Bench) -> None:
    """Decision 12: the judge's call is in a file of its own, and a replay asks nobody."""
    bench.project.scenario(judged=True)
    live = bench.record()
    path = bench.project.cassette()
    assert live.result.verdict == "pass"
    assert read(judge_path(path)).header.model == "stub-judge"
    assert len(read(path).interactions) == 1
    assert bench.replay().result == live.result


def test_replay_without_the_judges_cassette(bench: Bench) -> None:
    """The condition cannot be judged: error of exit code 3, never a pass and never a live call."""
    bench.project.scenario(judged=True)
    bench.record()
    judge_path(bench.project.cassette()).unlink()
    result = bench.replay().result
    assert (result.verdict, result.exit_code, result.failures) == ("error", 3, ())
    assert "cassettes/home/stub/001_x.judge.yaml: nothing was recorded yet" in result.errors[0]
    assert "kit record --judge-only --model stub 001_x" in result.errors[0]


def test_changed_rubric_misses_the_judge_only(bench: Bench) -> None:
    """The agent's own recording stays good; the judge's must be made anew."""
    bench.project.scenario(judged=True)
    bench.record()
    changed = bench.project.scenario(judged=True)
    changed.write_text(changed.read_text("utf-8").replace("Does it greet", "Is it kind"), encoding="utf-8")
    result = bench.replay().result
    assert (result.verdict, result.exit_code, result.outcome) == ("error", 3, "success")
    assert result.errors[0].startswith("final_response.llm_critic could not be judged")
    assert result.notices == (
        "changed since it was recorded: scenarios/home/001_x.yaml",
        "recorded judge calls that no condition asks for any more: 1",
    )


def test_question_that_is_gone_reads_no_judges_cassette(bench: Bench) -> None:
    """A scenario without a critic does not look at an old judge's file, whatever stands in it."""
    bench.project.scenario(judged=True)
    bench.record()
    judge_path(bench.project.cassette()).write_text("{", encoding="utf-8")
    bench.project.scenario()
    assert bench.replay().result.verdict == "pass"


def test_unreachable_judge_keeps_the_old_recording(bench: Bench, free_port: int) -> None:
    """Exit code 4: the environment failed, so the run is no recording."""
    bench.project.scenario(judged=True)
    address = f'\n[tool.kit.models.stub-judge]\nbase_url = "http://127.0.0.1:{free_port}/v1"\n'
    toml = bench.project.root / "pyproject.toml"
    toml.write_text(toml.read_text("utf-8") + address, encoding="utf-8")
    with Servers(bench.project.open().settings) as servers:
        bench.servers = servers
        live = bench.record()
    assert (live.result.verdict, live.result.exit_code) == ("error", 4)
    assert live.kept is not None
    assert live.kept.is_partial


def test_agent_comes_from_command_line_then_suite_then_project(project: StubProject) -> None:
    """Without any of them the error says where to name one."""
    project.scenario()
    cell = project.cell()
    assert agent_name(cell, project.open().settings) == "tests.fakes.agents:asks"
    suite = project.root / "scenarios/home/suite.yaml"
    suite.write_text(suite.read_text("utf-8") + "agent: a.b:c\n", encoding="utf-8")
    assert agent_name(project.cell(), project.open().settings) == "a.b:c"
    assert agent_name(project.cell(), project.open(agent="x.y:z").settings) == "x.y:z"
    project.write("pyproject.toml", "[tool.kit]\n")
    with pytest.raises(ConfigError, match="no agent is named for suite home"):
        agent_name(cell, project.open().settings)


def test_agent_that_cannot_be_imported_ends_the_command(bench: Bench) -> None:
    """A configuration error is no verdict of one scenario."""
    with pytest.raises(ConfigError, match="has no `nobody`"):
        bench.replay(agent="nobody")


def test_replicate_is_the_seed_and_has_its_own_cassette(bench: Bench) -> None:
    """X-04, decision 21: the n-th run is asked with seed n and recorded apart."""
    seen: list[int] = []

    real = agents.asks

    def noting(turn: Turn) -> str:
        seen.append(turn.endpoint.seed)
        return real(turn)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents, "asks", noting)
        live = bench.record(bench.project.cell(replicate=3))
        bench.replay(bench.project.cell(replicate=3))
    assert seen == [3, 3]
    assert live.kept is not None
    assert live.kept.path.name == "001_x@3.yaml"
    assert read(live.kept.path).header.seed == 3


def test_masked_secrets_play_again(bench: Bench) -> None:
    """The same rules scrub what is recorded and what is matched (decision 10)."""
    bench.project.scenario(
        conversation=[{"user": "hello, my key is sk-proj-abcdefghijklmnopqrstuvwx0123456789"}]
    )
    bench.record()
    text = bench.project.cassette().read_text("utf-8")
    assert "sk-proj-abc" not in text
    assert "<secret-1>" in text
    assert bench.replay().result.verdict == "pass"


def test_paths_are_named_from_the_projects_root(bench: Bench, tmp_path: Path) -> None:
    """Nothing of this machine stands in a cassette."""
    bench.record()
    assert str(tmp_path) not in bench.project.cassette().read_text("utf-8")
