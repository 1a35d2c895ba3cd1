"""Counts and what may be said of them, in integers and fractions (decision 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt
from typing import TypeVar

Name = TypeVar("Name", bound=str)

_Z_SQUARED = Fraction(3_841_458_820_694_124, 10**15)
"""Square of the normal quantile of a two-sided 95 % interval, 1.959963984540054."""

_PRECISION = 10**12


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many; printed as counts, never as a bare percentage (X-06).

    Attributes:
        passed: how many held.
        total: how many were tried.

    Raises:
        ValueError: not 0 <= passed <= total.
    """

    passed: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.passed <= self.total:
            msg = f"{self.passed} of {self.total} is no rate"
            raise ValueError(msg)

    def __str__(self) -> str:
        return f"{self.passed}/{self.total}"

    @property
    def fraction(self) -> Fraction | None:
        """The exact share; None of nothing (X-05)."""
        return Fraction(self.passed, self.total) if self.total else None


def p95(values: Sequence[int]) -> int | None:
    """The 95th percentile by nearest rank, always one of the values; None of nothing."""
    if not values:
        return None
    rank = -(-95 * len(values) // 100)
    return sorted(values)[rank - 1]


def mean_micro(values: Sequence[int | None]) -> int | None:
    """The mean of amounts in micro-USD, rounded half up; None of nothing or where any is unknown (X-05)."""
    known = [value for value in values if value is not None]
    if not known or len(known) != len(values):
        return None
    return (2 * sum(known) + len(known)) // (2 * len(known))


def exceeds_percent(base: int | None, new: int | None, percent: int) -> bool | None:
    """Whether `new` lies more than `percent` above `base`: strictly, in integers, so +20 % is not over 20 %.

    Returns:
        None where either is unknown, or where `base` is 0 and a relative change undefined.
    """
    if base is None or new is None or base == 0:
        return None
    return new * 100 > base * (100 + percent)


def drops_points(base: Rate, new: Rate, points: int) -> bool | None:
    """Whether a rate fell by more than so many percentage points: strictly, so 20/20 → 19/20 is not over 5.

    With 0 points, whether it fell at all.

    Returns:
        None where either rate is of nothing.
    """
    if base.fraction is None or new.fraction is None:
        return None
    return (base.fraction - new.fraction) * 100 > points


def regressed(base: Mapping[Name, bool], new: Mapping[Name, bool]) -> tuple[Name, ...]:
    """What passed before and does not now, in the order of `base`; what is gone is not told here.

    Compared one by one: a fix elsewhere must not hide a regression.
    """
    return tuple(name for name, passed in base.items() if passed and name in new and not new[name])


def pass_at_k(n: int, c: int, k: int) -> Fraction | None:
    """Chance that at least one of k runs passes, from c passes in n runs, drawn without replacement.

    Returns:
        None where fewer than k runs were made.

    Raises:
        ValueError: k < 1, or not 0 <= c <= n.
    """
    _check_counts(n, c, k)
    return None if n < k else 1 - Fraction(comb(n - c, k), comb(n, k))


def pass_hat_k(n: int, c: int, k: int) -> Fraction | None:
    """Chance that all of k runs pass (pass^k), from c passes in n runs, drawn without replacement.

    Returns:
        None where fewer than k runs were made.

    Raises:
        ValueError: k < 1, or not 0 <= c <= n.
    """
    _check_counts(n, c, k)
    return None if n < k else Fraction(comb(c, k), comb(n, k))


def wilson(passed: int, total: int) -> tuple[Fraction, Fraction] | None:
    """The 95 % Wilson interval of a rate, exact to 12 digits; information, never a reason to block.

    Returns:
        None of nothing.

    Raises:
        ValueError: not 0 <= passed <= total.
    """
    if Rate(passed, total).fraction is None:
        return None
    centre = passed + _Z_SQUARED / 2
    spread = _root(_Z_SQUARED * (Fraction(passed * (total - passed), total) + _Z_SQUARED / 4))
    width = total + _Z_SQUARED
    low = Fraction(0) if passed == 0 else (centre - spread) / width
    high = Fraction(1) if passed == total else (centre + spread) / width
    return low, high


def _root(value: Fraction) -> Fraction:
    """Square root, cut to `_PRECISION`: the same on every machine."""
    return Fraction(isqrt(value.numerator * _PRECISION**2 // value.denominator), _PRECISION)


def _check_counts(n: int, c: int, k: int) -> None:
    if k < 1 or not 0 <= c <= n:
        msg = f"{c} passes of {n} runs, k = {k}"
        raise ValueError(msg)
