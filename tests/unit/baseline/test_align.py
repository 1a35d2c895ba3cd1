"""Which step is which, found before any value is compared."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.baseline import align as module
from kit.baseline.align import Key, Pair, align
from tests.fakes.examples import costly

KINDS = "mt"


def keys(words: Sequence[str]) -> list[Key]:
    """Steps named by a letter: kind, then shape, then content: `m.f.1`."""
    return [Key(word[0], word[:3], word) for word in words]


def counts(pairs: Sequence[Pair], before: Sequence[Key], after: Sequence[Key]) -> tuple[int, int, int]:
    """How many were inserted, deleted and changed."""
    inserted = sum(pair.before is None for pair in pairs)
    deleted = sum(pair.after is None for pair in pairs)
    changed = sum(
        before[pair.before] != after[pair.after]
        for pair in pairs
        if pair.before is not None and pair.after is not None
    )
    return inserted, deleted, changed


def assert_is_alignment(pairs: Sequence[Pair], before: Sequence[Key], after: Sequence[Key]) -> None:
    """Every step once, in order, and pairs of one kind."""
    assert [pair.before for pair in pairs if pair.before is not None] == list(range(len(before)))
    assert [pair.after for pair in pairs if pair.after is not None] == list(range(len(after)))
    for pair in pairs:
        if pair.before is not None and pair.after is not None:
            assert before[pair.before].kind == after[pair.after].kind


steps = st.lists(
    st.builds("{}.{}.{}".format, st.sampled_from(KINDS), st.sampled_from("fg"), st.integers(0, 3)),
    max_size=25,
)


@costly(30)
@given(steps)
def test_identity_gives_nothing(words: list[str]) -> None:
    """Equal traces are pairs of equal steps."""
    one = keys(words)
    assert align(one, list(one)) == tuple(Pair(index, index) for index in range(len(one)))


@given(steps, st.data())
def test_insertions_are_so_many_insertions(words: list[str], data: st.DataObject) -> None:
    """New steps anywhere leave every other step paired with itself, read in both directions."""
    count = data.draw(st.integers(0, 5))
    more = list(words)
    for number in range(count):
        more.insert(data.draw(st.integers(0, len(more))), f"{data.draw(st.sampled_from(KINDS))}.x.{number}")
    before, after = keys(words), keys(more)
    pairs = align(before, after)
    assert_is_alignment(pairs, before, after)
    assert counts(pairs, before, after) == (count, 0, 0)
    assert counts(align(after, before), after, before) == (0, count, 0)


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=25), st.data())
def test_replacements_are_so_many_changed_pairs(kinds: list[str], data: st.DataObject) -> None:
    """A step with another value stays the same step."""
    words = [f"{kind}.f.{number}" for number, kind in enumerate(kinds)]
    places = data.draw(st.sets(st.integers(0, len(words) - 1)))
    other = [f"{word}'" if number in places else word for number, word in enumerate(words)]
    before, after = keys(words), keys(other)
    pairs = align(before, after)
    assert counts(pairs, before, after) == (0, 0, len(places))


@costly(30)
@given(steps, steps)
def test_any_two_traces_are_aligned_wholly(one: list[str], other: list[str]) -> None:
    """No step is lost and no order is turned, also where gaps are too large to be aligned at best."""
    before, after = keys(one), keys(other)
    assert_is_alignment(align(before, after), before, after)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CELLS", 4)
        assert_is_alignment(align(before, after), before, after)


def test_one_step_in_front_of_a_long_run_is_one_step() -> None:
    """Also where each of the others has another value than before."""
    words = [f"{kind}.f.{number}" for number in range(500) for kind in KINDS]
    before = keys(words)
    after = keys(["m.x.0", *(f"{word}'" for word in words)])
    pairs = align(before, after)
    assert pairs[0] == Pair(None, 0)
    assert counts(pairs, before, after) == (1, 0, 1000)


def test_another_tool_is_a_replaced_step() -> None:
    """A call of another tool is one change, a step of another kind is not the same step."""
    before, after = keys(["t.f.1"]), keys(["t.g.1"])
    assert align(before, after) == (Pair(0, 0),)
    assert counts(align(before, keys(["m.f.1"])), before, keys(["m.f.1"])) == (1, 1, 0)
