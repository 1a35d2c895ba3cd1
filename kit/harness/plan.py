"""Which runs a command means: scenarios times models times replicates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.cassette.paths import FOLDER, JUDGE_SUFFIX, cassette_path, file_name
from kit.cassette.peek import peek, recorded_model
from kit.errors import CassetteMissing, UsageError
from kit.harness.leaving import leave_command
from kit.scenario.select import Selected

DEFAULT_MODEL = "gpt-oss:20b"
Samples = Mapping[Path, Sequence[tuple[str | None, int | None]]]
"""By a scenario's file: variant (None is the plain run) and sample (None is each that is recorded)."""

_REPLICATE = re.compile(r"(?P<scenario>[^.@]+)(?:\.(?P<variant>[^@]+))?(?:@(?P<number>\d+))?\Z")


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a live run begins in an earlier one.

    Attributes:
        source: the cassette that is left.
        until: number of the last call that is served from it; 0 serves none.
        faults: injected on top of the scenario's own, as a scenario file writes them.
    """

    source: Path
    until: int
    faults: tuple[Mapping[str, Any], ...] = ()

    def told(self, root: Path) -> dict[str, Any]:
        """What the header of the new cassette says of it."""
        named = {"of": self.source.relative_to(root).as_posix(), "until": self.until}
        return named | ({"faults": [dict(fault) for fault in self.faults]} if self.faults else {})


@dataclass(frozen=True, slots=True)
class Cell:
    """One run to do: one scenario on one model, n-th time.

    Attributes:
        selected: scenario, its suite and file.
        model: tag of the model under test.
        replicate: 1-based; also the seed (decision 21).
        variant: named change of set-up, None for the plain run.
        fork: the recording that a live run leaves at some call; None for a run of its own.
    """

    selected: Selected
    model: str
    replicate: int = 1
    variant: str | None = None
    fork: Fork | None = None

    @property
    def name(self) -> str:
        """`suite/scenario.variant@2 on model`, for messages."""
        return f"{self.selected.suite.name}/{self.address} on {self.model}"

    @property
    def address(self) -> str:
        """What means this run on a command line, for its model."""
        return self.cassette(Path(FOLDER)).stem

    @property
    def key(self) -> str:
        """The cassette's name below `cassettes/`: what tells the cells of a plan apart."""
        return self.cassette(Path(FOLDER)).relative_to(Path(FOLDER, FOLDER)).as_posix()

    def recording(self, root: Path) -> Path:
        """What a replay of it plays: its own cassette, or that of the run it leaves."""
        return self.fork.source if self.fork else self.cassette(root)

    def cassette(self, root: Path) -> Path:
        """Where the run is or will be recorded."""
        return cassette_path(
            root,
            self.selected.suite.name,
            self.model,
            self.selected.scenario.id,
            self.variant,
            self.replicate,
        )


def cells_to_record(
    selected: Sequence[Selected],
    model: str,
    root: Path,
    *,
    replicates: int = 1,
    samples: Samples | None = None,
) -> tuple[Cell, ...]:
    """The runs a recording means.

    Args:
        selected: the scenarios.
        model: the tag of the model to ask.
        root: of the project.
        replicates: how many samples of each.
        samples: by a scenario's file, the samples that were named; these alone are recorded of it.

    Raises:
        UsageError: a variant is named, whose beginning lies in another recording.
    """
    return tuple(
        Cell(item, model, number)
        for item in selected
        for number in _named_samples(item, model, root, samples) or range(1, replicates + 1)
    )


def record_command(cell: Cell, root: Path) -> str:
    """What to type to record anew what a replay of a cell plays; a variant is left once more."""
    variant = cell.variant
    if cell.fork is not None:
        header = peek(cell.fork.source)
        variant = header.variant if header is not None else None
    sample = f"@{cell.replicate}" if cell.replicate > 1 else ""
    plain = f"{cell.selected.scenario.id}{sample}"
    if variant is None:
        return f"kit record --model {cell.model} {plain}"
    return leave_command(cell.recording(root), root, cell.model, plain, variant)


