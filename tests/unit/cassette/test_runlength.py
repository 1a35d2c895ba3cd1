"""Run lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.runlength import pack, pack_numbers, unpack, unpack_numbers


@given(st.lists(st.sampled_from(["a", "b", "a1", "17"])))
def test_words_come_back(words: list[str]) -> None:
    """Counting equal neighbours loses nothing."""
    assert unpack(pack(words)) == words


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
