"""What recovering gave, for the terminal."""

from __future__ import annotations

from kit.workflow.recovering import Recovered, Recovery, calls_text


def render_recovery(recovery: Recovery) -> str:
    """A line for each recording that was left."""
    return "\n".join(map(_line, recovery.found)) or "nothing was left: every recording is in its cassette"


def _line(one: Recovered) -> str:
    if one.path is None:
        return f"still left: {one.why}"
    why = f" ({one.why})" if one.why else ""
    return f"recovered {one.path}: {calls_text(one.interactions)}{why}"
