"""The protocols of S2.H are those of the source, and kit's own harness is one of them."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

from kit.harness.contract import EvalHarness, Oracle
from kit.oracle.result import OracleResult
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace
from kit.workflow.local import LocalHarness
from tests.builders import result, scenario, trace


def test_harness_has_the_signature_of_the_source() -> None:
    """S2-41: scenarios, mode with default replay, baseline with default None; both methods are awaited."""
    run = inspect.signature(EvalHarness.run).parameters
    assert list(run) == ["self", "scenarios", "mode", "baseline"]
    assert (run["mode"].default, run["baseline"].default) == ("replay", None)
    one = inspect.signature(EvalHarness.run_one).parameters
    assert list(one) == ["self", "scenario", "mode"]
    assert inspect.iscoroutinefunction(EvalHarness.run)
    assert inspect.iscoroutinefunction(EvalHarness.run_one)


def test_local_harness_follows_it(tmp_path: Path) -> None:
    """What kit ships can be used wherever the protocol is asked for."""
    harness: EvalHarness = LocalHarness(start=tmp_path)
    for name in ("run", "run_one"):
        theirs = inspect.signature(getattr(EvalHarness, name)).parameters
        assert list(inspect.signature(getattr(type(harness), name)).parameters) == list(theirs)


def test_oracle_is_a_protocol_that_a_user_can_fulfil() -> None:
    """S2-42: a class with one awaited method is an oracle; nothing has to be inherited."""

    class Lenient:
        async def evaluate(self, scenario: Scenario, trace: ExecutionTrace) -> OracleResult:
            return result(identifier=scenario.id)

    oracle: Oracle = Lenient()
    found = asyncio.run(oracle.evaluate(scenario("002_y"), trace()))
    assert found.scenario_id == "002_y"
