"""The log of regressions: appended to, read again, never changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kit.gate.regressions import (
    HEAD,
    Entry,
    appended,
    entries,
    line_of,
    lost_lines,
    together,
    uncovered,
)

ONE = Entry("a" * 40, "2026-11-29T10:00:00+00:00", {"home on m:1b": ("001_x", "avg_cost")}, "why | not")
TWO = Entry("b" * 40, "2026-11-29T10:01:00+00:00", {"quiz on stub": ("002_y@2",)}, "because")


def test_a_log_begins_with_what_it_is() -> None:
    """The first entry brings the head, each has one line."""
    text = appended("", ONE)
    assert text == HEAD + line_of(ONE) + "\n"
    assert line_of(ONE) == (
        f"| `{'a' * 40}` | 2026-11-29T10:00:00+00:00 | home on m:1b: 001_x, avg_cost | why \\| not |"
    )
    assert entries(text) == (ONE,)


def test_appending_keeps_every_byte() -> None:
    """Even of a file that lost its last line end, or has prose of its own."""
    text = appended("# mine\n\nprose | with | bars\n" + line_of(ONE), TWO)
    assert text.startswith("# mine\n\nprose | with | bars\n" + line_of(ONE) + "\n")
    assert entries(text) == (ONE, TWO)


REASON = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1).filter(
    lambda text: not text.isspace() and not text.endswith("\\")
)


@given(REASON)
def test_any_reason_is_read_as_it_was_written(reason: str) -> None:
    """A bar or a backslash in a reason moves no cell."""
    entry = Entry(ONE.commit, ONE.date, ONE.blocked, reason)
    assert entries(appended("", entry)) == (entry,)


def test_whose_entry_it_is() -> None:
    """The commit's own, or that of the commit it was before a rebase."""
    assert ONE.is_about(ONE.commit, "another date", "another reason")
    assert ONE.is_about("c" * 40, ONE.date, "why  |\nnot")
    assert not ONE.is_about("c" * 40, ONE.date, "why")
    assert not ONE.is_about("c" * 40, TWO.date, ONE.reason)


def test_what_is_answered_for() -> None:
    """An entry answers for what it names under the same suite and model, and for nothing else."""
    both = together((ONE, TWO, ONE))
    assert both == {"home on m:1b": ("001_x", "avg_cost"), "quiz on stub": ("002_y@2",)}
    assert uncovered({"home on m:1b": ("001_x",)}, both) == {}
    assert uncovered({"home on m:1b": ("001_x", "003_z"), "home on n": ("001_x",)}, both) == {
        "home on m:1b": ("003_z",),
        "home on n": ("001_x",),
    }
    assert ONE.covers({"home on m:1b": ("avg_cost",)})
    assert not ONE.covers({"quiz on stub": ("002_y@2",)})


def test_a_lost_entry_is_seen() -> None:
    """The log is only appended to; who takes a line out of it is told which."""
    before = appended(appended("", ONE), TWO)
    assert lost_lines(before, before) == ()
    assert lost_lines(before, appended("", TWO)) == (line_of(ONE),)
    assert lost_lines("prose", "") == ()
