"""Both sides of a cassette that git could not merge; `tests/functional` has the operations of git."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.cassette.media import LIMIT, folder_of
from kit.cassette.store import read, write
from kit.errors import UsageError
from kit.workflow.conflict import Conflict, Side, conflicts, operation
from tests.fakes.repository import repository
from tests.fakes.stub_project import StubProject


def test_outside_git_there_is_nothing_to_resolve(project: StubProject) -> None:
    """A usage error, and no operation is going on."""
    assert operation(project.root) == (None, None)
    with pytest.raises(UsageError, match="no repository of git"):
        conflicts(project.open())


def test_repository_without_a_conflict_has_none(project: StubProject) -> None:
    """Neither before its first commit nor after it."""
    made = repository(project.root)
    assert conflicts(project.open()) == ()
    made.commit("First")
    assert conflicts(project.open()) == ()


def test_media_are_read_beside_the_cassette_from_anywhere(
    project: StubProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths are the project's, wherever the command is typed."""
    made, path = repository(project.root), project.cassette()
    made.commit("First")
    for branch in ("other", "main"):
        made.git("checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        picture = HttpResponse(200, (), b"\xff" + branch.encode() + bytes(LIMIT))
        header = Header(scenario="001_x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")
        request = HttpRequest("GET", "https://a.org/picture", (), b"")
        write(path, Cassette(header, (Interaction(1, "other", request, picture, 0, 1),)))
        made.commit(f"Record on {branch}")
    assert len(list(folder_of(path).iterdir())) == 1
    with pytest.raises(AssertionError, match="CONFLICT"):
        made.git("merge", "other")
    monkeypatch.chdir(project.root / "scenarios")
    (found,) = conflicts(project.open())
    assert (found.ours.problem, found.theirs.problem) == (None, None)
    assert found.difference == "call 1 is answered otherwise"


def _side(project: StubProject, name: str, says: str) -> Side:
    project.write(
        "fixtures/stub/model.yaml", f"model: stub\nrules: [{{name: a, answer: {{text: {says}}}}}]\n"
    )
    project.record()
    text = Path(project.cassette()).read_text("utf-8")
    return Side(name, None, "0", text, read(project.cassette()))  # type: ignore[arg-type]


def test_difference_in_a_line(project: StubProject) -> None:
    """The first call that asks or is answered otherwise, whatever the server's port was."""
    project.scenario()
    one, same, other = (_side(project, "ours", says) for says in ("ciao", "ciao", "salve"))
    path = "cassettes/home/stub/001_x.yaml"
    assert Conflict(path, None, one, same).difference == (
        "the same conversation on both sides; only header and timing differ"
    )
    assert Conflict(path, None, one, other).difference == "call 1 is answered otherwise"
    gone = Side("theirs", None, None, problem="it is deleted on this side")
    assert Conflict(path, None, one, gone).difference == "one side is not there or cannot be read"
    assert Conflict(path, None, one, gone).side("theirs") is gone
