"""Make cassettes of recordings that a kill, a full disk or a bug left in their journals (decision 9)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit import durable
from kit.cassette.cassette import Cassette
from kit.cassette.interaction import Interaction
from kit.cassette.paths import judge_path
from kit.cassette.store import seen, write, write_partial
from kit.errors import EXIT_ENVIRONMENT, EXIT_OK, KitError
from kit.harness.recorded import shown
from kit.recording.journal import read_journal
from kit.recording.pending import RECOVER, Pending, left
from kit.recording.wrapper.assembly import assemble
from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class Recovered:
    """What became of a recording that was left.

    Attributes:
        path: from the project's root, the cassette or the partial one beside it; None where it stays left.
        interactions: how many calls it holds.
        why: why it is partial, or stays left; empty for a whole one.
    """

    path: str | None
    interactions: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What recovering gave.

    Attributes:
        found: one for each recording that was left.
        exit_code: decision 14: 4 where one could not be written.
    """

    found: tuple[Recovered, ...]
    exit_code: int


def recover(project: Project) -> Recovery:
    """Write what was left to its cassettes: whole where the run had ended, else as `.partial` beside them.

    A recording that another kit makes at this moment is left alone.
    """
    found = tuple(one for way in left(project.root / durable.HOME) if (one := _recovered(project, way)))
    is_whole = all(one.path is not None for one in found)
    return Recovery(found, EXIT_OK if is_whole else EXIT_ENVIRONMENT)


def left_behind(project: Project) -> tuple[str, ...]:
    """What to say of recordings that were left, a line each, and the command that brings them back."""
    told = [
        f"an earlier recording was not saved: {shown(way.path, project.root)}, {calls_text(len(calls))}"
        for way in left(project.root / durable.HOME)
        if (calls := _interactions(way))
    ]
    return (*told, f"  next: {RECOVER}") if told else ()


def displaced_notice(root: Path, displaced: Path | None) -> tuple[str, ...]:
    """What to say where two kits recorded one cassette at once."""
    if displaced is None:
        return ()
    return (f"another kit recorded it meanwhile; that recording is kept as {shown(displaced, root)}",)


def _recovered(project: Project, way: Pending) -> Recovered | None:
    try:
        interactions = _interactions(way)
        if not interactions:
            way.settled()
            return None
        why = _doubt(way)
        cassette = Cassette(way.header, interactions)
        if why:
            path = write_partial(way.path, cassette)
        else:
            path = write(way.path, cassette).path
            _write_judge(way)
    except (KitError, ValueError, TypeError) as error:
        # Whatever is wrong with one, the others come back.
        return Recovered(None, 0, why=f"{shown(way.folder, project.root)}: {error}")
    way.settled()
    return Recovered(shown(path, project.root), len(interactions), why)


def _interactions(way: Pending) -> tuple[Interaction, ...]:
    return assemble(way.folder, None).session.interactions


def _doubt(way: Pending) -> str:
    """Why a recording cannot stand for its scenario, empty where it can."""
    if not way.is_over or way.header.verdict not in {"pass", "fail"}:
        return "its run did not come to a good end"
    if way.header.fork:
        return "its beginning lies in the recording that it left"
    return "another recording was made since" if seen(way.path) != way.since else ""


def _write_judge(way: Pending) -> None:
    from kit.harness.keep import judge_header

    asked = read_journal(way.judge_journal).result.interactions
    if asked:
        write(judge_path(way.path), Cassette(judge_header(way.header, asked), asked))


def calls_text(count: int) -> str:
    """`1 call`, `3 calls`."""
    return f"{count} call{'s' if count != 1 else ''}"
