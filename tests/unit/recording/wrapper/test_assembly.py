from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane
from kit.recording.journal import Journal
from kit.recording.options import Sleep
from kit.recording.wrapper.assembly import assemble
from kit.recording.wrapper.job import JOURNALS, REFUSALS


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A job's folder that no child has written to yet."""
    (tmp_path / JOURNALS).mkdir()
    (tmp_path / REFUSALS).mkdir()
    return tmp_path


def exchange(number: int, started_ms: int, text: str, lane: str = "model") -> Interaction:
    return Interaction(
        number,
        cast("Lane", lane),
        HttpRequest("POST", "http://x/v1", (), text.encode()),
        HttpResponse(200),
        started_ms,
        started_ms + 1,
    )


def journal(job: Path, name: str, mode: str = "record") -> Journal:
    opened = Journal(job / JOURNALS / f"{name}.jsonl", tells_at_once=True)
    opened.start("tape", mode)
    return opened


def bodies(interactions: tuple[Interaction, ...]) -> list[tuple[int, bytes]]:
    return [(one.number, one.request.body) for one in interactions if isinstance(one.request, HttpRequest)]


def test_interactions_of_all_processes_are_one_recording(job: Path) -> None:
    """Each process counts for itself; together they are numbered by start."""
    first, second = journal(job, "1"), journal(job, "2")
    first.interaction(exchange(1, 0, "a"))
    second.interaction(exchange(1, 5, "b"))
    first.interaction(exchange(2, 9, "c"))
    second.sleep(Sleep(1, 2, "x:1"))
    first.sleep(Sleep(0, 1, "y:1"))
    second.end(6, 1)
    first.end(10, 2)
    found = assemble(job, None)
    assert bodies(found.session.interactions) == [(1, b"a"), (2, b"b"), (3, b"c")]
    assert (found.session.live_requests, found.session.ended_ms, found.processes) == (3, 10, 2)
    assert [sleep.where for sleep in found.session.sleeps] == ["y:1", "x:1"]
    assert found.ended


def test_first_process_decides_whether_the_run_ended(job: Path) -> None:
    """A worker may be killed; the program itself must have come to its end."""
    first, second = journal(job, "1"), journal(job, "2")
    first.end(0, 0)
    assert second is not None
    assert assemble(job, None).ended


def test_torn_journal_keeps_its_whole_lines(job: Path) -> None:
    """A kill in the middle of a line loses that line and no other, and is not an end."""
    opened = journal(job, "1")
    opened.interaction(exchange(1, 0, "a"))
    with (job / JOURNALS / "1.jsonl").open("ab") as file:
        file.write(b'{"interaction": {"num')
    found = assemble(job, None)
    assert bodies(found.session.interactions) == [(1, b"a")]
    assert not found.ended


def test_live_requests_of_killed_workers_count(job: Path) -> None:
    """Their number is at least that of what they recorded."""
    opened = journal(job, "1")
    opened.interaction(exchange(1, 0, "a"))
    assert assemble(job, None).session.live_requests == 1


def test_leftovers_are_what_no_process_played(job: Path) -> None:
    """What is left over is counted over all processes; lane `other` is a notice, no leftover."""
    recorded = (exchange(1, 0, "a"), exchange(2, 1, "b"), exchange(3, 2, "c"), exchange(4, 3, "d", "other"))
    first, second = journal(job, "1", "replay"), journal(job, "2", "replay")
    first.played(1)
    second.played(3)
    for opened in (first, second):
        opened.found("side_effects", "x.py:1 would write /x")
        opened.end(0, 0)
    found = assemble(job, recorded)
    assert bodies(found.session.interactions) == [(1, b"a"), (3, b"c")]
    assert bodies(found.session.leftovers) == [(2, b"b")]
    assert found.session.notices == ("not played again: POST http://x/v1 (lane other)",)
    assert found.session.side_effects == ("x.py:1 would write /x",)


def test_what_was_played_stands_in_order_of_the_file(job: Path) -> None:
    """Which thread is served first is chance; what a replay tells is the same each time."""
    opened = journal(job, "1", "replay")
    for number in (3, 1, 2):
        opened.played(number)
    found = assemble(job, (exchange(1, 0, "a"), exchange(2, 1, "b"), exchange(3, 2, "c")))
    assert bodies(found.session.interactions) == [(1, b"a"), (2, b"b"), (3, b"c")]


def test_interaction_served_to_two_processes_is_a_miss(job: Path) -> None:
    """Processes do not share their place in the recording; a double answer is never passed over."""
    for name in ("1", "2"):
        journal(job, name, "replay").played(1)
    found = assemble(job, (exchange(1, 0, "a"),))
    assert found.session.misses == ("interaction 1 was served to two processes, but recorded once",)


def test_no_journal_is_no_process(job: Path) -> None:
    """An empty folder, or a journal without a start, says that nothing was intercepted."""
    (job / JOURNALS / "1.jsonl").write_bytes(b"")
    (job / REFUSALS / "7.txt").write_text("the program runs on cpython-36")
    found = assemble(job, None)
    assert (found.processes, found.ended) == (0, False)
    assert found.refusals == ("the program runs on cpython-36",)
