"""What recording would cost."""

from __future__ import annotations

from kit.harness.unrecorded import Unrecorded, estimate
from kit.trace.prices import FREE, Price
from tests.builders import result

COUNTED = (
    result(prompt_tokens=1000, completion_tokens=100),
    result("fail", prompt_tokens=2001, completion_tokens=200),
    result("error"),
)


def test_scenarios_times_mean_tokens_times_price() -> None:
    """Rounded up: an estimate of money errs on the dear side."""
    assert estimate(("a", "b", "c"), COUNTED, (), Price(1_000_000, 4_000_000)) == Unrecorded(
        cells=("a", "b", "c"),
        runs=2,
        prompt_tokens=1501,
        completion_tokens=150,
        is_priced=True,
        cost_micro_usd=3 * (1501 + 4 * 150),
    )


def test_part_of_a_micro_dollar_counts_whole() -> None:
    """A run is never estimated at nothing."""
    cheap = [result(prompt_tokens=1, completion_tokens=1)]
    made = estimate(("a",), cheap, (), Price(1, 0))
    assert made is not None
    assert made.cost_micro_usd == 1


def test_nothing_is_missing() -> None:
    """Then there is nothing to tell."""
    assert estimate((), COUNTED, (), FREE) is None


def test_unknown_price_is_not_free() -> None:
    """X-05."""
    made = estimate(("a",), COUNTED, (), None)
    assert made is not None
    assert (made.is_priced, made.cost_micro_usd) == (False, None)


def test_a_free_model_costs_nothing_however_many_tokens() -> None:
    """Even where nobody counted them."""
    made = estimate(("a",), (), (), FREE)
    assert made is not None
    assert (made.runs, made.prompt_tokens, made.cost_micro_usd) == (0, None, 0)


def test_other_models_count_where_this_one_was_never_recorded() -> None:
    """And it is said; without any, the tokens are unknown."""
    price = Price(1_000_000, 0)
    made = estimate(("a",), (result("error"),), COUNTED, price)
    assert made is not None
    assert (made.on_model, made.runs, made.cost_micro_usd) == (False, 2, 1501)
    unknown = estimate(("a",), (), (), price)
    assert unknown is not None
    assert (unknown.is_priced, unknown.cost_micro_usd) == (True, None)
