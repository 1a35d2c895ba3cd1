"""Record an LLM agent once against a real model; replay, judge and gate it for ever, offline and for free.

Names are handed on lazily, so that `import kit` and `kit --help` import next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kit.agent.protocol import Agent, Message, ModelEndpoint, Reply, Turn, Workspace
    from kit.agent.record_tools import record_tools
    from kit.agent.tool import tool
    from kit.errors import KitError, Miss, SideEffect
    from kit.harness.contract import EvalHarness, Oracle
    from kit.harness.eval_report import EvalReport
    from kit.oracle.result import OracleResult
    from kit.scenario.schema import Scenario
    from kit.trace.trace import ExecutionTrace
    from kit.workflow.local import LocalHarness

__version__ = "0.1.0"

_HOME = {
    "Agent": "kit.agent.protocol",
    "EvalHarness": "kit.harness.contract",
    "EvalReport": "kit.harness.eval_report",
    "ExecutionTrace": "kit.trace.trace",
    "KitError": "kit.errors",
    "LocalHarness": "kit.workflow.local",
    "Message": "kit.agent.protocol",
    "Miss": "kit.errors",
    "ModelEndpoint": "kit.agent.protocol",
    "Oracle": "kit.harness.contract",
    "OracleResult": "kit.oracle.result",
    "Reply": "kit.agent.protocol",
    "Scenario": "kit.scenario.schema",
    "SideEffect": "kit.errors",
    "Turn": "kit.agent.protocol",
    "Workspace": "kit.agent.protocol",
    "record_tools": "kit.agent.record_tools",
    "tool": "kit.agent.tool",
}

__all__ = [
    "Agent",
    "EvalHarness",
    "EvalReport",
    "ExecutionTrace",
    "KitError",
    "LocalHarness",
    "Message",
    "Miss",
    "ModelEndpoint",
    "Oracle",
    "OracleResult",
    "Reply",
    "Scenario",
    "SideEffect",
    "Turn",
    "Workspace",
    "__version__",
    "record_tools",
    "tool",
]


if not TYPE_CHECKING:  # a checker that saw this would take every misspelt name for one of kit's

    def __getattr__(name: str) -> Any:
        """Import the module behind a public name at its first use."""
        if name not in _HOME:
            msg = f"module 'kit' has no attribute {name!r}"
            raise AttributeError(msg)
        return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
