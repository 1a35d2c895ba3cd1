"""The trace skeleton of a run: enough to name drift later, each prompt and schema once, no body twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from kit.canonical import canonical_json, digest
from kit.scenario.expected import Natural, Strictly, Text
from kit.trace.trace import StepKind

RESULT_CHARS = 200
"""A tool's result is kept to be recognised, not to be read: its beginning, and a digest of the whole."""

AnyText = Annotated[str, Strict()]
Facts = dict[str, Any]
"""A skeleton as plain values, what is empty left out: what is digested, written and compared."""


class PromptPart(Strictly):
    """A message of the prompt."""

    role: AnyText
    text: AnyText


class Request(Strictly):
    """What model calls were asked with, apart from the conversation (`trace.trace.Asked`).

    Attributes:
        prompt: the system prompt, and what else the agent said of its own before the first answer.
        tools: schemas of the tools offered.
        parameters: temperature, seed, …
    """

    prompt: tuple[PromptPart, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    parameters: dict[str, Any] = Field(default_factory=dict)


class Call(Strictly):
    """A tool call that a model asked for; `raw` where the arguments are no JSON object."""

    name: AnyText
    arguments: dict[str, Any] | None = None
    raw: AnyText | None = None


class SkeletonStep(Strictly):
    """One step.

    Attributes:
        kind: as in the trace.
        name: tool, event kind, or the model that answered.
        text: what was said.
        arguments: of a tool call, or the detail of an event.
        result: beginning of a tool's result as JSON.
        result_digest: of the whole result, where the beginning is not all.
        failure: how the step went wrong.
        calls: tool calls that the model asked for.
        finish_reason: of a model call.
        prompt_tokens: of a model call; None is unknown.
        completion_tokens: of a model call; None is unknown.
        request: what a model call was asked with, counted from 1 in `requests`.
        ms: how long it took.
    """

    kind: StepKind
    name: AnyText | None = None
    text: AnyText | None = None
    arguments: dict[str, Any] | None = None
    result: AnyText | None = None
    result_digest: AnyText | None = None
    failure: AnyText | None = None
    calls: tuple[Call, ...] = ()
    finish_reason: AnyText | None = None
    prompt_tokens: Natural | None = None
    completion_tokens: Natural | None = None
    request: Annotated[int, Strict(), Field(ge=1)] | None = None
    ms: Natural = 0


class Skeleton(Strictly):
    """A run's steps and what its model calls were asked with."""

    requests: tuple[Request, ...] = ()
    steps: tuple[SkeletonStep, ...] = ()

    def request_of(self, step: SkeletonStep) -> Request | None:
        """What a model call was asked with; None where nobody knows."""
        if step.request is None or step.request > len(self.requests):
            return None
        return self.requests[step.request - 1]


class SkeletonFile(Skeleton):
    """One file of `baselines/`: a skeleton, whose it is, and the digests that spare reading it again."""

    schema_version: Literal[1] = 1
    suite: Text
    model: Text
    scenario: Text
    variant: Text | None = None
    replicate: Annotated[int, Strict(), Field(ge=1)] = 1
    digest: Text


def facts_of(objects: Iterable[Mapping[str, Any]]) -> Facts:
    """The skeleton of a trace's steps as plain values; the same for the same steps.

    Args:
        objects: the steps as JSON objects (`trace.export`).
    """
    requests: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    current: int | None = None
    for one in objects:
        if one["kind"] == "http":  # lane `other`: a notice, never drift (decision 7)
            continue
        if "asked" in one:
            asked = {name: value for name, value in one["asked"].items() if value}
            if asked not in requests:
                requests.append(asked)
            current = requests.index(asked) + 1
        steps.append(_step(one, current))
    facts = {name: value for name, value in (("requests", requests), ("steps", steps)) if value}
    return facts if _is_utf8(facts) else _printable(facts)


def digest_of(facts: Facts) -> str:
    """By which two skeletons are known to be equal."""
    return digest(canonical_json(facts))


def skeleton_of(facts: Facts) -> Skeleton:
    """The typed form, for comparing."""
    return Skeleton.model_validate(facts)


def plain_facts(skeleton: Skeleton) -> Facts:
    """The inverse of `skeleton_of`."""
    return skeleton.model_dump(mode="json", exclude_defaults=True, include={"requests", "steps"})


def _step(one: Mapping[str, Any], request: int | None) -> dict[str, Any]:
    is_model_call = one["kind"] == "model_call"
    usage = one.get("usage", {})
    values = {
        "kind": one["kind"],
        "name": one.get("name"),
        "text": None if one["kind"] in {"event", "sleep"} else one.get("text"),
        "arguments": one.get("arguments"),
        **_result(one),
        "failure": one.get("failure"),
        "calls": [_call(call) for call in one.get("requested", ())] or None,
        "finish_reason": one.get("finish_reason"),
        "prompt_tokens": usage.get("prompt_tokens"),
        "completion_tokens": usage.get("completion_tokens"),
        "request": request if is_model_call else None,
        "ms": one["ended_ms"] - one["started_ms"] or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _result(one: Mapping[str, Any]) -> dict[str, str]:
    if one["kind"] != "tool_call" or one.get("failure") is not None:
        return {}
    whole = canonical_json(one.get("result"))
    text = whole.decode("utf-8", "replace")
    if len(text) <= RESULT_CHARS:
        return {"result": text}
    return {"result": text[:RESULT_CHARS], "result_digest": digest(whole)}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    values = {"name": call["name"], "arguments": call.get("arguments"), "raw": call.get("raw")}
    return {name: value for name, value in values.items() if value is not None}


def _is_utf8(facts: Facts) -> bool:
    try:
        canonical_json(facts).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _printable(value: Any) -> Any:
    """A value that UTF-8 can hold: what a model says may hold half a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_printable(key): _printable(child) for key, child in value.items()}
    return [_printable(child) for child in value] if isinstance(value, list) else value
