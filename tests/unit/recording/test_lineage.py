"""What an interaction came from."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kit.recording import lineage
from kit.recording.session import Session, start
from tests.fakes.runs import recording, replaying

CHAT = ("POST", "http://model.test/v1/chat/completions")


def call(session: Session, body: bytes) -> None:
    """One exchange that ends at once."""
    session.begin_http(*CHAT, (), body).end()


def unders(session: Session) -> dict[bytes, int | None]:
    """By body of the request, the number of what it came from."""
    return {item.request.body: item.under for item in session.result.interactions}  # type: ignore[union-attr]


def test_one_after_the_other_is_a_line(tmp_path: Path) -> None:
    """In plain code each call comes from the one before it."""
    with start(recording(tmp_path)) as session:
        for body in (b"1", b"2", b"3"):
            call(session, body)
    assert unders(session) == {b"1": 0, b"2": 1, b"3": 2}


def test_tasks_begin_where_they_were_made(tmp_path: Path) -> None:
    """Two tasks at once have a line each; who waits for both goes on where it was."""

    async def helper(session: Session, name: bytes) -> None:
        call(session, name + b"1")
        await asyncio.sleep(0)
        call(session, name + b"2")

    async def main(session: Session) -> None:
        call(session, b"plan")
        await asyncio.gather(helper(session, b"a"), helper(session, b"b"))
        call(session, b"sum")

    with start(recording(tmp_path)) as session:
        asyncio.run(main(session))
    # Written in the order of the file: plan, all of a, all of b, sum.
    assert unders(session) == {b"plan": 0, b"a1": 1, b"a2": 2, b"b1": 1, b"b2": 4, b"sum": 1}


def test_threads_and_pools_begin_where_they_were_started(tmp_path: Path) -> None:
    """A thread and a job of a pool come from what their starter had last."""
    with start(recording(tmp_path)) as session:
        call(session, b"plan")
        thread = threading.Thread(target=call, args=(session, b"thread"))
        thread.start()
        thread.join()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(call, session, b"job").result()
    assert unders(session) == {b"plan": 0, b"thread": 1, b"job": 1}


def test_a_run_knows_nothing_of_another(tmp_path: Path) -> None:
    """The last interaction of one run is no origin in the next."""
    (tmp_path / "a").mkdir()
    with start(recording(tmp_path / "a")) as session:
        call(session, b"1")
    other = object()
    assert lineage.before(other) == 0
    lineage.follows(other, 7)
    assert lineage.before(other) == 7


def test_a_run_with_the_id_of_one_that_is_gone_begins_anew(tmp_path: Path) -> None:
    """Python deals an `id` out again; the last interaction of an old run is no origin in a new one."""
    seen = []
    for _ in range(20):
        with start(recording(tmp_path)) as session:
            call(session, b"1")
            call(session, b"2")
        seen.append([item.under for item in session.result.interactions])
        lineage.LAST.set(lineage.Last(id(session), 2, 0))  # as another context may have kept it
        del session
    assert seen == [[0, 1]] * 20


def test_the_last_thread_that_asks_first_gets_its_own_answer(tmp_path: Path) -> None:
    """All threads ask the same; in replay they begin in the reverse order."""

    def program(session: Session, order: list[int]) -> list[int]:
        turns = [threading.Event() for _ in range(3)]
        told: dict[int, int] = {}

        def job(place: int) -> None:
            position = order.index(place)
            assert not position or turns[order[position - 1]].wait(20)
            ticket = session.begin_http(*CHAT, (), b"same")
            if ticket.recorded is None:
                ticket.head(200 + place, ())
                told[place] = 200 + place
            else:
                told[place] = ticket.recorded.status
            ticket.end()
            turns[place].set()

        threads = [threading.Thread(target=job, args=(place,)) for place in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [told[place] for place in range(3)]

    with start(recording(tmp_path)) as session:
        assert program(session, [1, 0, 2]) == [200, 201, 202]
    (tmp_path / "again").mkdir()
    with start(replaying(tmp_path / "again", session.result.interactions)) as again:
        assert program(again, [2, 1, 0]) == [200, 201, 202]


def test_a_place_is_kept_until_the_request_is_written(tmp_path: Path) -> None:
    """What begins later stands where it was asked for; what came in between makes a new place."""
    with start(recording(tmp_path)) as session:
        with lineage.keeping_place(session, call):
            kept = lineage.kept_place(session)
            assert kept.job
            call(session, b"in between")
            assert lineage.kept_place(session) == lineage.Last(id(session), 1, 0)
        assert not lineage.kept_place(session).job
