"""Tools that a run must leave alone."""

from __future__ import annotations

from collections.abc import Callable

from kit.oracle.tools_not_called import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, RequestedCall, Step


def test_one_finding_a_tool(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """The tool that was called fails, the other holds."""
    wanted = scenario(tools_not_called=["shell", "fs_write"])
    shell, write = findings(wanted, trace(call("fs_read"), call("shell", command="rm"), call("shell")))
    assert (shell.ok, shell.reason, shell.step) == (
        False,
        "tools_not_called: shell was called (steps 1, 2)",
        1,
    )
    assert (write.ok, write.reason, write.step) == (True, "tools_not_called: fs_write was not called", None)


def test_a_call_that_was_never_made_does_not_count(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """What a model asks for and a policy blocks has not occurred."""
    asked = Step(0, "model_call", requested=(RequestedCall("1", "shell", {}, "{}"),))
    [finding] = findings(scenario(tools_not_called=["shell"]), trace(asked))
    assert finding.ok


def test_not_stated(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """A condition that is not stated gives no finding."""
    assert not list(findings(scenario(), trace(call("shell"))))
