"""Every condition of a scenario, judged on one trace (S2-18, S2-44)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from kit.errors import EXIT_BUG, KitError, ReplayStop
from kit.oracle import (
    approvals,
    cost,
    critic,
    files,
    final_response,
    judgement,
    latency,
    memory,
    outcome,
    tools_called,
    tools_not_called,
)
from kit.oracle import partial as agent_partial
from kit.oracle.critic import Judge
from kit.oracle.finding import Finding, OracleCrash
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite
from kit.trace.trace import ExecutionTrace

Oracle = Callable[[Scenario, ExecutionTrace], Iterator[Finding]]

ORACLES: tuple[tuple[str, Oracle], ...] = (
    (outcome.ORACLE, outcome.findings),
    (approvals.ORACLE, approvals.findings),
    (tools_called.ORACLE, tools_called.findings),
    (tools_not_called.ORACLE, tools_not_called.findings),
    (final_response.ORACLE, final_response.findings),
    (agent_partial.ORACLE, agent_partial.findings),
    (files.ORACLE, files.findings),
    (memory.ORACLE, memory.findings),
    (cost.ORACLE, cost.findings),
    (latency.ORACLE, latency.findings),
)
"""Every oracle that needs no model, in the order in which findings are listed; an agent's verdict
comes before them, the judge after them."""


def check(
    scenario: Scenario, trace: ExecutionTrace, judge: Judge, *, suite: Suite | None = None
) -> tuple[Finding, ...]:
    """Judge every stated condition, whatever the others said; one that is not stated gives no finding.

    An oracle that crashes gives an `OracleCrash` in its place and the others go on: a broken check is an
    error, and nothing that it would have said is blamed on the agent (decision 13). The same holds for a
    judge whose answer was never recorded or whose server is away.

    Args:
        scenario: whose `expected` and conversation state the conditions.
        trace: the run.
        judge: asked once for an `llm_critic`, never otherwise.
        suite: whose limits on cost and latency hold where the scenario states none.
    """
    limited = scenario if suite is None else _with_limits(scenario, suite)
    judging = suite.judging if suite is not None else None
    verdict: tuple[str, Oracle] = (judgement.ORACLE, partial(judgement.findings, judging=judging))
    critique: tuple[str, Oracle] = (critic.ORACLE, partial(critic.findings, judge=judge))
    found: list[Finding] = []
    for name, oracle in (verdict, *ORACLES, critique):
        try:
            # Not a comprehension: what an oracle found before it crashed stays found.
            for finding in oracle(limited, trace):
                found.append(finding)  # noqa: PERF402
        except (Exception, ReplayStop) as error:  # noqa: BLE001 - a broken oracle must not end the others
            found.append(_crash(name, error))
    return tuple(found)


def _with_limits(scenario: Scenario, suite: Suite) -> Scenario:
    expected = scenario.expected
    limits = {
        name: getattr(suite, name)
        for name in ("cost_max_usd", "latency_max_ms")
        if getattr(expected, name) is None
    }
    return scenario.model_copy(update={"expected": expected.model_copy(update=limits)})


def _crash(oracle: str, error: BaseException) -> OracleCrash:
    known = isinstance(error, KitError | ReplayStop)
    what = str(error) if known else f"{type(error).__name__}: {error}"
    exit_code = error.exit_code if isinstance(error, KitError | ReplayStop) else EXIT_BUG
    return OracleCrash(oracle, ok=False, reason=f"{oracle} could not be judged: {what}", exit_code=exit_code)
