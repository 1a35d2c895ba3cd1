"""What is other in one run than in another: each difference with its class, its severity and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kit.baseline.pair_drift import Told, gone_or_new, told_of_pair
from kit.baseline.request_drift import told_of_requests
from kit.baseline.severity import CLASSES, DriftClass, Severities, Severity
from kit.baseline.skeleton import Skeleton, SkeletonStep
from kit.baseline.step_key import align_steps

BARE = frozenset({"model_call", "tool_call"})
"""Kinds of steps that a cassette alone shows: what the agent reported and the user said stands elsewhere."""

_NO_VERDICT = frozenset({"error", "skip"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One run, as far as drift looks at it.

    Attributes:
        model: tag of the model asked.
        verdict: None where nobody judged it.
        outcome: decision 19; None where unknown.
        failures: conditions that did not hold.
        cost_micro_usd: None where unknown.
        latency_ms: None where unknown.
        skeleton: None where none was kept: then only what stands above is compared.
        is_bare: read from a cassette alone, so only calls of models and tools are there.
    """

    model: str | None = None
    verdict: str | None = None
    outcome: str | None = None
    failures: tuple[str, ...] = ()
    cost_micro_usd: int | None = None
    latency_ms: int | None = None
    skeleton: Skeleton | None = None
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference.

    Attributes:
        kind: its class.
        severity: how much it weighs.
        sentence: what differs, for a person.
        step: which step of the newer run, counted from 1; of the older one where the newer has none.
    """

    kind: DriftClass
    severity: Severity
    sentence: str
    step: int | None = None


def drift(before: Side, after: Side, severities: Severities | None = None) -> tuple[Drift, ...]:
    """Everything that differs, by class and step; nothing for equal runs.

    A run that ended in an error or was skipped says nothing about the agent: only that is told then.
    """
    weights = severities or Severities()
    told = list(_verdict(before, after))
    if not {before.verdict, after.verdict} & _NO_VERDICT:
        told += [*_skeletons(before, after), *_cost(before, after), *_latency(before, after)]
    found = [
        Drift(one.kind, one.severity or weights.of(one.kind), one.sentence, one.step)
        for one in dict.fromkeys(told)
    ]
    return tuple(sorted(found, key=lambda one: (CLASSES.index(one.kind), one.step or 0)))


def _verdict(before: Side, after: Side) -> Iterator[Told]:
    if before.verdict is None or after.verdict is None:
        return
    new = [failure for failure in after.failures if failure not in before.failures]
    gone = [failure for failure in before.failures if failure not in after.failures]
    if before.verdict != after.verdict:
        why = f": {'; '.join(new)}" if new else ""
        better = after.verdict == "pass"
        yield Told("verdict", f"{before.verdict} → {after.verdict}{why}", None, "info" if better else None)
        return
    for failure in new:
        yield Told("verdict", f"fails in one more way: {failure}", None, "warn")
    for failure in gone:
        yield Told("verdict", f"fails no longer in this way: {failure}", None, "info")
    if before.outcome != after.outcome and None not in {before.outcome, after.outcome}:
        yield Told("verdict", f"outcome {before.outcome} → {after.outcome}", None, "warn")


def _skeletons(before: Side, after: Side) -> Iterator[Told]:
    if before.skeleton is None or after.skeleton is None or before.skeleton == after.skeleton:
        return
    old, new = before.skeleton, after.skeleton
    if before.is_bare or after.is_bare:
        old, new = _bare(old), _bare(new)
    if before.is_bare != after.is_bare:
        old, new = _without_turns(old), _without_turns(new)
    if before.model != after.model:
        old, new = _nameless(old), _nameless(new)
    pairs, changed = align_steps(old, new)
    yield from told_of_requests(old, new, pairs)
    told = [one for pair in changed for one in told_of_pair(old, new, pair)]
    yield from gone_or_new(old, new, changed)
    said = {one.about for one in told if one.is_certain}
    yield from (replace(one, about=None) for one in told if one.is_certain or one.about not in said)


def _bare(skeleton: Skeleton) -> Skeleton:
    """Only the calls, and the last thing that the model said as the answer."""
    steps = [step for step in skeleton.steps if step.kind in BARE]
    last = next((step for step in reversed(steps) if step.kind == "model_call"), None)
    if last is not None and not last.calls and last.text:
        steps.append(SkeletonStep(kind="answer", text=last.text))
    return skeleton.model_copy(update={"steps": tuple(steps)})


def _without_turns(skeleton: Skeleton) -> Skeleton:
    """Without the user's part of prompts: a cassette alone cannot tell it from a turn of the scenario."""
    requests = (
        request.model_copy(update={"prompt": tuple(part for part in request.prompt if part.role != "user")})
        for request in skeleton.requests
    )
    return skeleton.model_copy(update={"requests": tuple(requests)})


def _nameless(skeleton: Skeleton) -> Skeleton:
    """Without the names of the models that answered: where two models are compared they say nothing new."""
    steps = (
        step.model_copy(update={"name": None}) if step.kind == "model_call" else step
        for step in skeleton.steps
    )
    return skeleton.model_copy(update={"steps": tuple(steps)})


def _cost(before: Side, after: Side) -> Iterator[Told]:
    old, new = before.cost_micro_usd, after.cost_micro_usd
    parts = [] if old == new else [f"{_usd(old)} → {_usd(new)}{_percent(old, new)}"]
    if before.skeleton is not None and after.skeleton is not None:
        tokens = _tokens(before.skeleton.steps), _tokens(after.skeleton.steps)
        parts += [] if tokens[0] == tokens[1] else [f"tokens {tokens[0]} → {tokens[1]}"]
    if parts:
        yield Told("cost", ", ".join(parts))


def _latency(before: Side, after: Side) -> Iterator[Told]:
    old, new = before.latency_ms, after.latency_ms
    if old != new:
        yield Told("latency", f"{_ms(old)} → {_ms(new)}{_percent(old, new)}")


def _usd(micro_usd: int | None) -> str:
    return "unknown" if micro_usd is None else f"${micro_usd // 1_000_000}.{micro_usd % 1_000_000:06d}"


def _ms(ms: int | None) -> str:
    return "unknown" if ms is None else f"{ms} ms"


def _percent(old: int | None, new: int | None) -> str:
    if not old or new is None:
        return ""
    share = (abs(new - old) * 200 + old) // (2 * old)
    return f" ({'-' if new < old else '+'}{share} %)"


def _tokens(steps: Sequence[SkeletonStep]) -> str:
    """Prompt and completion tokens of all model calls; one that did not say makes the sum unknown (X-05)."""
    calls = [step for step in steps if step.kind == "model_call"]
    sums = [
        "unknown" if None in counts else str(sum(count or 0 for count in counts))
        for counts in (
            [step.prompt_tokens for step in calls],
            [step.completion_tokens for step in calls],
        )
    ]
    return " + ".join(sums)
