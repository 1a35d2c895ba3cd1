"""Which runs of a replay have no cassette, and what recording them would cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kit.baseline.accepted import CellId
from kit.harness.plan import Cell
from kit.harness.unrecorded import Unrecorded, estimate
from kit.oracle.result import OracleResult
from kit.trace.prices import STUBS, price_table
from kit.workflow.project import Project

Members = Sequence[tuple[Cell, OracleResult]]


def unrecorded(
    project: Project, key: tuple[str, str], groups: Mapping[tuple[str, str], Members]
) -> Unrecorded | None:
    """What is missing of one suite and model; None where all of it is recorded.

    Args:
        project: whose cassettes and prices.
        key: suite and model.
        groups: cells and results of the whole replay, by suite and model.
    """
    suite, model = key
    missing = [
        str(CellId.of(result))
        for cell, result in groups[key]
        if result.verdict == "error" and not cell.recording(project.root).exists()
    ]
    if not missing:
        return None
    # What a scripted model counts says nothing about a real one.
    others = (
        members
        for (where, other), members in groups.items()
        if where == suite and other != model and other not in STUBS
    )
    price = price_table(project.settings.price_table()).price(model)
    return estimate(missing, _results([groups[key]]), _results(others), price)


def _results(groups: Iterable[Members]) -> list[OracleResult]:
    return [result for members in groups for _, result in members]
