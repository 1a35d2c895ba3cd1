"""The verdict of one run (S2-39), in the form that reports, baselines and gates share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

Verdict = Literal["pass", "fail", "error", "skip"]


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


Printable = Annotated[str, AfterValidator(_printable)]
"""A text that UTF-8 can hold: it may quote a model, and what a model says may hold half a character."""


class FindingRecord(BaseModel):
    """One condition's outcome, as a report keeps it: the fields of `finding.Finding`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    oracle: str
    ok: bool
    reason: Printable
    step: int | None = None


class DifferenceRecord(BaseModel):
    """One place of a request that differs: the fields of `differences.Difference`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    old: Printable
    new: Printable


class DivergenceRecord(BaseModel):
    """A request that got the recorded answer to another: the fields of `divergence.Divergence`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    interaction: int
    changes: tuple[str, ...]
    differences: tuple[DifferenceRecord, ...]


class Conditional(BaseModel):
    """What holds only if the model would answer the changed requests as it did the old ones (decision 6).

    Attributes:
        divergences: every changed request, in the order they were made.
        findings: what the oracles say of that run; no verdict is made of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    divergences: tuple[DivergenceRecord, ...]
    findings: tuple[FindingRecord, ...] = ()


class OracleResult(BaseModel):
    """What all conditions of a scenario said of one run.

    Attributes:
        scenario_id: id of the scenario.
        passed: every condition holds (`verdict == "pass"`, decision 13).
        failures: every unsatisfied condition, a sentence each (S2-44).
        trace_path: the trace, relative to the report folder.
        cost_usd: recorded cost; None where a price is unknown (X-05).
        latency_ms: recorded latency on the run's virtual clock, integer ms.
        verdict: pass, fail, error or skip.
        suite: the scenario's suite.
        category: the scenario's category.
        model: tag of the model under test.
        replicate: 1-based.
        variant: named change of set-up, None for the plain run.
        outcome: how the run ended (decision 19); None where there was no run.
        cost_micro_usd: the same cost in integer micro-USD, which is what everything is compared in.
        findings: every condition, satisfied or not.
        errors: why the verdict is `error`, a text each, as written for a person.
        exit_code: what the errors stand for (3 cassette, 4 environment, 2 configuration); 0 without errors.
        notices: things worth knowing that change no verdict.
        model_calls: number of model calls in the run, without those that an injected fault came instead of.
        tool_calls: number of tool calls in the run, counted in the same way.
        conditional: what else the run showed, where only a prompt, tools or parameters changed since it was
            recorded; the verdict is `error` then.
        prompt_tokens: that the model read in the run; None where it did not count them.
        completion_tokens: that the model wrote in the run; None where it did not count them.
        judgement: the verdict that an agent gave which judges; None without one.
        ending: what an agent which judges said last, where it gave no verdict.
        failure: how the agent itself failed; None where it came to its end.
        unusable_output: what a server said of an answer of its model that it could not read, where the run
            ended with it; None where it did not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario_id: str
    passed: bool
    failures: tuple[Printable, ...] = ()
    trace_path: Path
    cost_usd: float | None = None
    latency_ms: int | None = None
    verdict: Verdict
    suite: str
    category: str
    model: str
    replicate: int = 1
    variant: str | None = None
    outcome: str | None = None
    cost_micro_usd: int | None = None
    findings: tuple[FindingRecord, ...] = ()
    errors: tuple[Printable, ...] = ()
    exit_code: int = 0
    notices: tuple[Printable, ...] = ()
    model_calls: int = 0
    tool_calls: int = 0
    conditional: Conditional | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    judgement: str | None = None
    ending: Printable | None = None
    failure: Printable | None = None
    unusable_output: Printable | None = None
