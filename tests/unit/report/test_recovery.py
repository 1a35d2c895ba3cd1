"""What recovering gave, as text."""

from __future__ import annotations

from kit.report.recovery import render_recovery
from kit.workflow.recovering import Recovered, Recovery


def test_each_has_its_line() -> None:
    """Whole, partial, and still left, each with its reason."""
    found = (
        Recovered("cassettes/a.yaml", 1),
        Recovered("cassettes/b.yaml.partial", 3, why="its run did not come to a good end"),
        Recovered(None, 0, why="x: no space"),
    )
    assert render_recovery(Recovery(found, 4)) == (
        "recovered cassettes/a.yaml: 1 call\n"
        "recovered cassettes/b.yaml.partial: 3 calls (its run did not come to a good end)\n"
        "still left: x: no space"
    )


def test_nothing_is_said_too() -> None:
    """Who looks wants to know that all is well."""
    assert render_recovery(Recovery((), 0)) == "nothing was left: every recording is in its cassette"
