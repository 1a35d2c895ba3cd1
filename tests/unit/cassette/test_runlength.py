"""Run lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.runlength import (
    pack,
    pack_numbers,
    pack_ranges,
    unpack,
    unpack_numbers,
    unpack_ranges,
)
from tests.fakes.examples import costly


@costly(30)
@given(st.lists(st.sampled_from(["a", "b", "a1", "17"])))
def test_words_come_back(words: list[str]) -> None:
    """Counting equal neighbours loses nothing."""
    assert unpack(pack(words)) == words


@costly(30)
@given(st.lists(st.integers()))
def test_numbers_come_back(numbers: list[int]) -> None:
    """Lengths of chunks are the same again."""
    assert unpack_numbers(pack_numbers(numbers)) == tuple(numbers)


def test_equal_neighbours_are_counted() -> None:
    """A stream of 246 equal chunks is one word."""
    assert pack_numbers([508, 244, 244, 244, 14]) == "508 244x3 14"


@pytest.mark.parametrize("text", ["1xa", "1x-2", "1x0", "1x99999999999"])
def test_absurd_counts_are_refused(text: str) -> None:
    """An edited count neither crashes the reader nor fills the memory."""
    with pytest.raises(ValueError, match=r"run|invalid"):
        unpack(text)


@costly(30)
@given(
    st.lists(st.one_of(st.integers(-2, 30).map(str), st.sampled_from(["1.5", "1e5", "-0", "007", "9" * 40])))
)
def test_ranges_come_back(words: list[str]) -> None:
    """Numbers that count up lose nothing, whatever stands between them."""
    assert unpack_ranges(pack_ranges(words)) == words
    assert unpack_ranges(pack(words)) == words


def test_numbers_that_count_up_are_a_range() -> None:
    """Sequence numbers of a thousand events are one word."""
    assert pack_ranges(map(str, range(1000))) == "0..999"
    assert pack_ranges(["3", "4", "5", "5", "5"]) == "3 4 5x3"


@pytest.mark.parametrize("text", ["5..1", "0..99999999999", "a..b", "1..2xa"])
def test_absurd_ranges_are_refused(text: str) -> None:
    """A range from a file is no reason to fill the memory."""
    with pytest.raises(ValueError, match=r"range|invalid literal"):
        unpack_ranges(text)
