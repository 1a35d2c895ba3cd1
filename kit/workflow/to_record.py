"""Which runs a recording does: all that are selected, or those that something speaks against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kit.cassette.header import Header
from kit.cassette.paths import partial_path
from kit.cassette.peek import peek
from kit.errors import CassetteMissing
from kit.harness.plan import Cell, Samples, cells_to_record, cells_to_replay
from kit.harness.recorded import read_recorded
from kit.harness.staleness import recorded_at, staleness
from kit.scenario.select import Selected
from kit.workflow.last_results import LastResult, last_results
from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a run is recorded; each is enough, and without any all that is selected is recorded.

    Attributes:
        missing: it has no cassette.
        stale: its inputs changed, it expired, it was keyed by an older rule, or its last replay missed.
        failed: its last verdict was fail or error.
    """

    missing: bool = False
    stale: bool = False
    failed: bool = False

    def __bool__(self) -> bool:
        return self.missing or self.stale or self.failed

    def nothing(self) -> str:
        """What to say where no run has any of them."""
        if not (self.stale or self.failed):
            return "nothing to record: every selected scenario has a cassette"
        named = [name for name in ("missing", "stale", "failed") if getattr(self, name)]
        return f"nothing to record: no selected run is {' or '.join(named)}"


NO_REASONS = Reasons()


def chosen(
    project: Project,
    selected: Sequence[Selected],
    reasons: Reasons,
    *,
    replicates: int = 1,
    samples: Samples | None = None,
) -> tuple[Cell, ...]:
    """The runs to record, in order of suite and scenario.

    Args:
        project: whose recordings, for the model of its settings.
        selected: the scenarios.
        reasons: narrows them down.
        replicates: how many samples of each.
        samples: by a scenario's file, the samples that were named.

    Raises:
        UsageError: a variant is named.
        CassetteInvalid: what is stale or failed is asked, and a recording that is there cannot be read.
    """
    root, model = project.root, project.settings.model
    planned = cells_to_record(selected, model, root, replicates=replicates, samples=samples)
    if not reasons:
        return planned
    try:
        recorded = cells_to_replay(selected, model, root, samples=samples)
    except CassetteMissing:
        recorded = ()
    # Samples beyond those asked for are stale or failed like the others, and never missing.
    every = {cell.key: cell for cell in (*planned, *recorded)}
    wanted = {cell.key for cell in planned} if reasons.missing else set()
    order = [item.path for item in selected]
    cells = sorted(every.values(), key=lambda cell: (order.index(cell.selected.path), cell.replicate))
    last = last_results(project, cells) if reasons.stale or reasons.failed else {}
    return tuple(
        cell
        for cell in cells
        if (cell.key in wanted and not cell.cassette(root).exists())
        or any(_speaks_against(project, cell, reasons, last.get(cell.key)))
    )


def _speaks_against(
    project: Project, cell: Cell, reasons: Reasons, last: LastResult | None
) -> Iterator[bool]:
    path = cell.cassette(project.root)
    header = _header(path, cell, project) if reasons.stale or reasons.failed else None
    if reasons.failed:
        # An attempt that ended in an error lies beside the recording; a miss of what was never recorded is
        # nobody's failure.
        yield partial_path(path).exists()
        yield header is None and not path.exists() and last is not None and last.mode == "live"
    if header is None:
        return
    now = last if last is not None and _is_newer(last, header) else None
    if reasons.failed:
        yield (now.verdict if now else header.verdict) in {"fail", "error"}
    if reasons.stale:
        yield now is not None and now.is_miss
        yield bool(staleness(header, cell, project.settings).reasons)


def _header(path: Path, cell: Cell, project: Project) -> Header | None:
    """None where nothing is recorded; of what nobody can read, nobody can say that it holds."""
    header = peek(path)
    if header is None and path.exists():
        command = f"kit record --model {cell.model} {cell.address}"
        return read_recorded(path, project.root, command).header
    return header


def _is_newer(last: LastResult, header: Header) -> bool:
    """A result is about the recording that lies there now only if it came after it."""
    return last.at >= recorded_at(header)
