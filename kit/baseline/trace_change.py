"""A run's trace beside the one that was accepted, read no further than necessary."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.baseline import store
from kit.baseline.accepted import Accepted
from kit.baseline.drift import Drift, Side, drift
from kit.baseline.severity import Severities
from kit.baseline.skeleton import Facts, Skeleton, digest_of, skeleton_of
from kit.oracle.result import OracleResult


@dataclass(frozen=True, slots=True)
class TraceChange:
    """What accepting a run's trace would change.

    Attributes:
        facts: the run's skeleton.
        is_kept: the accepted one is equal.
        is_new: none was accepted yet.
        drift: every difference, verdict and metrics among them.
    """

    facts: Facts
    is_kept: bool
    is_new: bool
    drift: tuple[Drift, ...]


def trace_change(
    root: Path,
    accepted: Accepted | None,
    result: OracleResult,
    facts: Facts,
    severities: Severities | None = None,
) -> TraceChange:
    """What a run changed against what was accepted of the same cell.

    Args:
        root: whose `baselines/` count.
        accepted: the baseline; None where nothing was accepted.
        result: of the run.
        facts: its skeleton.
        severities: of the project.

    Raises:
        BaselineError: the accepted skeleton was changed by hand and cannot be read.
    """
    if accepted is None:
        return TraceChange(facts, is_kept=False, is_new=True, drift=())
    kept = store.skeleton_at(root, accepted.cell)
    skeletons: tuple[Skeleton | None, Skeleton | None] = (None, None)
    is_kept = kept is not None and kept.digest == digest_of(facts)
    if kept is not None and not is_kept:
        skeletons = kept.read(), skeleton_of(facts)
        is_kept = skeletons[0] == skeletons[1]
    found = drift(accepted_side(accepted, skeletons[0]), result_side(result, skeletons[1]), severities)
    return TraceChange(facts, is_kept, kept is None, found)


def accepted_side(accepted: Accepted, skeleton: Skeleton | None) -> Side:
    """A baseline, as drift looks at it."""
    return Side(
        model=accepted.model,
        verdict=accepted.verdict,
        outcome=accepted.outcome,
        failures=accepted.failures,
        cost_micro_usd=accepted.metrics.cost_micro_usd,
        latency_ms=accepted.metrics.latency_ms,
        skeleton=skeleton,
    )


def result_side(result: OracleResult, skeleton: Skeleton | None) -> Side:
    """A run's result, as drift looks at it."""
    return Side(
        model=result.model,
        verdict=result.verdict,
        outcome=result.outcome,
        failures=result.failures or result.errors,
        cost_micro_usd=result.cost_micro_usd,
        latency_ms=result.latency_ms,
        skeleton=skeleton,
    )
