"""The home agent of S2: a tool loop over chat completions, `kit.agents.home:agent`."""

from __future__ import annotations

from kit.agents.home.loop import agent

__all__ = ["agent"]
