"""What a scenario expects: one typed model for each kind of oracle (S2-19)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, model_validator


class Strictly(BaseModel):
    """Base of everything that is written in a suite's files: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as broken:
        raise ValueError(f"must be a regular expression that Python's `re` can read: {broken}") from None
    return pattern


def _absolute(path: str) -> str:
    if not path.startswith("/") or path.strip("/") == "" or ".." in path.split("/") or "\0" in path:
        raise ValueError(
            "must be an absolute path as the agent sees it, without `..`, e.g. /workspace/note.md"
        )
    return path


Text = Annotated[str, Strict(), Field(min_length=1)]
"""Text that says something."""
Pattern = Annotated[str, Strict(), Field(min_length=1), AfterValidator(_compiles)]
"""A regular expression of Python's `re`, searched for (not anchored)."""
AgentPath = Annotated[str, Strict(), AfterValidator(_absolute)]
"""An absolute path as the agent sees it."""
Bool = Annotated[bool, Strict()]
Natural = Annotated[int, Strict(), Field(ge=0)]
Usd = Annotated[float, Strict(), Field(ge=0, allow_inf_nan=False)]
Texts = Annotated[tuple[Text, ...], Field(min_length=1)]


def micro_usd(amount: float | None) -> int | None:
    """Whole micro-USD of an amount as it was written, because money is compared as integers (decision 15)."""
    return None if amount is None else int(Decimal(str(amount)) * 1_000_000)


class Count(Strictly):
    """How often something has to happen; `2` in a file is short for `{min: 2, max: 2}`.

    Attributes:
        min: at least so often.
        max: at most so often; None is no limit.
    """

    min: Natural = 0
    max: Natural | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return {"min": value, "max": value}
        if not isinstance(value, Mapping):
            raise ValueError("must be a whole number or a mapping of `min` and `max`")  # noqa: TRY004 - pydantic collects ValueError
        if not value:
            raise ValueError("must name `min` or `max`")
        return value

    @model_validator(mode="after")
    def _in_order(self) -> Count:
        if self.max is not None and self.max < self.min:
            raise ValueError(f"`max` ({self.max}) must not be below `min` ({self.min})")
        return self

    def holds(self, number: int) -> bool:
        """Whether `number` lies within the limits, both included."""
        return self.min <= number and (self.max is None or number <= self.max)

    def __str__(self) -> str:
        if self.max is None:
            return f"at least {self.min}"
        if self.min == self.max:
            return f"{self.min}"
        return f"at most {self.max}" if self.min == 0 else f"{self.min} to {self.max}"


