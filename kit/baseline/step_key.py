"""By what steps of two skeletons are aligned."""

from __future__ import annotations

from kit.baseline.align import Key, Pair, align
from kit.baseline.skeleton import Skeleton, SkeletonStep

NOT_COMPARED: dict[str, object] = {"ms": 0, "prompt_tokens": None, "completion_tokens": None, "request": None}
"""Fields that are compared over the whole run, or by what they refer to."""


def step_key(step: SkeletonStep) -> Key:
    """What alignment knows of a step; times and counts of tokens make no other step."""
    shape = [step.kind, "!" if step.failure else ""]
    if step.kind in {"tool_call", "event"}:
        shape.append(step.name or "")
    shape += [call.name for call in step.calls]
    text = None if step.kind == "sleep" else step.text
    content = step.model_copy(update={**NOT_COMPARED, "text": text}).model_dump_json(exclude_defaults=True)
    return Key(step.kind, "\0".join(shape), content)


def align_steps(before: Skeleton, after: Skeleton) -> tuple[Pair, ...]:
    """Which step of the one is which of the other."""
    return align([step_key(step) for step in before.steps], [step_key(step) for step in after.steps])
