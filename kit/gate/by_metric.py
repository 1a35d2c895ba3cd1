"""Rules that look at the three numbers of a whole run against those of what was accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from kit.gate.measures import Measures
from kit.gate.reason import Reason, Rule
from kit.gate.thresholds import Thresholds
from kit.stats import Rate, drops_points, exceeds_percent


def reasons(base: Measures, now: Measures, run: Rate, limits: Thresholds) -> Iterator[Reason]:
    """Everything that the metrics say; comparisons are strict, in integers and fractions.

    Args:
        base: what was accepted.
        now: what ran, over the same cells.
        run: success of everything that ran, for the absolute limit.
        limits: of the model.
    """
    yield from _dropped(base.success, now.success, limits)
    yield from _below(run, limits.success_rate_min)
    yield from _rose(
        "avg_cost",
        (base.avg_cost_micro_usd, now.avg_cost_micro_usd),
        (limits.avg_cost_block, limits.avg_cost_warn),
        _usd,
    )
    yield from _rose(
        "p95_latency",
        (base.p95_latency_ms, now.p95_latency_ms),
        (limits.p95_latency_block, limits.p95_latency_warn),
        lambda ms: f"{ms} ms",
    )


def _dropped(base: Rate, now: Rate, limits: Thresholds) -> Iterator[Reason]:
    what = f"success_rate fell from {base} to {now}"
    block, warn = limits.success_rate_drop_block, limits.success_rate_drop_warn
    if block is not None and drops_points(base, now, block):
        yield Reason("block", "success_rate", f"{what}, by more than {block} points")
    elif warn is not None and drops_points(base, now, warn):
        yield Reason("warn", "success_rate", what + (f", by more than {warn} points" if warn else ""))


def _below(run: Rate, minimum: Fraction | None) -> Iterator[Reason]:
    if minimum is not None and run.fraction is not None and run.fraction < minimum:
        yield Reason("block", "success_rate_min", f"success_rate is {run}, below the minimum of {minimum}")


def _rose(
    rule: Rule,
    values: tuple[int | None, int | None],
    limits: tuple[int | None, int | None],
    shown: Callable[[int], str],
) -> Iterator[Reason]:
    (base, now), (block, warn) = values, limits
    if base is None or (block is None and warn is None):
        return
    if now is None:
        yield Reason("warn", rule, f"{rule} was {shown(base)} and is unknown now")
        return
    what = f"{rule} rose from {shown(base)} to {shown(now)}"
    if block is not None and exceeds_percent(base, now, block):
        yield Reason("block", rule, f"{what}, by more than {block} %")
    elif warn is not None and exceeds_percent(base, now, warn):
        yield Reason("warn", rule, f"{what}, by more than {warn} %")
    elif base == 0 and now > 0:
        yield Reason("warn", rule, f"{what}: of 0 a relative change is undefined (n/a)")


def _usd(micro_usd: int) -> str:
    return f"${micro_usd // 1_000_000}.{micro_usd % 1_000_000:06d}"
