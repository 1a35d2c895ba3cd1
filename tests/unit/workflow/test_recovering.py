"""Recordings that were left in their journals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.interaction import Interaction
from kit.cassette.paths import judge_path, partial_path
from kit.cassette.store import read, write
from kit.recording.journal import Journal
from kit.recording.pending import FOLDER, Pending, pending
from kit.workflow.project import Project, open_project
from kit.workflow.recovering import displaced_notice, left_behind, recover
from tests.fakes.cassettes import call, cassette, compact, header, tool_run


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    return open_project(start=tmp_path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The cassette that was not written."""
    return tmp_path / "cassettes" / "home" / "stub" / "001_x.yaml"


RUN = tool_run().interactions


def leave(
    project: Project,
    path: Path,
    over: dict[str, Any] | None = None,
    interactions: Sequence[Interaction] = RUN,
) -> Pending:
    """A recording whose kit was killed; `over` is what its header says where the run had ended."""
    folder = project.root / ".kit" / FOLDER / "x" / path.stem
    with pending(folder, path, header()) as way:
        journal = Journal(way.journals / "run.jsonl")
        journal.start("001_x", "record")
        for interaction in interactions:
            journal.interaction(interaction)
        return way if over is None else way.over(header(**over))


def test_a_run_that_had_ended_comes_back_whole(project: Project, path: Path) -> None:
    """With its verdict, as if nothing had been; a verdict `fail` is a complete recording."""
    leave(project, path, {"verdict": "fail"})
    (one,) = recover(project).found
    assert (one.path, one.interactions, one.why) == ("cassettes/home/stub/001_x.yaml", len(RUN), "")
    assert read(path).interactions == RUN
    assert read(path).header.verdict == "fail"
    assert recover(project).found == ()
    assert not list((project.root / ".kit" / FOLDER).iterdir())


@pytest.mark.parametrize("over", [None, {"verdict": "error"}, {"verdict": "pass", "fork": {"of": "y"}}])
def test_a_run_without_a_good_end_comes_back_beside(
    project: Project, path: Path, over: dict[str, Any] | None
) -> None:
    """It replaces nothing, since nobody knows what is missing."""
    leave(project, path, over)
    (one,) = recover(project).found
    assert one.path == "cassettes/home/stub/001_x.yaml.partial"
    assert one.why
    assert not path.exists()
    assert read(partial_path(path)).interactions == RUN


def test_what_was_recorded_since_stays(project: Project, path: Path) -> None:
    """The newer recording is the one that counts."""
    leave(project, path, {"verdict": "pass"})
    newer = cassette(RUN[0])
    write(path, newer)
    (one,) = recover(project).found
    assert one.why == "another recording was made since"
    assert read(path) == newer
    assert read(partial_path(path)).interactions == RUN


def test_what_the_judge_said_comes_back_too(project: Project, path: Path) -> None:
    """Beside the run that it judged."""
    way = leave(project, path, {"verdict": "pass"})
    asked = call(1, compact({"model": "j", "messages": []}), compact({"model": "j", "choices": []}))
    journal = Journal(way.judge_journal)
    journal.start("judge", "record")
    journal.interaction(asked)
    recover(project)
    kept = read(judge_path(path))
    assert (kept.header.kind, kept.interactions) == ("judge", (asked,))


def test_a_run_that_asked_nothing_is_no_recording(project: Project, path: Path) -> None:
    """Its folder goes, and nobody is bothered with it."""
    leave(project, path, None, ())
    assert left_behind(project) == ()
    assert recover(project).found == ()
    assert not list((project.root / ".kit" / FOLDER).iterdir())


def test_what_still_cannot_be_written_stays(project: Project, path: Path) -> None:
    """Exit code 4, the reason, and the others come back all the same."""
    leave(project, path, {"verdict": "pass"})
    leave(project, path.with_name("002_y.yaml"), {"verdict": "pass"})
    path.mkdir(parents=True)
    done = recover(project)
    assert done.exit_code == 4
    assert [one.path for one in done.found] == [None, "cassettes/home/stub/002_y.yaml"]
    assert "001_x" in done.found[0].why
    assert "\n  next: " in done.found[0].why
    path.rmdir()
    assert [one.path for one in recover(project).found] == ["cassettes/home/stub/001_x.yaml"]


def test_what_was_left_is_said(project: Project, path: Path) -> None:
    """Which cassette, how much, and what to type."""
    leave(project, path, None, RUN[:1])
    assert left_behind(project) == (
        "an earlier recording was not saved: cassettes/home/stub/001_x.yaml, 1 call",
        "  next: kit cassette recover",
    )


def test_another_kits_recording_is_named(tmp_path: Path) -> None:
    """Where it is kept, from the project's root."""
    assert displaced_notice(tmp_path, None) == ()
    (text,) = displaced_notice(tmp_path, tmp_path / ".kit" / "displaced" / "x.yaml")
    assert text.endswith("kept as .kit/displaced/x.yaml")
