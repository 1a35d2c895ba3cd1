"""A suite: a folder of scenarios with a vocabulary of its own (decision 18)."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, Strict

from kit.scenario.expected import Bool, Natural, Pattern, Strictly, Text, Texts, Usd, micro_usd

OUTCOMES = ("success", "refused", "needs_approval", "error_handled", "failure")
"""The outcomes that kit derives from events (decision 19)."""


def _limit(value: Any) -> Any:
    """`none` is no limit: the model keeps it as infinity, which nobody can write by accident."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be a number of seconds, or `none` for no limit")
    return math.inf if value == "none" else value


class Sampling(Strictly):
    """How the runs of a suite sample, whatever a model's own settings say (decision 21).

    Attributes:
        temperature: above 0 where replicates shall differ; None leaves it to the model's settings.
        max_tokens: limit of one answer; None leaves it to the model's settings.
    """

    temperature: Annotated[float, Strict(), Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    max_tokens: Annotated[int, Strict(), Field(ge=1)] | None = None


class Judging(Strictly):
    """How an agent that judges says its verdict.

    Attributes:
        tool: the tool it calls; its argument `verdict` is the verdict, and a call that failed gave none.
        values: the verdicts there are.
    """

    tool: Text
    values: Texts


class Suite(Strictly):
    """What `suite.yaml` says; its name is the folder's.

    Attributes:
        name: the folder's name.
        description: one sentence for reports.
        categories: the categories a scenario may have.
        outcomes: the outcomes a scenario may expect.
        id_pattern: what an id must match as a whole.
        agent: `package.module:function`; the command line wins over it, `[tool.kit]` does not.
        default: whether `kit replay` and `kit record` take the suite when no scenario is named.
        cost_max_usd: limit for scenarios that set none.
        latency_max_ms: limit for scenarios that set none.
        time_limit_s: real seconds that one run may take; None is the project's limit, `none` no limit at
            all, on a run or on one answer of the model.
        expires_days: how long a recording of the suite holds, instead of the project's own limit.
        sampling: how its runs sample.
        judging: how the agent says a verdict, for suites whose scenarios expect one.
    """

    name: Text
    description: Text
    categories: Texts
    outcomes: Texts = OUTCOMES
    id_pattern: Pattern = r"\d{3}_[a-z0-9_]+"
    agent: Text | None = None
    default: Bool = True
    cost_max_usd: Usd | None = None
    latency_max_ms: Natural | None = None
    time_limit_s: Annotated[float, BeforeValidator(_limit), Strict(), Field(gt=0)] | None = None
    expires_days: Annotated[int, Strict(), Field(ge=1)] | None = None
    sampling: Sampling = Sampling()
    judging: Judging | None = None

    def limit_s(self, standard: float) -> float | None:
        """Real seconds of one run; `standard` is the project's; None is no limit."""
        return None if self.is_endless else self.time_limit_s or standard

    @property
    def is_endless(self) -> bool:
        """Whether a run takes the time that it takes (S4-29)."""
        return self.time_limit_s == math.inf

    @property
    def cost_max_micro_usd(self) -> int | None:
        """The cost limit in whole micro-USD."""
        return micro_usd(self.cost_max_usd)
