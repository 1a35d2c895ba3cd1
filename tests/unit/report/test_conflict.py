"""A conflict of git in a cassette, for a person."""

from __future__ import annotations

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.report.conflict import render, render_resolved
from kit.workflow.conflict import Conflict, Side
from kit.workflow.resolve import Resolved

HEADER = Header(
    scenario="001_x",
    start="2026-01-01T00:00:00Z",
    recorded="2026-01-02T00:00:00Z",
    model="m:1b",
    verdict="fail",
)
OURS = Side("ours", "aaaa First", "1", "x", Cassette(HEADER, (), edited=True))
THEIRS = Side("theirs", None, None, problem="it is deleted on this side")


def test_both_sides_and_the_commands() -> None:
    """Each in two lines: where it comes from, and what was recorded."""
    assert render(Conflict("cassettes/a.yaml", None, OURS, THEIRS)).splitlines() == [
        "cassettes/a.yaml: two branches recorded it",
        "  ours (aaaa First)",
        "    recorded 2026-01-02T00:00:00Z, m:1b, 0 calls, verdict fail, edited by hand",
        "  theirs",
        "    it is deleted on this side",
        "  differs: one side is not there or cannot be read",
        "  next: kit cassette resolve cassettes/a.yaml --ours | --theirs | --record",
    ]


def test_rebase_turns_the_words_round() -> None:
    """Who rebases finds their own work under theirs."""
    text = render(Conflict("cassettes/a.yaml", "rebase", OURS, THEIRS, is_staged=True))
    assert "  ours (what you rebase onto · aaaa First)" in text
    assert "  theirs (your own commit)" in text
    assert "`git add` staged ours without a choice" in text


def test_what_became_of_it() -> None:
    """Staged, removed, or nothing."""
    assert render_resolved(Resolved(("a", "b"), ("c",))) == "staged a\nstaged b\nremoved c"
    assert render_resolved(Resolved(exit_code=3)).startswith("nothing was staged")
