"""What came over from recordings of other kits, and what went out to them."""

from __future__ import annotations

from collections.abc import Iterator

from kit.report.figures import plural
from kit.workflow.exporting import Exported
from kit.workflow.importing import Imported, ImportResult

_NOTICES = 5
"""Notices of one file that are shown without `verbose`."""


def render_import(done: ImportResult, *, verbose: bool = False) -> str:
    """One line a file with its notices below, and the sum of many."""
    lines = [line for one in done.files for line in _file(one, verbose=verbose)]
    if len(done.files) > 1:
        lines += ["", _sum(done)]
    return "\n".join(lines)


def _file(one: Imported, *, verbose: bool) -> Iterator[str]:
    if one.problem is not None:
        first, *rest = str(one.problem).splitlines()
        named = first if str(one.source) in first else f"{one.source}: {first}"
        yield f"not imported  {named}"
        yield from rest
        return
    yield (
        f"imported {one.path}: {plural(one.exchanges, 'exchange')}, {one.model_calls} of a model; "
        f"{_size(one.source_bytes)} → {_size(one.bytes)}"
    )
    shown = one.notices if verbose else one.notices[:_NOTICES]
    yield from (f"  {notice}" for notice in shown)
    if len(shown) < len(one.notices):
        yield f"  and {plural(len(one.notices) - len(shown), 'notice')} more (--verbose shows them)"


def _sum(done: ImportResult) -> str:
    whole = [one for one in done.files if one.problem is None]
    exchanges, calls = sum(one.exchanges for one in whole), sum(one.model_calls for one in whole)
    before, after = sum(one.source_bytes for one in whole), sum(one.bytes for one in whole)
    text = (
        f"imported {len(whole)} of {plural(len(done.files), 'file')}: {plural(exchanges, 'exchange')}, "
        f"{calls} of a model; {_size(before)} → {_size(after)}"
    )
    failed = len(done.files) - len(whole)
    return f"{text}; {failed} could not be read" if failed else text


def render_export(done: Exported) -> str:
    """Where it stands, and what vcrpy's layout cannot say."""
    lines = [f"exported {done.path}: {plural(done.exchanges, 'exchange')}"]
    return "\n".join([*lines, *(f"  {notice}" for notice in done.notices)])


def _size(count: int) -> str:
    return f"{count} B" if count < 10_000 else f"{count / 1000:.0f} kB"
