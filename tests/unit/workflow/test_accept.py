"""Accepting verdicts (decision 16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.baseline.plan import Entry
from kit.errors import UsageError
from kit.workflow.accept import AcceptResult, accept
from tests.fakes.stub_project import StubProject


class Bench:
    """Accepts, and notes what was shown and what lay on disk at that moment."""

    def __init__(self, project: StubProject) -> None:
        self.project = project
        self.shown: list[tuple[str, str]] = []
        self.on_disk_when_shown: list[str] = []

    def accept(self, *wanted: str, **changes: Any) -> AcceptResult:
        """What `kit accept` does."""
        given: dict[str, Any] = {
            "wanted": wanted,
            "only": (),
            "model": None,
            "reason": "first look",
            "dry_run": False,
            "show": self._show,
        }
        return accept(self.project.open(), **(given | changes))

    def baselines(self) -> list[str]:
        """Baselines below baselines/, each of which has its trace beside it."""
        folder = self.project.root / "baselines"
        files = [file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*.yaml"))]
        found = [file for file in files if not file.endswith(".trace.yaml")]
        assert sorted([*found, *(file.replace(".yaml", ".trace.yaml") for file in found)]) == files
        return found

    def _show(self, entries: tuple[Entry, ...]) -> None:
        self.shown = [(entry.action, str(entry.change.cell)) for entry in entries]
        self.on_disk_when_shown = self.baselines()


@pytest.fixture
def bench(project: StubProject) -> Bench:
    """A project with two recorded scenarios, of which one fails."""
    project.scenario()
    project.scenario("002_y", says="buongiorno")
    project.record()
    return Bench(project)


def test_plan_is_shown_before_anything_is_written(bench: Bench) -> None:
    """A person sees what will change; a failing verdict can be accepted too, it is then known."""
    result = bench.accept()
    assert bench.shown == [("add", "001_x"), ("add", "002_y")]
    assert bench.on_disk_when_shown == []
    assert bench.baselines() == ["home/stub/001_x.yaml", "home/stub/002_y.yaml"]
    assert result.written == (
        Path("baselines/home/stub/001_x.yaml"),
        Path("baselines/home/stub/001_x.trace.yaml"),
        Path("baselines/home/stub/002_y.yaml"),
        Path("baselines/home/stub/002_y.trace.yaml"),
    )
    assert result.exit_code == 0


def test_dry_run_writes_nothing(bench: Bench) -> None:
    """It shows the same plan."""
    result = bench.accept(dry_run=True)
    assert bench.shown == [("add", "001_x"), ("add", "002_y")]
    assert result.written == ()
    assert bench.baselines() == []


def test_who_accepted_when_and_why_is_kept(bench: Bench) -> None:
    """Somebody answers for a baseline."""
    bench.accept(reason="  looked at it \n")
    kept = yaml.safe_load((bench.project.root / "baselines/home/stub/001_x.yaml").read_text("utf-8"))
    assert kept["verdict"] == "pass"
    assert kept["accepted"]["reason"] == "looked at it"
    assert kept["accepted"].keys() == {"reason", "owner", "date"}


def test_second_time_changes_nothing(bench: Bench) -> None:
    """What stays keeps its old acceptance, byte for byte."""
    bench.accept()
    file = bench.project.root / "baselines/home/stub/001_x.yaml"
    before = file.read_bytes()
    result = bench.accept(reason="again")
    assert [action for action, _ in bench.shown] == ["keep", "keep"]
    assert (result.written, file.read_bytes()) == ((), before)


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_reason_is_needed(bench: Bench, reason: str) -> None:
    """An empty reason is none; nothing is even replayed."""
    with pytest.raises(UsageError, match="needs a reason"):
        bench.accept(reason=reason)
    assert bench.shown == []


def test_ci_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was accepted changes by a person's hand."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError, match="kit accept is refused where CI is set"):
        bench.accept()
    assert (bench.shown, bench.baselines()) == ([], [])


def test_error_is_refused_and_the_others_are_accepted(bench: Bench) -> None:
    """An error says nothing about the agent; its exit code is the command's."""
    bench.project.cassette("002_y").unlink()
    result = bench.accept()
    assert bench.shown == [("add", "001_x"), ("refuse", "002_y")]
    assert bench.baselines() == ["home/stub/001_x.yaml"]
    assert result.exit_code == 3


def test_scenario_that_is_gone_is_removed_by_a_whole_run_only(bench: Bench) -> None:
    """Accepting one scenario never touches the baselines of others."""
    bench.accept()
    (bench.project.root / "scenarios/home/002_y.yaml").unlink()
    bench.project.scenario("003_z")
    bench.project.record("003_z")
    bench.accept("001_x")
    assert bench.shown == [("keep", "001_x")]
    bench.accept()
    assert bench.shown == [("keep", "001_x"), ("add", "003_z"), ("remove", "002_y")]
    assert bench.baselines() == ["home/stub/001_x.yaml", "home/stub/003_z.yaml"]
