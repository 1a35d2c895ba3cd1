"""What a guard thinks of one operation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An operation that replay stops.

    Attributes:
        act: what the program would do, after «would»: `write /etc/motd`.
        rule: the rule of `[tool.kit.replay] allow` that lets it pass.
    """

    act: str
    rule: str
