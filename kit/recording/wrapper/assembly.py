"""What the parent makes of the children's journals (decisions 7 and 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from kit.cassette.interaction import Interaction
from kit.cassette.order import in_order
from kit.recording.journal import JournalContents, leftover_notices, read_journal
from kit.recording.options import SessionResult
from kit.recording.wrapper.job import JOURNALS, REFUSALS


@dataclass(frozen=True, slots=True)
class Assembly:
    """The journals of all processes of one run, put together.

    Attributes:
        session: as one process would have told it.
        processes: how many Python processes kit entered.
        ended: whether the first of them ended in good order.
        refusals: what processes said that kit could not enter.
    """

    session: SessionResult
    processes: int
    ended: bool
    refusals: tuple[str, ...]


def assemble(job: Path, recorded: tuple[Interaction, ...] | None) -> Assembly:
    """Reads what the children left in the job's folder.

    Args:
        job: folder of the job.
        recorded: replay: what was to be played; None in record.
    """
    journals = [read_journal(path) for path in sorted((job / JOURNALS).glob("*.jsonl"))]
    journals = [journal for journal in journals if journal.started]
    session = _together(journals)
    if recorded is None:
        session = replace(
            session,
            interactions=_renumbered([journal.result.interactions for journal in journals]),
            # A forked worker that was ended left its interactions, but no end mark with its count.
            live_requests=max(session.live_requests, sum(one.lane != "tool" for one in session.interactions)),
        )
    else:
        session = _replayed(
            session, list(chain.from_iterable(journal.played for journal in journals)), recorded
        )
    root = journals[0].pids if journals else ()
    return Assembly(
        session=session,
        processes=len(journals),
        # `os.exec` keeps the pid and starts another journal: any of them may carry the end mark.
        ended=any(journal.ended for journal in journals if journal.pids == root),
        refusals=tuple(path.read_text(encoding="utf-8") for path in sorted((job / REFUSALS).glob("*.txt"))),
    )


def _together(journals: list[JournalContents]) -> SessionResult:
    results = [journal.result for journal in journals]
    return SessionResult(
        interactions=tuple(chain.from_iterable(result.interactions for result in results)),
        misses=_distinct(result.misses for result in results),
        side_effects=_distinct(result.side_effects for result in results),
        escapes=_distinct(result.escapes for result in results),
        tool_drift=_distinct(result.tool_drift for result in results),
        sleeps=tuple(
            sorted(
                chain.from_iterable(result.sleeps for result in results), key=lambda sleep: sleep.started_ms
            )
        ),
        notices=_distinct(result.notices for result in results),
        reads=_distinct(result.reads for result in results),
        writes=_distinct(result.writes for result in results),
        divergences=tuple(chain.from_iterable(result.divergences for result in results)),
        live_requests=sum(result.live_requests for result in results),
        ended_ms=max((result.ended_ms for result in results), default=0),
    )


def _distinct(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(texts)))


def _renumbered(processes: list[tuple[Interaction, ...]]) -> tuple[Interaction, ...]:
    """One count over all processes, in order of start; each process counted for itself."""
    pairs = [(process, one) for process, recorded in enumerate(processes) for one in recorded]
    pairs.sort(key=lambda pair: (pair[1].started_ms, pair[1].number))
    counted: list[Interaction] = []
    # A forked worker appends to its parent's journal and counts on from it: the last of that number is meant.
    numbers: dict[tuple[int, int], int] = {}
    for number, (process, one) in enumerate(pairs, start=1):
        counted.append(replace(one, number=number, under=numbers.get((process, one.under or 0), 0)))
        numbers[process, one.number] = number
    # Processes that were at work at once are told apart like tasks of one.
    return in_order(counted).interactions


def _replayed(session: SessionResult, played: list[int], recorded: tuple[Interaction, ...]) -> SessionResult:
    are_played = set(played)
    left = [one for one in recorded if one.number not in are_played]
    twice = sorted(number for number, count in Counter(played).items() if count > 1)
    # A process's own notice of leftovers does not know what its siblings played.
    notices = (notice for notice in session.notices if notice not in leftover_notices(list(recorded)))
    return replace(
        session,
        # In order of the file: which thread was served first is chance.
        interactions=tuple(one for one in recorded if one.number in are_played),
        leftovers=tuple(one for one in left if one.lane != "other"),
        misses=(
            *session.misses,
            *(f"interaction {number} was served to two processes, but recorded once" for number in twice),
        ),
        notices=(*notices, *leftover_notices(left)),
    )
