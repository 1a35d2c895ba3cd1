"""By what steps are aligned."""

from __future__ import annotations

from typing import Any

from kit.baseline.skeleton import SkeletonStep, skeleton_of
from kit.baseline.step_key import align_steps, step_key

CALL: dict[str, Any] = {"kind": "model_call", "calls": [{"name": "f", "arguments": {"a": 1}}], "request": 1}


def key(**changes: Any) -> tuple[str, str, str]:
    return step_key(SkeletonStep.model_validate({**CALL, **changes}))


def test_times_tokens_and_prompts_make_no_other_step() -> None:
    """They are compared elsewhere, and each would make every step another one."""
    assert key(ms=5, prompt_tokens=3, completion_tokens=2, request=2) == key()


def test_values_change_the_content_and_names_the_shape() -> None:
    """The same call with another argument is the same step, a call of another tool has another shape."""
    other = key(calls=[{"name": "f", "arguments": {"a": 2}}])
    assert (other[1] == key()[1], other[2] == key()[2]) == (True, False)
    assert key(calls=[{"name": "g", "arguments": {"a": 1}}])[1] != key()[1]
    assert key(failure="http 500")[1] != key()[1]
    assert key(kind="tool_call", name="f")[1] != key(kind="tool_call", name="g")[1]


def test_only_what_is_not_equal_is_looked_at() -> None:
    """Ten thousand equal steps leave nothing to compare."""
    one = skeleton_of({"steps": [CALL, {"kind": "answer", "text": "a"}]})
    other = skeleton_of({"steps": [{**CALL, "ms": 9}, {"kind": "answer", "text": "b"}]})
    found = align_steps(one, other)
    assert found.pairs == ((0, 0), (1, 1))
    assert found.changed == ((1, 1),)
