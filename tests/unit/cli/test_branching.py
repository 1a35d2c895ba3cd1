"""Options by which a run leaves its recording."""

from __future__ import annotations

import pytest

from kit.cli.branching import parse_branching, refuse_branching
from kit.errors import UsageError
from kit.harness.fork import Branching


def test_none_of_them_is_a_plain_replay() -> None:
    """Nothing is imported for it either."""
    assert parse_branching(None, None, None, None) is None
    assert parse_branching(None, None, [], None) is None
    refuse_branching(None, None, None, None)


def test_what_they_mean_together() -> None:
    """Live from a call on, with or without faults; or a replay in which something goes wrong."""
    assert parse_branching(2, "live", None, "x") == Branching(2, (), "x", is_live=True)
    assert parse_branching(None, "live", ["3:timeout"], None) == Branching(None, ("3:timeout",), None, True)
    assert parse_branching(None, None, ["3:timeout"], None) == Branching(None, ("3:timeout",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((2, None, None, None), "`--until` goes with `--then live`"),
        ((None, None, ["1:timeout"], "x"), "`--as` goes with `--then live`"),
        ((2, "later", None, None), "can only go on live"),
        ((None, "live", None, None), "where it begins"),
    ],
)
def test_what_does_not_go_together_is_refused(
    given: tuple[int | None, str | None, list[str] | None, str | None], said: str
) -> None:
    """With what goes instead."""
    with pytest.raises(UsageError, match=said) as caught:
        parse_branching(*given)
    assert "next:" in str(caught.value)


def test_a_program_has_no_scenario_to_leave() -> None:
    """Whatever of them is given behind `--`."""
    with pytest.raises(UsageError):
        refuse_branching(0, None, None, None)
