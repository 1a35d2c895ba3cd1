"""By what steps of two skeletons are aligned."""

from __future__ import annotations

from typing import NamedTuple

from kit.baseline.align import Key, Pair, align
from kit.baseline.skeleton import Skeleton, SkeletonStep


class Alignment(NamedTuple):
    """Which step of one skeleton is which of another.

    Attributes:
        pairs: all steps of both.
        changed: the pairs that are not of equal steps.
    """

    pairs: tuple[Pair, ...]
    changed: tuple[Pair, ...]


def step_key(step: SkeletonStep) -> Key:
    """What alignment knows of a step.

    Times and counts of tokens are compared over the whole run and what a model was asked with on its own, so
    none of them makes another step. Values are told apart by their text: it is quick, and two mappings of
    another order cost one comparison more and no difference.
    """
    shape = f"{step.kind}{'!' if step.failure else ''}"
    if step.kind in {"tool_call", "event"}:
        shape += f" {step.name}"
    calls = [(call.name, call.arguments, call.raw) for call in step.calls]
    if calls:
        shape += f" {[call[0] for call in calls]}"
    values = (
        step.name,
        step.text,
        step.arguments,
        step.result,
        step.result_digest,
        step.failure,
        calls,
        step.finish_reason,
    )
    return Key(step.kind, shape, repr(values))


def align_steps(before: Skeleton, after: Skeleton) -> Alignment:
    """Which step of the one is which of the other."""
    old, new = [step_key(step) for step in before.steps], [step_key(step) for step in after.steps]
    pairs = align(old, new)
    changed = tuple(
        pair
        for pair in pairs
        if pair.before is None or pair.after is None or old[pair.before].content != new[pair.after].content
    )
    return Alignment(pairs, changed)
