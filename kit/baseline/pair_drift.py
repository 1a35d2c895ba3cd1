"""What differs inside one pair of steps, and what is told of steps without a counterpart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kit.baseline.align import Pair
from kit.baseline.severity import DriftClass, Severity
from kit.baseline.skeleton import Call, Skeleton, SkeletonStep
from kit.baseline.step_key import step_key
from kit.baseline.wording import changes, describe, texts


@dataclass(frozen=True, slots=True)
class Told:
    """A difference before it is weighed.

    Attributes:
        kind: its class.
        sentence: for a person.
        step: counted from 1.
        severity: where it does not depend on the class alone.
        about: the same for two tellings of one difference: a model's text that becomes the answer, a call
            that is asked for and made.
        is_certain: of two tellings this one stays.
    """

    kind: DriftClass
    sentence: str
    step: int | None = None
    severity: Severity | None = None
    about: str | None = None
    is_certain: bool = True


def gone_or_new(before: Skeleton, after: Skeleton, pairs: Sequence[Pair]) -> Iterator[Told]:
    """The steps without a counterpart, one difference each."""
    for pair in pairs:
        if pair.before is None and pair.after is not None:
            number = pair.after + 1
            step = after.steps[pair.after]
            yield Told("trajectory", f"step {number} is new: {describe(step)}", number)
        elif pair.after is None and pair.before is not None:
            number = pair.before + 1
            yield Told("trajectory", f"step {number} is gone: {describe(before.steps[pair.before])}", number)


def told_of_pair(before: Skeleton, after: Skeleton, pair: Pair) -> Iterator[Told]:
    """The differences of two steps that are each other's counterpart."""
    if pair.before is None or pair.after is None:
        return
    old, new = before.steps[pair.before], after.steps[pair.after]
    number = pair.after + 1
    if step_key(old).shape != step_key(new).shape:
        sentence = f"step {number}: {describe(new)}; before: {describe(old)}"
        yield Told("trajectory", sentence, number)
        return
    if new.kind == "model_call":
        yield from _model_call(old, new, number)
    elif new.kind == "tool_call":
        yield from _tool_call(old, new, number)
    elif new.kind == "event":
        if what := changes(old.arguments or {}, new.arguments or {}):
            yield Told("trajectory", f"step {number}, event {new.name}: {what}", number)
    elif new.kind == "user":
        yield Told("prompt", f"step {number}: the user says {texts(old.text, new.text)}", number)
    elif new.kind == "answer":
        last = max(index for index, step in enumerate(after.steps) if step.kind == "answer")
        which = "the answer" if pair.after == last else f"step {number}: the answer to this turn"
        about = f"{old.text}\0{new.text}"
        yield Told("final_answer", f"{which}: {texts(old.text, new.text)}", number, about=about)


def _model_call(old: SkeletonStep, new: SkeletonStep, number: int) -> Iterator[Told]:
    for one, other in zip(old.calls, new.calls, strict=True):
        if one.raw is None and other.raw is None:
            what = changes(one.arguments, other.arguments)
        else:
            what = "" if one == other else texts(_raw(one), _raw(other))
        if what:
            sentence = f"step {number}: the model asks for {new_name(other.name)} with {what}"
            yield Told("tool_arguments", sentence, number, about=f"{other.name} {what}", is_certain=False)
    if (old.text or "") != (new.text or ""):
        sentence = f"step {number}: the model says {texts(old.text, new.text)}"
        yield Told("trajectory", sentence, number, about=f"{old.text}\0{new.text}", is_certain=False)
    if old.finish_reason != new.finish_reason:
        sentence = f"step {number}: the model stops with {new.finish_reason}, before with {old.finish_reason}"
        yield Told("trajectory", sentence, number)
    if old.name != new.name:
        yield Told("trajectory", f"{new.name} answers, before {old.name}")
    yield from _failure(old, new, number)


def _tool_call(old: SkeletonStep, new: SkeletonStep, number: int) -> Iterator[Told]:
    if what := changes(old.arguments or {}, new.arguments or {}):
        sentence = f"step {number}, {new.name}: {what}"
        yield Told("tool_arguments", sentence, number, about=f"{new.name} {what}")
    if (old.result, old.result_digest) != (new.result, new.result_digest):
        what = texts(old.result, new.result) if old.result != new.result else "it differs further on"
        yield Told("trajectory", f"step {number}, result of {new.name}: {what}", number)
    yield from _failure(old, new, number)


def _failure(old: SkeletonStep, new: SkeletonStep, number: int) -> Iterator[Told]:
    if old.failure != new.failure:
        yield Told("trajectory", f"step {number} fails: {texts(old.failure, new.failure)}", number)


def _raw(call: Call) -> str:
    """Arguments as text, where one side has no JSON object."""
    return call.raw if call.raw is not None else json.dumps(call.arguments, ensure_ascii=False)


def new_name(name: str) -> str:
    """A tool's name, or that it has none."""
    return name or "a tool without name"
