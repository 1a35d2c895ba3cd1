"""Whether an executed tool still gives what was recorded."""

from __future__ import annotations

from typing import Any

from kit.cassette.interaction import ToolResponse


def tool_drift(name: str, number: int, recorded: ToolResponse, executed: ToolResponse) -> str | None:
    """What to tell of an executed tool whose result is not the recorded one; None where it is.

    Args:
        name: of the tool.
        number: of the recorded interaction.
        recorded: its response.
        executed: what the tool gave now, scrubbed like a recorded one.
    """
    old, new = _said(recorded), _said(executed)
    if old == new and (recorded.failure is None) == (executed.failure is None):
        return None
    return (
        f"tool {name} (interaction {number}) gave another result than recorded\n"
        f"  recorded: {old!r}\n  now:      {new!r}"
    )


def _said(response: ToolResponse) -> Any:
    return response.result if response.failure is None else response.failure
