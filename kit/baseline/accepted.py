"""What was accepted of one cell: a verdict that somebody answers for, and what the run took."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, Strict, model_validator

from kit.oracle.result import OracleResult
from kit.scenario.expected import Natural, Strictly, Text

SCHEMA_VERSION: Literal[1] = 1


def _is_date(text: str) -> str:
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"must be a date such as 2026-11-29, is `{text}`") from None


Date = Annotated[str, Strict(), AfterValidator(_is_date)]


@dataclass(frozen=True, slots=True, order=True)
class CellId:
    """Names one cell; results and baselines of the same cell are compared.

    Attributes:
        suite: name of the suite.
        model: tag of the model.
        scenario: id of the scenario.
        variant: named change of set-up, empty for the plain run.
        replicate: 1-based.
    """

    suite: str
    model: str
    scenario: str
    variant: str = ""
    replicate: int = 1

    @classmethod
    def of(cls, result: OracleResult) -> CellId:
        """The cell that a result is about."""
        return cls(result.suite, result.model, result.scenario_id, result.variant or "", result.replicate)

    def __str__(self) -> str:
        """The cell as a person names it: `001_x`, `001_x.terse`, `001_x@2`."""
        variant = f".{self.variant}" if self.variant else ""
        return f"{self.scenario}{variant}{f'@{self.replicate}' if self.replicate != 1 else ''}"


class Metrics(Strictly):
    """What the run took; None is «nobody knows» and is written out (X-05).

    Attributes:
        cost_micro_usd: recorded cost in integer micro-USD.
        latency_ms: recorded latency in integer ms.
    """

    cost_micro_usd: Natural | None
    latency_ms: Natural | None


class Acceptance(Strictly):
    """Who took responsibility, when and why.

    Attributes:
        reason: why this is right, one sentence.
        owner: who says so.
        date: when, ISO 8601.
    """

    reason: Text
    owner: Text
    date: Date


class Accepted(Strictly):
    """One baseline file.

    Attributes:
        schema_version: of this form.
        suite: name of the suite.
        model: tag of the model, as it is written everywhere but in paths.
        scenario: id of the scenario.
        variant: named change of set-up, None for the plain run.
        replicate: 1-based.
        verdict: pass or fail; an error says nothing about an agent and cannot be accepted.
        outcome: how the run ended (decision 19).
        failures: every condition that did not hold, a sentence each.
        metrics: cost and latency.
        accepted: who, when and why.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    suite: Text
    model: Text
    scenario: Text
    variant: Text | None = None
    replicate: Annotated[int, Strict(), Field(ge=1)] = 1
    verdict: Literal["pass", "fail"]
    outcome: Text | None
    failures: tuple[Text, ...] = ()
    metrics: Metrics
    accepted: Acceptance

    @model_validator(mode="after")
    def _verdict_and_failures_agree(self) -> Accepted:
        if (self.verdict == "pass") != (self.failures == ()):
            raise ValueError("`verdict` is `pass` exactly where `failures` is empty")
        return self

    @property
    def cell(self) -> CellId:
        """What was accepted."""
        return CellId(self.suite, self.model, self.scenario, self.variant or "", self.replicate)

    def same_facts(self, other: Accepted) -> bool:
        """Whether both say the same of the run, whoever accepted it and why."""
        return self.model_copy(update={"accepted": other.accepted}) == other


def accept(result: OracleResult, acceptance: Acceptance) -> Accepted:
    """The baseline that a result makes.

    Raises:
        ValueError: the verdict is neither pass nor fail.
    """
    if result.verdict not in {"pass", "fail"}:
        msg = f"a verdict `{result.verdict}` says nothing about the agent and cannot be accepted"
        raise ValueError(msg)
    return Accepted.model_validate(
        {
            "suite": result.suite,
            "model": result.model,
            "scenario": result.scenario_id,
            "variant": result.variant,
            "replicate": result.replicate,
            "verdict": result.verdict,
            "outcome": result.outcome,
            "failures": tuple(map(_printable, result.failures)),
            "metrics": {"cost_micro_usd": result.cost_micro_usd, "latency_ms": result.latency_ms},
            "accepted": acceptance,
        }
    )


def _printable(text: str) -> str:
    """A text that UTF-8 can hold: what a model says may hold half a character."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
