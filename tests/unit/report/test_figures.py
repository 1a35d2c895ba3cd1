"""Numbers as people read them."""

from __future__ import annotations

import pytest

from kit.report.figures import milliseconds, plural, usd


@pytest.mark.parametrize(
    ("micro_usd", "shown"),
    [
        (None, "unknown"),
        (0, "$0.000000"),
        (1, "$0.000001"),
        (50_000, "$0.050000"),
        (12_345_678, "$12.345678"),
    ],
)
def test_usd(micro_usd: int | None, shown: str) -> None:
    """Six decimals, without a float in between; None is never 0 (X-05)."""
    assert usd(micro_usd) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(None, "-"), (0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (1999, "1.9 s"), (61_050, "61.0 s")],
)
def test_milliseconds(ms: int | None, shown: str) -> None:
    """Seconds from one second up, cut and not rounded up; None is never 0."""
    assert milliseconds(ms) == shown


@pytest.mark.parametrize(("count", "shown"), [(0, "0 calls"), (1, "1 call"), (2, "2 calls")])
def test_plural(count: int, shown: str) -> None:
    """One is one."""
    assert plural(count, "call") == shown