def cells_to_replay(
    selected: Sequence[Selected],
    model: str | None,
    root: Path,
    *,
    to_record: str = DEFAULT_MODEL,
    samples: Samples | None = None,
) -> tuple[Cell, ...]:
    """Every recorded run of the selected scenarios, in order of suite, model and scenario.

    A scenario without a cassette under a model that others of its suite were recorded with is in the plan
    too, and so is a whole suite without any: its run is an error, never left out in silence (S2-17).

    Args:
        selected: the scenarios.
        model: only this model's cassettes.
        root: of the project.
        to_record: the project's model, under which a suite without any recording is missed.
        samples: by a scenario's file, which of its variants and samples; without, all of its plain run.

    Raises:
        CassetteMissing: nothing at all is recorded for what was selected.
    """
    suites = {item.suite.name: [] for item in selected}  # type: dict[str, list[Selected]]
    for item in selected:
        suites[item.suite.name].append(item)
    cells = [
        cell
        for name, items in suites.items()
        for tag in (
            [model] if model else tuple(recorded_models(root / FOLDER / file_name(name))) or (to_record,)
        )
        for item in items
        for variant, number in (samples or {}).get(item.path, ((None, None),))
        for cell in _replicates(item, tag, root, variant, number)
    ]
    if not any(cell.cassette(root).exists() for cell in cells):
        known = dict.fromkeys(
            tag for item in selected for tag in recorded_models(root / FOLDER / file_name(item.suite.name))
        )
        variant = next((cell for cell in cells if cell.variant), None)
        only = variant or (cells[0] if samples and len(cells) == 1 else None)
        command = f"kit record {f'{only.address} ' if only else ''}--model {model or to_record}"
        raise CassetteMissing(
            f"nothing is recorded for {only.name if only else _on(suites, model)}",
            where=f"{FOLDER}/",
            why=f"recorded models: {', '.join(known)}" if model and known and model not in known else None,
            next_command=record_command(variant, root) if variant else command,
        )
    return tuple(cells)


def _on(suites: Iterable[str], model: str | None) -> str:
    return ", ".join(suites) + (f" on {model}" if model else "")


def _named_samples(item: Selected, model: str, root: Path, samples: Samples | None) -> list[int]:
    named = (samples or {}).get(item.path, ())
    for variant, number in named:
        if variant is not None:
            cell = Cell(item, model, number or 1, variant)
            raise UsageError(
                f"{cell.address} is not recorded by itself",
                why="a variant is left from its recording",
                next_command=record_command(cell, root),
            )
    return [number for _, number in named if number is not None]


def recorded_models(folder: Path) -> Iterator[str]:
    """Tags of the models that a suite's cassettes name, in order of their folders."""
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir()):
        tag = _tag(sorted(entry.glob("*.yaml"))) if entry.is_dir() else None
        if tag is not None:
            yield tag


def _tag(files: Iterable[Path]) -> str | None:
    """The tag in the first header that can be read; the folder's name where none can, so that errors show."""
    folder = None
    for file in files:
        folder = file.parent.name
        tag = recorded_model(file)
        if tag is not None and not file.name.endswith(JUDGE_SUFFIX):
            return tag
    return folder


def _replicates(
    item: Selected, model: str, root: Path, variant: str | None, wanted: int | None
) -> Iterator[Cell]:
    plain = Cell(item, model)
    if wanted is not None:
        yield Cell(item, model, wanted, variant)
        return
    folder = plain.cassette(root).parent
    found = []
    for file in folder.glob(f"{item.scenario.id}*.yaml"):
        match = _REPLICATE.match(file.stem)
        if match and match["scenario"] == item.scenario.id and match["variant"] == variant:
            found.append(int(match["number"] or 1))
    yield from (Cell(item, model, number, variant) for number in sorted(found) or [1])
