"""How much each class of drift weighs, and what `[tool.kit.drift]` may say about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from kit.errors import ConfigError
from kit.scenario.tree import did_you_mean

DriftClass = Literal[
    "verdict",
    "trajectory",
    "tool_arguments",
    "prompt",
    "tool_schema",
    "final_answer",
    "cost",
    "latency",
]
Severity = Literal["info", "warn", "block"]

CLASSES: tuple[DriftClass, ...] = get_args(DriftClass)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
DEFAULTS: Mapping[DriftClass, Severity] = {
    "verdict": "block",
    "trajectory": "warn",
    "tool_arguments": "warn",
    "prompt": "warn",
    "tool_schema": "warn",
    "final_answer": "info",
    "cost": "info",
    "latency": "info",
}
"""A model words its answers anew at every recording, so an answer weighs little while its verdict holds."""

WHERE = "[tool.kit.drift]"


@dataclass(frozen=True, slots=True)
class Severities:
    """The severity of each class of drift.

    Attributes:
        changed: classes that weigh other than by default.
    """

    changed: Mapping[DriftClass, Severity] = field(default_factory=dict)

    def of(self, kind: DriftClass) -> Severity:
        """How much a difference of this class weighs."""
        return self.changed.get(kind, DEFAULTS[kind])


def parse_severities(table: Mapping[str, Any]) -> Severities:
    """The severities that a project configures, the others by default.

    Args:
        table: class of drift → `info`, `warn` or `block`; `tool-arguments` and `tool_arguments` are the same.

    Raises:
        ConfigError: an unknown class or severity.
    """
    changed: dict[DriftClass, Severity] = {}
    for key, value in table.items():
        kind = key.replace("-", "_").replace(" ", "_")
        if kind not in CLASSES:
            allowed = f"allowed: {', '.join(CLASSES)}"
            raise ConfigError(
                f"unknown class of drift `{key}`{did_you_mean(kind, CLASSES)}; {allowed}", where=WHERE
            )
        if value not in SEVERITIES:
            raise ConfigError(f"`{key}` must be info, warn or block, is `{value}`", where=WHERE)
        changed[kind] = value
    return Severities(changed)


def shown(kind: DriftClass) -> str:
    """A class of drift as people read it: `tool arguments`."""
    return kind.replace("_", " ")
