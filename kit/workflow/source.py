"""What `kit diff` can compare: runs, baselines, models, variants, cassettes; each becomes runs by cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kit import durable
from kit.baseline import store
from kit.baseline.accepted import CellId
from kit.baseline.drift import Side
from kit.baseline.skeleton import Skeleton, facts_of, skeleton_of
from kit.baseline.trace_change import accepted_side, result_side
from kit.cassette.cassette import Cassette
from kit.cassette.paths import FOLDER, JUDGE_SUFFIX, TAPES, file_name
from kit.cassette.store import read
from kit.errors import CassetteMissing, UsageError
from kit.harness.eval_report import EvalReport
from kit.harness.plan import recorded_models
from kit.trace.build import build_trace
from kit.trace.export import read_json_lines, to_json_lines
from kit.trace.prices import price_table
from kit.trace.run_facts import RunFacts
from kit.workflow.project import Project
from kit.workflow.ref import baselines_at
from kit.workflow.scenarios import RunRequest, run_scenarios
from kit.workflow.traces import read_facts

_LAST = re.compile(r"last(?:~(\d+))?\Z")
_VARIANT = re.compile(r"[^.@]+\.([^@.]+)(?:@\d+)?\.yaml\Z")
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Source:
    """One side of a comparison.

    Attributes:
        name: what it is, for a person.
        runs: by cell.
    """

    name: str
    runs: dict[CellId, Side]


def find_source(project: Project, text: str) -> Source:
    """What a word of the command line means.

    Args:
        project: where it is looked for.
        text: `last`, `last~1`, a folder of `.kit/reports`, `baseline`, `baseline@REF`, a cassette's path,
            the tag of a model, or the name of a variant.

    Raises:
        UsageError: nothing of that name exists; says what does.
        KitError: what was found cannot be read, or a model cannot be replayed.
    """
    for look in (_run, _baseline, _cassette, _model, _variant):
        found = look(project, text)
        if found is not None:
            return found
    raise UsageError(
        f"`{text}` is no run, baseline, cassette, model or variant",
        why="there are " + "; ".join(_known(project)),
        next_command="kit diff --help",
    )


def run_folders(project: Project) -> list[Path]:
    """The folders of earlier runs that have a report, the newest first."""
    reports = (project.root / durable.HOME / "reports").glob("*/*/*/report.json")
    newest: dict[Path, int] = {}
    for report in reports:
        folder = report.parents[2]
        newest[folder] = max(newest.get(folder, 0), report.stat().st_mtime_ns)
    return sorted(newest, key=lambda folder: newest[folder], reverse=True)


def _run(project: Project, text: str) -> Source | None:
    last = _LAST.match(text)
    if last is not None:
        folders = run_folders(project)
        back = int(last[1] or 0)
        if back >= len(folders):
            raise UsageError(f"there is no run `{text}`: {len(folders)} are kept", next_command="kit replay")
        return Source(f"{text} ({folders[back].name})", _runs_in(folders[back]))
    for folder in (project.root / durable.HOME / "reports" / text, Path(text)):
        if text and folder.is_dir():
            runs = _runs_in(folder)
            if runs:
                return Source(f"run {folder.name}", runs)
    return None


def _runs_in(folder: Path) -> dict[CellId, Side]:
    runs: dict[CellId, Side] = {}
    for path in sorted(folder.glob("*/*/report.json")):
        try:
            report = EvalReport.model_validate_json(path.read_bytes())
        except ValueError as error:
            raise UsageError("this report was not written by this version of kit", where=str(path)) from error
        for result in report.scenarios:
            facts = None if result.verdict == "error" else read_facts(path.parent, result)
            skeleton = None if facts is None else skeleton_of(facts)
            runs[CellId.of(result)] = result_side(result, skeleton)
    return runs


def _baseline(project: Project, text: str) -> Source | None:
    if text != "baseline" and not text.startswith("baseline@"):
        return None
    ref = text.partition("@")[2]
    root = baselines_at(project, ref) if "@" in text else project.root
    runs = _accepted(root)
    if not runs:
        raise UsageError(
            f"nothing was accepted {f'at {ref}' if ref else 'yet'}", next_command="kit accept --reason …"
        )
    return Source(text, runs)


def _accepted(root: Path, wanted: Callable[[CellId], bool] = lambda _: True) -> dict[CellId, Side]:
    runs = {}
    for cell, accepted in store.load_all(root).items():
        if wanted(cell):
            kept = store.skeleton_at(root, cell)
            runs[cell] = accepted_side(accepted, None if kept is None else kept.read())
    return runs


def _cassette(project: Project, text: str) -> Source | None:
    path = Path(text)
    if not text.endswith(".yaml") or not path.is_file():
        return None
    cassette = read(path)
    header = cassette.header
    cell = CellId(
        header.suite or TAPES, header.model or "", header.scenario, header.variant or "", header.replicate
    )
    return Source(text, {cell: _bare(project, cassette)})


def _bare(project: Project, cassette: Cassette) -> Side:
    """A cassette as it stands, without running anything: calls, answers, what they took."""
    facts = RunFacts(
        scenario_id=cassette.header.scenario,
        model=cassette.header.model or "",
        mode="replay",
        interactions=cassette.interactions,
        outcome="success",
    )
    settings = project.settings
    trace = build_trace(facts, price_table(settings.price_table()), settings.aliases)
    return Side(
        model=cassette.header.model,
        verdict=cassette.header.verdict,
        cost_micro_usd=trace.cost_micro_usd,
        latency_ms=trace.latency_ms,
        skeleton=_skeleton(to_json_lines(trace)),
        is_bare=True,
    )


def _skeleton(lines: str) -> Skeleton:
    return skeleton_of(facts_of(read_json_lines(lines)))


def _model(project: Project, text: str) -> Source | None:
    if text in _recorded(project.root):
        folder, runs = _replayed(project, text)
        return Source(f"{text} (replayed, {folder})", runs)
    runs = _accepted(project.root, lambda cell: cell.model == text)
    return Source(f"{text} (as accepted)", runs) if runs else None


def _replayed(project: Project, model: str) -> tuple[str, dict[CellId, Side]]:
    """A model's cassettes replayed; the report moves out of the way, `last` is what somebody ran."""
    outcome = run_scenarios(project, RunRequest(mode="replay", model=model))
    if outcome.folder is None:
        raise CassetteMissing(f"nothing is recorded for {model}", next_command=f"kit record --model {model}")
    target = project.folder("compared") / outcome.folder.name
    (project.root / outcome.folder).rename(target)
    return target.relative_to(project.root).as_posix(), _runs_in(target)


