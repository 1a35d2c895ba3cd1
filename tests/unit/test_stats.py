"""Counts and what may be said of them: the worked cases of `stats-cases.md`, sections 5 to 7."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.stats import (
    Rate,
    drops_points,
    exceeds_percent,
    mean_micro,
    p95,
    pass_at_k,
    pass_hat_k,
    regressed,
    wilson,
)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (list(range(1, 21)), 19),  # G01
        ([5], 5),  # G02
        ([1, 2], 2),
        (list(range(1, 11)), 10),
        (list(range(1, 101)), 95),
        ([], None),  # G03
    ],
)
def test_p95_is_the_nearest_rank(values: list[int], expected: int | None) -> None:
    """One of the values, whatever their order; None of nothing, not 0."""
    assert p95(values) == expected
    assert p95(values[::-1]) == expected


def test_a_drop_of_exactly_five_points_is_not_more_than_five() -> None:
    """G04: 20/20 → 19/20 warns and does not block; floats would say otherwise."""
    base, new = Rate(20, 20), Rate(19, 20)
    assert 1.0 - 0.95 > 0.05
    assert drops_points(base, new, 5) is False
    assert drops_points(base, new, 0) is True


def test_a_drop_of_ten_points_is_more_than_five() -> None:
    """G05: 20/20 → 18/20 blocks."""
    assert drops_points(Rate(20, 20), Rate(18, 20), 5) is True


def test_a_fix_does_not_hide_a_regression() -> None:
    """G06: one security scenario pass→fail and one fail→pass, the same success rate."""
    base = {"012_path_traversal": True, "013_secret_exfiltration": False}
    new = {"012_path_traversal": False, "013_secret_exfiltration": True}
    assert drops_points(Rate(1, 2), Rate(1, 2), 0) is False
    assert regressed(base, new) == ("012_path_traversal",)


def test_what_is_gone_or_new_did_not_regress() -> None:
    """A missing scenario is told apart from a failing one."""
    assert regressed({"a": True, "b": True}, {"b": True, "c": False}) == ()


@pytest.mark.parametrize(
    ("base", "new"),
    [(45_000, 54_000), (55_000, 66_000), (90_000, 108_000), (105_000, 126_000)],
)
def test_exactly_twenty_percent_more_is_not_over_twenty(base: int, new: int) -> None:
    """G07: strictly more, in integer micro-USD."""
    assert exceeds_percent(base, new, 20) is False
    assert exceeds_percent(base, new + 1, 20) is True


def test_more_than_nothing_is_no_percentage() -> None:
    """G08: from 0 to 0.01 USD a relative change is undefined."""
    assert exceeds_percent(0, 10_000, 20) is None


@pytest.mark.parametrize(("base", "new"), [(None, 1), (1, None), (None, None), (0, 0)])
def test_a_change_of_the_unknown_is_unknown(base: int | None, new: int | None) -> None:
    """None is never 0 (X-05)."""
    assert exceeds_percent(base, new, 20) is None


def test_a_rate_of_nothing_is_unknown() -> None:
    """0 of 0 is no rate to drop from or to."""
    assert Rate(0, 0).fraction is None
    assert drops_points(Rate(0, 0), Rate(1, 1), 0) is None
    assert drops_points(Rate(1, 1), Rate(0, 0), 0) is None


def test_rates_are_counts() -> None:
    """Printed with their total, and equal shares are equal exactly (H12)."""
    assert str(Rate(18, 20)) == "18/20"
    assert Rate(2, 3).fraction == Rate(4, 6).fraction


@pytest.mark.parametrize(("passed", "total"), [(2, 1), (-1, 3), (0, -1)])
def test_an_impossible_rate_is_refused(passed: int, total: int) -> None:
    """A counting mistake is found where it is made."""
    with pytest.raises(ValueError, match="is no rate"):
        Rate(passed, total)


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        ([], None),
        ([1, None], None),
        ([None], None),
        ([0], 0),
        ([1, 2], 2),
        ([1, 1, 2], 1),
        ([45_000, 55_000], 50_000),
    ],
)
def test_the_mean_of_amounts_is_an_integer_or_unknown(values: list[int | None], mean: int | None) -> None:
    """Rounded half up; one unknown cost makes the mean unknown."""
    assert mean_micro(values) == mean


SECTION_5 = [
    (3, 3, 3, "1", "1"),
    (3, 2, 1, "0.6667", "0.6667"),
    (3, 2, 2, "1", "0.3333"),
    (3, 2, 3, "1", "0"),
    (3, 1, 2, "0.6667", "0"),
    (3, 0, 1, "0", "0"),
    (3, 0, 3, "0", "0"),
    (8, 6, 2, "0.9643", "0.5357"),
    (8, 6, 4, "1", "0.2143"),
    (10, 9, 3, "1", "0.7"),
    (10, 5, 3, "0.9167", "0.0833"),
    (4, 2, 2, "0.8333", "0.1667"),
    (1, 1, 1, "1", "1"),
    (2, 2, 3, None, None),
    (0, 0, 1, None, None),
]


def rounded(value: Fraction | None) -> Fraction | None:
    """To four decimals, as the table prints."""
    return None if value is None else round(value, 4)


def printed(text: str | None) -> Fraction | None:
    """A number of the table."""
    return None if text is None else Fraction(text)


@pytest.mark.parametrize(("n", "c", "k", "at", "hat"), SECTION_5)
def test_pass_at_k_and_pass_hat_k(n: int, c: int, k: int, at: str | None, hat: str | None) -> None:
    """Section 5: without replacement, and None where fewer than k runs were made."""
    assert rounded(pass_at_k(n, c, k)) == printed(at)
    assert rounded(pass_hat_k(n, c, k)) == printed(hat)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 2, 0), (3, 4, 1), (3, -1, 1), (0, 1, 1)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    """Section 5: k = 0 or c > n is a mistake of the caller."""
    with pytest.raises(ValueError, match="k ="):
        pass_at_k(n, c, k)
    with pytest.raises(ValueError, match="k ="):
        pass_hat_k(n, c, k)


SECTION_6 = [
    (0, 3, "0", "0.5615"),
    (1, 3, "0.0615", "0.7923"),
    (2, 3, "0.2077", "0.9385"),
    (3, 3, "0.4385", "1"),
    (4, 6, "0.3000", "0.9032"),
    (5, 6, "0.4365", "0.9699"),
    (6, 6, "0.6097", "1"),
    (18, 20, "0.6990", "0.9721"),
    (19, 20, "0.7639", "0.9911"),
    (20, 20, "0.8389", "1"),
]


@pytest.mark.parametrize(("passed", "total", "low", "high"), SECTION_6)
def test_wilson_intervals(passed: int, total: int, low: str, high: str) -> None:
    """Section 6: 3/3 is not certainty."""
    interval = wilson(passed, total)
    assert interval is not None
    assert [rounded(bound) for bound in interval] == [Fraction(low), Fraction(high)]


def test_nothing_has_no_interval() -> None:
    """0 of 0 says nothing, and more than all is a mistake."""
    assert wilson(0, 0) is None
    with pytest.raises(ValueError, match="is no rate"):
        wilson(4, 3)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_an_interval_holds_its_rate(counts: tuple[int, int]) -> None:
    """Bounds lie in 0…1 around the share that was observed."""
    n, c = counts
    interval = wilson(c, n)
    assert interval is not None
    low, high = interval
    assert 0 <= low <= Fraction(c, n) <= high <= 1


@given(st.integers(1, 12), st.data())
def test_all_passing_is_rarer_than_one_passing(n: int, data: st.DataObject) -> None:
    """Pass^k never exceeds pass@k, and they meet at k = 1."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    at, hat = pass_at_k(n, c, k), pass_hat_k(n, c, k)
    assert at is not None
    assert hat is not None
    assert hat <= at
    assert pass_at_k(n, c, 1) == pass_hat_k(n, c, 1) == Fraction(c, n)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_at_most_one_in_twenty_lies_above_p95(values: list[int]) -> None:
    """What the percentile promises, counted."""
    found = p95(values)
    assert found is not None
    assert found in values
    assert sum(value > found for value in values) * 20 <= len(values)
