"""Compare two sets of runs: same cells side by side, every difference classed and weighed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kit.baseline.accepted import CellId
from kit.baseline.drift import Drift, drift
from kit.baseline.severity import parse_severities
from kit.errors import EXIT_BLOCKED, EXIT_OK, UsageError
from kit.workflow.project import Project
from kit.workflow.source import Source, find_source, of_model


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """One cell of both sides.

    Attributes:
        before: the cell of the first side.
        after: of the second; another model or variant where these are compared.
        drift: what differs.
    """

    before: CellId
    after: CellId
    drift: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing gave.

    Attributes:
        before: what the first side is.
        after: what the second side is.
        cells: those that both have, in order.
        only_before: cells of compared suites and models that the second side does not have.
        only_after: the same of the second side.
        exit_code: 1 where any difference weighs `block`.
    """

    before: str
    after: str
    cells: tuple[ComparedCell, ...]
    only_before: tuple[CellId, ...]
    only_after: tuple[CellId, ...]
    exit_code: int


def diff(project: Project, sources: tuple[str, ...], models: tuple[str, ...]) -> Comparison:
    """Compare what two words mean.

    Args:
        project: where they are looked for.
        sources: two; one is compared with `last`, none compares `baseline` with `last`.
        models: two instead of sources compare two models, one with sources leaves the other models out.

    Raises:
        UsageError: a word means nothing, there are too many, or both sides have no cell in common.
        ConfigError: `[tool.kit.drift]` is wrong.
    """
    severities = parse_severities(project.settings.drift)
    before, after = _sides(project, sources, models)
    pairs, only_before, only_after = _paired(before, after)
    cells = tuple(
        ComparedCell(one, other, drift(before.runs[one], after.runs[other], severities))
        for one, other in pairs
    )
    blocks = any(found.severity == "block" for cell in cells for found in cell.drift)
    exit_code = EXIT_BLOCKED if blocks else EXIT_OK
    return Comparison(before.name, after.name, cells, only_before, only_after, exit_code)


def _sides(project: Project, sources: tuple[str, ...], models: tuple[str, ...]) -> tuple[Source, Source]:
    if len(models) == 2 and not sources:
        sources, models = models, ()
    if len(sources) > 2 or len(models) > 1:
        raise UsageError(
            "a comparison has two sides",
            next_command="kit diff A B, kit diff --model A --model B, or kit diff A B --model ONLY",
        )
    named = {0: ("baseline", "last"), 1: (*sources, "last"), 2: sources}[len(sources)]
    before, after = (find_source(project, text) for text in named)
    if models:
        before, after = of_model(before, models[0]), of_model(after, models[0])
    return before, after


_Pairs = tuple[tuple[tuple[CellId, CellId], ...], tuple[CellId, ...], tuple[CellId, ...]]


def _paired(before: Source, after: Source) -> _Pairs:
    if len(before.runs) == len(after.runs) == 1:
        return tuple(zip(before.runs, after.runs, strict=True)), (), ()
    shared = _what_is_shared(before, after)
    one = {shared(cell): cell for cell in before.runs}
    other = {shared(cell): cell for cell in after.runs}
    pairs = tuple((one[key], other[key]) for key in sorted(one) if key in other)
    if not pairs:
        raise UsageError(
            "both sides have no scenario in common",
            why=f"{before.name} has {_subjects(before)}; {after.name} has {_subjects(after)}",
        )
    subjects = {(key.suite, key.model) for key in one.keys() & other.keys()}
    return pairs, _rest(one, other, subjects), _rest(other, one, subjects)


def _rest(
    one: dict[CellId, CellId], other: dict[CellId, CellId], subjects: set[tuple[str, str]]
) -> tuple[CellId, ...]:
    return tuple(one[key] for key in sorted(one.keys() - other.keys()) if (key.suite, key.model) in subjects)


def _what_is_shared(before: Source, after: Source) -> Callable[[CellId], CellId]:
    """Cells without what the two sides are there to compare: their model, or their variant."""
    models = [{cell.model for cell in side.runs} for side in (before, after)]
    variants = [{cell.variant for cell in side.runs} for side in (before, after)]
    is_swap = all(len(names) == 1 for names in models) and models[0] != models[1]
    is_varied = all(len(names) == 1 for names in variants) and variants[0] != variants[1]

    def shared(cell: CellId) -> CellId:
        return replace(cell, model="" if is_swap else cell.model, variant="" if is_varied else cell.variant)

    return shared


def _subjects(source: Source) -> str:
    return ", ".join(dict.fromkeys(f"{cell.suite} on {cell.model}" for cell in source.runs))
