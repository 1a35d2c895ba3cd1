"""One exit code for many results (decision 14)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kit.harness.exit_code import worst

PRECEDENCE = (130, 70, 2, 4, 3, 1, 0)


@pytest.mark.parametrize(("before", "behind"), list(pairwise(PRECEDENCE)))
def test_precedence(before: int, behind: int) -> None:
    """70 > 2 > 4 > 3 > 1 > 0, an interruption before all, in whatever order they come."""
    assert worst((before, behind)) == before
    assert worst((behind, before, behind)) == before


def test_all_at_once() -> None:
    """The worst of all is the worst of any order."""
    assert worst(PRECEDENCE) == worst(reversed(PRECEDENCE)) == 130
    assert worst(PRECEDENCE[1:]) == 70


def test_nothing_is_well() -> None:
    """Without any code nothing went wrong."""
    assert worst(()) == 0
