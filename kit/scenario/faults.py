"""What a scenario lets go wrong on purpose: `setup.faults`, injected live and again in replay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, model_validator

from kit.scenario.expected import Natural, Strictly, Text

Every = Literal["every"]

_KINDS = ("status", "close", "timeout", "cut", "garble", "raise", "delay_ms")
_OF_MODEL = ("status", "close", "cut", "garble")
_EXCEPTION = re.compile(r"[A-Za-z_]\w*(?:: (?:.|\n)+)?\Z")


def _nth(value: Any) -> Any:
    if value == "every" or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    raise ValueError("must be a whole number from 1, or `every`")


def _cut(value: Any) -> Any:
    if value == "arguments" or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise ValueError("must be `arguments` or a number of bytes")


def _true(value: Any) -> Any:
    if value is True:
        return value
    raise ValueError("must be `true`, or left out")


def _exception(value: Any) -> Any:
    if isinstance(value, str) and _EXCEPTION.match(value):
        return value
    raise ValueError('must be the name of an exception and its text, e.g. "PermissionError: not for you"')


def _body(value: Any) -> Any:
    if isinstance(value, str | Mapping):
        return value
    raise ValueError("must be text, or a mapping that is sent as JSON")


Nth = Annotated[int | Every, BeforeValidator(_nth)]
Cut = Annotated[int | Literal["arguments"], BeforeValidator(_cut)]
Yes = Annotated[Literal[True], BeforeValidator(_true)]
Raised = Annotated[str, BeforeValidator(_exception)]
Body = Annotated[str | Mapping[str, Any], BeforeValidator(_body)]
HeaderValue = Annotated[str, Strict()]


class Fault(Strictly):
    """One thing that goes wrong with one call, or with every call.

    Attributes:
        on: calls of the model, or of tools.
        tool: only calls of this tool; None is any.
        nth: which of these calls, 1-based, failed attempts counted too; `every` is each.
        status: HTTP status that comes instead of the model's answer.
        headers: of that answer.
        body: of that answer; a mapping is sent as JSON; left out, an error object as OpenAI writes it.
        close: the connection is closed before an answer.
        timeout: nobody answers in time: the client's read time-out, or a tool's `TimeoutError`.
        cut: the connection breaks inside the answer: in the arguments of its tool calls, or after so many
            bytes.
        garble: the tool-call arguments of the answer are no JSON.
        raised: `raise` in a file: the tool is not run, but raises this, `ExceptionName: text`.
        delay_ms: how much later it all happens, on the run's virtual clock; alone or with another.
    """

    on: Literal["model", "tool"]
    tool: Text | None = None
    nth: Nth
    status: Annotated[int, Strict(), Field(ge=100, le=599)] | None = None
    headers: Mapping[Text, HeaderValue] = Field(default_factory=dict)
    body: Body | None = None
    close: Yes | None = None
    timeout: Yes | None = None
    cut: Cut | None = None
    garble: Literal["arguments"] | None = None
    raised: Raised | None = Field(default=None, alias="raise")
    delay_ms: Natural | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Fault:
        named = [kind for kind in _KINDS if kind in self._written]
        others = [kind for kind in named if kind != "delay_ms"]
        if not named:
            raise ValueError(f"must say what goes wrong: {', '.join(f'`{kind}`' for kind in _KINDS)}")
        if len(others) > 1:
            raise ValueError(
                f"must say one thing that goes wrong, says {' and '.join(f'`{kind}`' for kind in others)}; "
                "only `delay_ms` goes with another"
            )
        return self

    @model_validator(mode="after")
    def _fits(self) -> Fault:
        if self.on == "model" and self.tool is not None:
            raise ValueError("`tool` goes with `on: tool` only")
        wrong = [kind for kind in (_OF_MODEL if self.on == "tool" else ("raise",)) if kind in self._written]
        if wrong:
            raise ValueError(f"`{wrong[0]}` does not go with `on: {self.on}`")
        if self.status is None and (self.headers or self.body is not None):
            raise ValueError("`headers` and `body` go with `status` only")
        return self

    @property
    def _written(self) -> set[str]:
        fields = type(self).model_fields
        return {
            fields[name].alias or name for name in self.model_fields_set if getattr(self, name) is not None
        }

    def __str__(self) -> str:
        kind = next((name for name in _KINDS if name in self._written), "")
        value = self.raised if kind == "raise" else getattr(self, kind, None)
        what = kind if value is True else f"{kind} {value}"
        return f"{what} on {self.call}"

    @property
    def call(self) -> str:
        """Which call it is about, for people; two faults of a scenario never name the same."""
        of = "model call" if self.on == "model" else f"call of {self.tool or 'a tool'}"
        return f"every {of}" if self.nth == "every" else f"{of} {self.nth}"
