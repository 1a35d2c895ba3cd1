"""A suite: a folder of scenarios with a vocabulary of its own (decision 18)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict

from kit.scenario.expected import Bool, Natural, Pattern, Strictly, Text, Texts, Usd, micro_usd

OUTCOMES = ("success", "refused", "needs_approval", "error_handled", "failure")
"""The outcomes that kit derives from events (decision 19)."""


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
        time_limit_s: real seconds that one run may take; None is no limit.
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
    time_limit_s: Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False)] | None = None

    @property
    def cost_max_micro_usd(self) -> int | None:
        """The cost limit in whole micro-USD."""
        return micro_usd(self.cost_max_usd)
