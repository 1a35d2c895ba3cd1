"""What a model call costs, in integers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.trace.prices import FREE, Price, PriceTable, price_table, total_cost
from kit.trace.trace import Usage

TABLE = price_table({"gpt-4o": (2_500_000, 10_000_000), "acme-*": (1, 2), "gpt-oss:20b": (5, 5)})


@pytest.mark.parametrize(
    "model",
    ["stub", "stub-judge", "qwen2.5-coder:1.5b", "qwen2.5-coder-1.5b", "smollm2:135m", "gpt-oss:20b",
     "llama3.1:8b", "llama3.2", "mistral", "mistral:7b", "qwen3:4b", "gemma3:1b"],
)  # fmt: skip
def test_local_models_cost_nothing_explicitly(model: str) -> None:
    """What runs on one's own machine has a price, and it is 0."""
    assert PriceTable().price(model) == FREE


@pytest.mark.parametrize(
    "model",
    ["gpt-4o", "gpt-oss-120b", "openai/gpt-oss-120b", "gpt-oss:120b-cloud", "llama3.1-8b", "", "stub-2",
     "mistral-large-latest", "Qwen/Qwen2.5-Coder-32B-Instruct", "qwen2.5-coder-32b-instruct",
     "meta-llama/llama-3.1:free"],
)  # fmt: skip
def test_hosted_models_have_no_price_until_declared(model: str) -> None:
    """Unknown is None, never 0, also for the same weights on somebody else's machine (X-05)."""
    assert PriceTable().price(model) is None


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4o", Price(2_500_000, 10_000_000)),
        ("gpt-4o-2024-08-06", Price(2_500_000, 10_000_000)),
        ("openai/gpt-4o", Price(2_500_000, 10_000_000)),
        ("gpt-4o-mini", None),
        ("acme-large", Price(1, 2)),
        ("gpt-oss:20b", Price(5, 5)),
    ],
)
def test_a_project_declares_its_own_prices(model: str, price: Price | None) -> None:
    """By tag, by name without provider and date, or by pattern; also over a built-in price."""
    assert TABLE.price(model) == price


def test_cost_is_counted_exactly_and_rounded_once() -> None:
    """Three calls of half a micro-USD are two micro-USD, not three."""
    half = (Price(500_000, 0), Usage(1, 0))
    assert total_cost([half]) == 1
    assert total_cost([half] * 3) == 2
    assert total_cost([(Price(2_500_000, 10_000_000), Usage(1000, 100))]) == 3500


def test_an_unknown_part_makes_the_sum_unknown() -> None:
    """A sum that leaves something out is no sum (X-05)."""
    known = (Price(1, 1), Usage(1_000_000, 0))
    assert total_cost([known, (None, Usage(1, 1))]) is None
    assert total_cost([known, (Price(1, 1), Usage(None, 1))]) is None
    assert total_cost([known, (Price(1, 1), Usage(1, None))]) is None


def test_free_is_free_without_a_count() -> None:
    """Nothing times anything is nothing, and no call at all costs nothing."""
    assert total_cost([(FREE, Usage())]) == 0
    assert total_cost([]) == 0


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**6)), max_size=20))
def test_costs_do_not_depend_on_order(calls: list[tuple[int, int]]) -> None:
    """Integers add up the same in any order."""
    priced = [(Price(price, price), Usage(tokens, tokens)) for price, tokens in calls]
    assert total_cost(priced) == total_cost(reversed(priced))
