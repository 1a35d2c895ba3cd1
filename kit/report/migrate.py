"""What migrating recordings changes, for a person."""

from __future__ import annotations

from collections.abc import Iterator

from kit.report.figures import plural
from kit.workflow.migrate import Edit, Migrated

_SHOWN = 3


def render_migrated(migrated: Migrated) -> str:
    """Each edited place once, what cannot be migrated, and what to type next."""
    lines = [line for edit in migrated.edits for line in _edit(edit)]
    for path, why in migrated.refused:
        first, *rest = why.splitlines()
        lines += [f"cannot be migrated: {path}", f"  {first}", *(f"  {line}" for line in rest)]
    return "\n".join([*lines, *_summary(migrated)])


def _edit(edit: Edit) -> Iterator[str]:
    count = len(edit.paths)
    yield f"{edit.change}: {edit.difference.path}  (in {plural(count, 'recording')})"
    yield f"  recorded  {edit.difference.old}"
    yield f"  now       {edit.difference.new}"
    named = ", ".join(str(path) for path in edit.paths[:_SHOWN])
    yield f"  in        {named}{f' and {count - _SHOWN} more' if count > _SHOWN else ''}"
    yield ""


def _summary(migrated: Migrated) -> Iterator[str]:
    count = len(migrated.paths)
    total = count + len(migrated.refused) + migrated.unchanged
    if not count and migrated.refused:
        yield f"{len(migrated.refused)}/{total} recordings cannot be migrated; nothing is written"
        return
    if not count:
        yield f"nothing to migrate: {migrated.unchanged}/{total} recordings are as the agent asks today"
        return
    if migrated.is_written:
        yield f"migrated {count}/{total} recordings; they hold until {migrated.expires}"
        yield "  their answers were given to the requests before: the gate warns, and no floor counts them"
        yield f"  next: {'; '.join(migrated.anew)}"
        return
    yield f"{count}/{total} recordings can be migrated, until {migrated.expires}; nothing is written yet"
    yield f"  next: the same command with --yes, or record anew: {'; '.join(migrated.anew)}"
