"""A bug of kit that one cell meets is told and kept, and costs the other cells nothing (S2-44)."""

from __future__ import annotations

import traceback
from pathlib import Path

import kit


def report_bug(bug: Exception, target: Path, shown: str) -> str:
    """Write the traceback; what the cell's result says.

    Args:
        bug: what was raised.
        target: file for the traceback; its folder is made.
        shown: the file's name for a person.
    """
    text = "".join(traceback.format_exception(bug))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"kit {kit.__version__}\n\n{text}", encoding="utf-8", errors="backslashreplace")
    return (
        f"a bug in kit, not in your agent: {type(bug).__name__}: {bug}\n"
        f"  next: report it with {shown} attached"
    )
