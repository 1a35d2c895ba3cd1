"""A conflict of git in a cassette, both sides in a few lines, and what to type."""

from __future__ import annotations

from collections.abc import Iterator

from kit.workflow.conflict import Conflict, Side
from kit.workflow.resolve import Resolved


def render(conflict: Conflict) -> str:
    """Both sides and the commands."""
    return "\n".join(_lines(conflict))


def render_resolved(done: Resolved) -> str:
    """What was staged and removed."""
    lines = [f"staged {path}" for path in done.staged] + [f"removed {path}" for path in done.removed]
    return "\n".join(lines) or "nothing was staged: the new recording ended in an error"


def _lines(conflict: Conflict) -> Iterator[str]:
    during = f" ({conflict.during})" if conflict.during else ""
    yield f"{conflict.path}: two branches recorded it{during}"
    if conflict.is_staged:
        yield "  `git add` staged ours without a choice: nobody looked at theirs"
    for side in (conflict.ours, conflict.theirs):
        yield from _side(side, conflict.during == "rebase")
    yield f"  differs: {conflict.difference}"
    command = f"kit cassette resolve {conflict.path}"
    yield f"  next: {command} --ours | --theirs | --record"


def _side(side: Side, is_rebase: bool) -> Iterator[str]:
    meaning = {"ours": "what you rebase onto", "theirs": "your own commit"}[side.name] if is_rebase else ""
    where = " · ".join(part for part in (meaning, side.commit or "") if part)
    yield f"  {side.name}{f' ({where})' if where else ''}"
    if side.cassette is None:
        yield f"    {side.problem}"
        return
    header = side.cassette.header
    calls = len(side.cassette.interactions)
    parts = [f"recorded {header.recorded}", f"{header.model or 'no model'}", f"{calls} calls"]
    parts += [f"verdict {header.verdict}"] if header.verdict else []
    parts += [f"commit {header.commit}"] if header.commit else []
    parts += ["edited by hand"] if side.cassette.edited else []
    yield f"    {', '.join(parts)}"