class ArgumentCondition(Strictly):
    """What one argument of a tool call must look like; a value alone is short for `{equals: value}`.

    Attributes:
        equals: the JSON value is equal to this (`has_equals` tells None from absent).
        contains: the argument as text contains this, letter by letter.
        regex: the argument as text matches somewhere.
    """

    equals: Any = None
    contains: Text | None = None
    regex: Pattern | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_value(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and value and set(value) <= {"equals", "contains", "regex"}:
            return value
        return {"equals": value}

    @property
    def has_equals(self) -> bool:
        """Whether `equals` was written."""
        return "equals" in self.model_fields_set


class ToolCalled(Strictly):
    """One call that must have been made.

    Attributes:
        name: the tool's name.
        path_matches: the call's path argument equals this or matches it as a glob (S2-15).
        path_regex: the call's path argument matches somewhere.
        args_match: conditions by argument name.
        times: how many calls match; None is at least one.
    """

    name: Text
    path_matches: Text | None = None
    path_regex: Pattern | None = None
    args_match: Mapping[str, ArgumentCondition] = Field(default_factory=dict)
    times: Count | None = None


class ToolsCalled(Strictly):
    """The calls that must have been made; a list in a file is short for `{order: any, calls: [...]}`.

    Attributes:
        calls: each must have been made.
        order: `strict` wants them in this order, other calls may lie between; `any` does not care.
    """

    calls: Annotated[tuple[ToolCalled, ...], Field(min_length=1)]
    order: Literal["strict", "any"] = "any"

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        return {"calls": value} if isinstance(value, list | tuple) else value


class TextConditions(Strictly):
    """What a text must hold; letter case counts only with `case_sensitive`.

    Attributes:
        contains_any: at least one of these occurs.
        contains_all: all of these occur.
        not_contains: none of these occurs.
        regex: matches somewhere.
        case_sensitive: whether case counts, in all four.
    """

    contains_any: Texts | None = None
    contains_all: Texts | None = None
    not_contains: Texts | None = None
    regex: Pattern | None = None
    case_sensitive: Bool = False

    @property
    def has_text_condition(self) -> bool:
        """Whether any of the four is written."""
        return any((self.contains_any, self.contains_all, self.not_contains, self.regex))


class LlmCritic(Strictly):
    """A question put to a judge model about the answer (S2-20 … S2-23).

    Attributes:
        prompt: the question; `{user_message}` and `{final_response}` are put in once.
        accept: the first word with which the judge accepts; `threshold` is the older name (S2-22).
        model_tier: key of `[tool.kit.tiers]`.
    """

    prompt: Text
    accept: Text
    model_tier: Text = "frontier"

    @model_validator(mode="before")
    @classmethod
    def _one_name(cls, value: Any) -> Any:
        if not isinstance(value, Mapping) or "threshold" not in value:
            return value
        threshold = value["threshold"]
        if value.get("accept", threshold) != threshold:
            raise ValueError(
                f"`accept` ({value['accept']!r}) and `threshold` ({threshold!r}) differ: write `accept` only"
            )
        rest = {key: item for key, item in value.items() if key != "threshold"}
        return {**rest, "accept": threshold}


class FinalResponse(TextConditions):
    """What the last answer must look like.

    Attributes:
        llm_critic: a question about it to a judge model.
    """

    llm_critic: LlmCritic | None = None

    @model_validator(mode="after")
    def _says_something(self) -> FinalResponse:
        if not self.has_text_condition and self.llm_critic is None:
            raise ValueError(
                "must name at least one of contains_any, contains_all, not_contains, regex, llm_critic"
            )
        return self


class StateConditions(TextConditions):
    """What a piece of text that outlives the run must look like; with no condition at all it must exist.

    Attributes:
        exists: whether it must be there after the run; None where the other conditions say enough.
        content: the whole text, letter by letter.
    """

    exists: Bool | None = None
    content: Annotated[str, Strict()] | None = None

    @model_validator(mode="after")
    def _agree(self) -> StateConditions:
        if self.exists is False and (self.has_text_condition or self.content is not None):
            raise ValueError("`exists: false` contradicts a condition on the content")
        return self


class FileExpected(StateConditions):
    """The state of one file after the run.

    Attributes:
        path: where the agent sees it; may be a glob: then one matching file has to satisfy the conditions,
            none may match for `exists: false`, and none of them may change, come or go for `unchanged`.
        unchanged: the same before and after the run.
    """

    path: AgentPath
    unchanged: Bool = False


class MemoryExpected(StateConditions):
    """The state of one remembered thing after the run.

    Attributes:
        key: its name in the agent's memory.
    """

    key: Text


class Expected(Strictly):
    """All conditions of a scenario; what is absent is not checked, but for limits that the suite sets.

    Attributes:
        outcome: the run's outcome, a word of the suite; may be left out where a verdict is expected.
        verdict: what the agent judges, a word of the suite's `judging`.
        approvals_requested: how many approvals the agent asked for.
        tools_called: calls that must have been made.
        tools_not_called: tools that must not have been called.
        final_response: conditions on the last answer.
        files: conditions on files after the run.
        memory: conditions on the agent's memory after the run.
        cost_max_usd: limit on the cost, equality passes.
        latency_max_ms: limit on the run's virtual clock, equality passes.
    """

    outcome: Text | None = None
    verdict: Text | None = None
    approvals_requested: Count | None = None
    tools_called: ToolsCalled | None = None
    tools_not_called: Texts | None = None
    final_response: FinalResponse | None = None
    files: Annotated[tuple[FileExpected, ...], Field(min_length=1)] | None = None
    memory: Annotated[tuple[MemoryExpected, ...], Field(min_length=1)] | None = None
    cost_max_usd: Usd | None = None
    latency_max_ms: Natural | None = None

    @property
    def cost_max_micro_usd(self) -> int | None:
        """The cost limit in whole micro-USD."""
        return micro_usd(self.cost_max_usd)