def _variant(project: Project, text: str) -> Source | None:
    runs = _accepted(project.root, lambda cell: cell.variant == text)
    if runs:
        return Source(f"variant {text} (as accepted)", runs)
    for path in _cassettes(project.root):
        named = _VARIANT.match(path.name)
        if named is not None and named[1] == file_name(text):
            found = _cassette(project, str(path))
            runs |= found.runs if found is not None else {}
    return Source(f"variant {text} (as recorded)", runs) if runs else None


def _cassettes(root: Path) -> Iterator[Path]:
    for path in sorted((root / FOLDER).glob("*/*/*.yaml")):
        if not path.name.endswith(JUDGE_SUFFIX):
            yield path


def _recorded(root: Path) -> list[str]:
    """Tags of every model that something was recorded from."""
    tags = [
        tag
        for suite in sorted((root / FOLDER).glob("*"))
        if suite.is_dir() and suite.name != TAPES
        for tag in recorded_models(suite)
    ]
    return list(dict.fromkeys(tags))


def _known(project: Project) -> Iterator[str]:
    folders = run_folders(project)
    names = [folder.name for folder in folders[:_SHOWN]]
    yield f"runs last, {', '.join(names)}" if names else "no runs yet"
    accepted = store.load_all(project.root)
    yield "baseline, baseline@REF" if accepted else "no baseline yet"
    models = dict.fromkeys([*_recorded(project.root), *(cell.model for cell in accepted)])
    yield f"models {', '.join(models)}" if models else "no recorded models"
    variants = {cell.variant for cell in accepted if cell.variant}
    variants |= {named[1] for path in _cassettes(project.root) if (named := _VARIANT.match(path.name))}
    if variants:
        yield f"variants {', '.join(sorted(variants))}"


def of_model(source: Source, model: str) -> Source:
    """Only the runs of one model.

    Raises:
        UsageError: there are none.
    """
    runs = {cell: side for cell, side in source.runs.items() if cell.model == model}
    if not runs:
        there = ", ".join(dict.fromkeys(cell.model for cell in source.runs))
        raise UsageError(f"{source.name} has no run of {model}", why=f"it has runs of {there}")
    return replace(source, runs=runs)
