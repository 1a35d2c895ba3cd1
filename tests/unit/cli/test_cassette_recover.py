"""`kit cassette recover`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kit.cassette.store import read
from kit.recording.journal import Journal
from kit.recording.pending import FOLDER, pending
from tests.fakes.cassettes import header, tool_run
from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_what_was_left_comes_back(project: StubProject, kit: Kit) -> None:
    """`kit record` says that something was left, and the command that it names brings it back, once."""
    project.scenario()
    folder = project.root / ".kit" / FOLDER / "x" / "home" / "stub" / "001_x"
    with pending(folder, project.cassette(), header(verdict="pass")) as way:
        journal = Journal(way.journals / "run.jsonl")
        journal.start("001_x", "record")
        for interaction in tool_run().interactions:
            journal.interaction(interaction)
        way.over(header(verdict="pass"))
    told = kit("record", "--missing", "--only", "security")
    assert "kit: an earlier recording was not saved: cassettes/home/stub/001_x.yaml, " in told.err
    assert "  next: kit cassette recover\n" in told.err
    ran = kit("cassette", "recover")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("recovered cassettes/home/stub/001_x.yaml: ")
    assert read(project.cassette()).interactions == tool_run().interactions
    assert "nothing was left" in kit("cassette", "recover").out
