"""Jobs that have asked for nothing yet."""

from __future__ import annotations

import functools
from contextvars import copy_context

from kit.recording.jobs import Jobs


def ask() -> None:
    """What the jobs of these tests run."""


def other() -> None:
    """Something else."""


def test_who_asks_first_knows_how_many_are_ahead() -> None:
    """Those given out before it that have yet to ask; it asks for a first time once."""
    jobs = Jobs()
    first, second, third = (jobs.given_out("origin", ask) for _ in range(3))
    assert jobs.asks(third) == 2
    assert jobs.asks(first) == 0
    assert (jobs.asks(second), jobs.asks(second), jobs.asks(third)) == (0, 0, 0)


def test_one_that_is_over_is_ahead_of_nobody() -> None:
    """It ended without a question, or was cancelled before it ran."""
    jobs = Jobs()
    first, second = jobs.given_out("origin", ask), jobs.given_out("origin", ask)
    jobs.over(first)
    jobs.over(first)
    assert jobs.asks(second) == 0


def test_only_jobs_that_run_the_same_from_the_same_line_count() -> None:
    """A thread that writes a log never asks; a job of another line waits for its own."""
    jobs = Jobs()
    jobs.given_out("origin", other)
    jobs.given_out("elsewhere", ask)
    jobs.given_out("origin", functools.partial(functools.partial(ask)))
    jobs.given_out("origin", functools.partial(copy_context().run, ask))
    assert jobs.asks(jobs.given_out("origin", ask)) == 2


def test_tasks_count_by_the_code_of_their_coroutines() -> None:
    """A coroutine is another one each time."""
    jobs = Jobs()
    jobs.given_out("origin", other.__code__)
    jobs.given_out("origin", ask.__code__)
    assert jobs.asks(jobs.given_out("origin", ask.__code__)) == 1


def test_what_has_no_code_counts_by_its_class() -> None:
    """Such as a callable object."""
    jobs = Jobs()
    jobs.given_out("origin", functools.partial(print))
    assert jobs.asks(jobs.given_out("origin", print)) == 1
    assert jobs.asks(0) == 0
