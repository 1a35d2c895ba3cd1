"""`kit show CASSETTE`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_conversation(project: StubProject, kit: Kit) -> None:
    """Header, blank line, conversation."""
    project.scenario()
    project.record()
    ran = kit("show", "cassettes/home/stub/001_x.yaml")
    assert (ran.code, ran.err) == (0, "")
    head, _, talk = ran.out.partition("\n\n")
    assert head.startswith("cassette  home/001_x (replicate 1)\nmodel     stub\n")
    assert head.endswith("verdict   pass")
    assert talk.splitlines()[:2] == ["  1  user", "       hello"]


def test_edited_by_hand_is_told(project: StubProject, kit: Kit) -> None:
    """Below the header."""
    project.scenario()
    project.record()
    path = project.cassette()
    path.write_text(path.read_text("utf-8").replace("I am the stub", "I am real"), encoding="utf-8")
    assert "edited    by hand since it was recorded" in kit("show", str(path)).out


def test_full_shows_long_messages_whole(project: StubProject, kit: Kit) -> None:
    """Without it they are cut, and say so."""
    text = "\n".join(["hello", *map(str, range(40))])
    project.scenario(conversation=[{"user": text}])
    project.record()
    assert "more lines (--full shows them)" in kit("show", str(project.cassette())).out
    assert "       39\n" in kit("show", "--full", str(project.cassette())).out


def test_no_such_file(kit: Kit) -> None:
    """Exit code 3."""
    ran = kit("show", "none.yaml")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("kit: none.yaml: ")
