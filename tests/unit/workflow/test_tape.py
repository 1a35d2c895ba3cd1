"""Any Python program, recorded and replayed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.cassette.paths import partial_path, tape_path
from kit.cassette.store import read
from kit.errors import CassetteMissing, UsageError
from kit.workflow.tape import record_tape, replay_tape, tape_name
from kit.workflow.tape_result import TapeResult
from tests.fakes.model_server import serving
from tests.fakes.stub_project import StubProject
from tests.fakes.wrapped_program import ASK


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("python", "my_agent.py"), "my_agent"),
        (("python", "-X", "utf8", "src/my agent.py", "--model", "x.py"), "my-agent"),
        (("python", "-m", "pkg.agent", "--fast"), "pkg.agent"),
        (("/usr/bin/my-agent", "go"), "my-agent"),
        (("python", "agent.py", "-m", "other"), "agent"),
        (("python", "-m"), "python"),
        (("-x",), "-x"),
    ],
)
def test_tape_is_named_after_the_program(command: tuple[str, ...], name: str) -> None:
    """So that `kit replay -- python my_agent.py` finds what `kit record -- python my_agent.py` made."""
    assert tape_name(command, None) == name


def test_given_name_wins() -> None:
    """`--tape` names it."""
    assert tape_name(("python", "my_agent.py"), "demo.v2") == "demo.v2"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "-x", "a b", "ciao!"])
def test_name_must_be_a_file_name(name: str) -> None:
    """A tape stays in cassettes/tapes/."""
    with pytest.raises(UsageError, match="is no name of a tape"):
        tape_name(("python", "x.py"), name)


class Bench:
    """Programs in a project."""

    def __init__(self, project: StubProject) -> None:
        self.project = project
        self.command = (sys.executable, "agent.py")

    def program(self, text: str) -> None:
        """Writes the program; it may `ask` the model."""
        self.project.write("agent.py", ASK + text)

    def record(self, name: str | None = None) -> TapeResult:
        """What `kit record -- python agent.py` does."""
        return record_tape(self.project.open(), self.command, name)

    def replay(self, name: str | None = None) -> TapeResult:
        """What `kit replay -- python agent.py` does."""
        return replay_tape(self.project.open(), self.command, name)

    @property
    def path(self) -> Path:
        """The tape."""
        return tape_path(self.project.root, "agent")


@pytest.fixture
def bench(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A program that asks twice, and the server that answers."""
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        made = Bench(project)
        made.program('print(ask("one"), ask("two"))')
        yield made


def test_record_and_replay(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """The tape holds both calls; a replay prints the same, asks nobody and changes no file."""
    recorded = bench.record()
    assert (recorded.name, recorded.exit_code, recorded.errors) == ("agent", 0, ())
    assert recorded.path == Path("cassettes/tapes/agent.yaml")
    assert (recorded.model_calls, recorded.tool_calls, recorded.live_requests) == (2, 0, 2)
    assert (recorded.is_partial, recorded.is_changed) == (False, True)
    first = capfd.readouterr().out
    before = bench.path.read_bytes()
    replayed = bench.replay()
    assert (replayed.exit_code, replayed.errors, replayed.is_changed) == (0, (), None)
    assert (replayed.model_calls, replayed.live_requests) == (2, 0)
    assert replayed.items == recorded.items
    assert capfd.readouterr().out == first == "echo one echo two\n"
    assert bench.path.read_bytes() == before
    header = read(bench.path).header
    assert (header.suite, header.scenario, header.model) == (None, "agent", "stub")
    assert header.python_hash_seed is not None


def test_replay_of_a_changed_program_misses(bench: Bench) -> None:
    """Exit code 3, with the explanation and the command that records."""
    bench.record("demo")
    bench.program('print(ask("one"), ask("three"))')
    replayed = bench.replay("demo")
    assert replayed.exit_code == 3
    assert "three" in replayed.errors[0]
    assert f"kit record --tape demo -- {sys.executable} agent.py" in replayed.errors[0]


def test_replay_of_a_program_that_asks_less_has_leftovers(bench: Bench) -> None:
    """What was recorded and is no longer asked for is named."""
    bench.record()
    bench.program('print(ask("one"))')
    replayed = bench.replay()
    assert replayed.exit_code == 3
    assert replayed.errors[0].startswith("recorded but never played: interaction 2")


def test_program_that_asks_nobody_leaves_the_old_tape(bench: Bench) -> None:
    """Decision 7 and 9: it proves nothing, so nothing is replaced."""
    bench.record()
    before = bench.path.read_bytes()
    bench.program("print('made up')")
    recorded = bench.record()
    assert (recorded.exit_code, recorded.path) == (3, None)
    assert recorded.errors
    assert bench.path.read_bytes() == before
    assert not partial_path(bench.path).exists()


def test_never_recorded(bench: Bench) -> None:
    """The error names the tape and the command that records it; the program is not even started."""
    with pytest.raises(CassetteMissing) as missing:
        bench.replay()
    assert str(missing.value) == (
        "cassettes/tapes/agent.yaml: nothing was recorded yet\n"
        f"  next: kit record -- {sys.executable} agent.py"
    )


def test_recording_is_refused_in_ci(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16."""
    monkeypatch.setenv("CI", "1")
    with pytest.raises(UsageError, match="kit record is refused where CI is set"):
        bench.record()


def test_programs_own_exit_code_is_told(bench: Bench) -> None:
    """A program that exits 5 both times is replayed faithfully; one that fails only now is worse."""
    bench.program('print(ask("one")); raise SystemExit(5)')
    assert (bench.record().returncode, bench.replay().exit_code) == (5, 0)
    bench.program('print(ask("one"))')
    bench.record()
    bench.program('print(ask("one")); raise SystemExit(5)')
    replayed = bench.replay()
    assert (replayed.returncode, replayed.exit_code) == (5, 1)
    assert "exited with 5" in replayed.errors[0]


def test_pass_removes_the_partial_tape(bench: Bench) -> None:
    """What is superseded does not lie around."""
    partial_path(bench.path).parent.mkdir(parents=True)
    partial_path(bench.path).write_text("old", encoding="utf-8")
    bench.record()
    assert not partial_path(bench.path).exists()
