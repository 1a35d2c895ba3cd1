"""Properties that take long: the suite tries each of them a little, `make test-slow` ten times as much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

FEW = "few"
"""The profile of hypothesis that `tests/conftest.py` loads for the suite."""
MANY = "many"
"""The one that it loads for `-m slow`."""
TIMES = 10


def load_profile(*, slow: bool, ci: bool) -> None:
    """A gate says the same of a commit each time: new examples are searched by `make test-slow` at home."""
    # No deadline: of so many examples one falls on a busy moment.
    settings.register_profile(FEW, deadline=None, derandomize=True, database=None)
    database = None if ci else settings().database
    settings.register_profile(MANY, deadline=None, derandomize=ci, database=database)
    settings.load_profile(MANY if slow else FEW)


Property = TypeVar("Property", bound=Callable[..., None])


def costly(few: int, **told: Any) -> Callable[[Property], Property]:
    """Marks a property that runs in both suites, with few examples and with many.

    Args:
        few: how many `make test` tries.
        told: other settings of hypothesis.
    """
    times = TIMES if settings.get_current_profile_name() == MANY else 1

    def marked(test: Property) -> Property:
        given: Property = settings(max_examples=few * times, **told)(test)
        chosen: Property = pytest.mark.costly(given)
        return chosen

    return marked
