"""What an interaction came from."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, ContextVar, copy_context
from pathlib import Path

from kit.cassette.order import in_order
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
    assert lineage.place_of(other) == (0, ())
    lineage.follows(other, 7)
    assert lineage.place_of(other) == (7, ())


def test_a_run_with_the_id_of_one_that_is_gone_begins_anew(tmp_path: Path) -> None:
    """Python deals an `id` out again; the last interaction of an old run is no origin in a new one."""
    seen = []
    for _ in range(20):
        with start(recording(tmp_path)) as session:
            call(session, b"1")
            call(session, b"2")
        seen.append([item.under for item in session.result.interactions])
        lineage.LAST.set(lineage.Last(id(session), 2))  # as another context may have kept it
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
            assert kept.strand
            call(session, b"in between")
            assert lineage.kept_place(session) == lineage.Last(id(session), 1)
        assert not lineage.kept_place(session).strand


def test_who_waits_for_a_task_goes_on_its_line(tmp_path: Path) -> None:
    """Frameworks ask in a task of their own; tasks of tasks, and those that end with an exception, too."""

    async def ask(session: Session, body: bytes) -> None:
        call(session, body)
        if body.endswith(b"!"):
            raise ValueError

    async def hidden(session: Session, body: bytes) -> None:
        await asyncio.create_task(asyncio.wait_for(ask(session, body), 10))

    async def main(session: Session) -> None:
        for body in (b"1", b"2"):
            await asyncio.create_task(hidden(session, body))
        with contextlib.suppress(ValueError):
            await asyncio.create_task(ask(session, b"3!"))
        async with asyncio.TaskGroup() as group:
            group.create_task(ask(session, b"4"))
        await asyncio.create_task(asyncio.sleep(0))
        call(session, b"5")

    with start(recording(tmp_path)) as session:
        asyncio.run(main(session))
        call(session, b"6")
    assert unders(session) == {b"1": 0, b"2": 1, b"3!": 2, b"4": 3, b"5": 4, b"6": 5}


def test_a_task_at_work_beside_others_is_a_line_of_its_own(tmp_path: Path) -> None:
    """Whoever of several was done last, or still asks, says nothing of the line of who made them."""

    async def main(session: Session) -> None:
        async def helper(name: bytes, gate: asyncio.Event) -> None:
            call(session, name)
            await gate.wait()
            call(session, name + b"2")

        call(session, b"plan")
        gates = asyncio.Event(), asyncio.Event()
        tasks = [
            asyncio.create_task(helper(name, gate)) for name, gate in zip((b"a", b"b"), gates, strict=True)
        ]
        await asyncio.sleep(0)
        gates[0].set()
        await tasks[0]
        call(session, b"one is done")
        gates[1].set()
        await tasks[1]
        call(session, b"both are done")

    with start(recording(tmp_path)) as session:
        asyncio.run(main(session))
    by_body = unders(session)
    plan, first = 1, by_body[b"both are done"]
    assert (by_body[b"a"], by_body[b"b"], by_body[b"one is done"]) == (plan, plan, plan)
    assert [item.request.body for item in session.result.interactions if item.number == first] == [  # type: ignore[union-attr]
        b"one is done"
    ]


def test_a_task_that_still_asks_is_beside_who_made_it(tmp_path: Path) -> None:
    """It may ask again; only who is done can be waited for."""

    async def main(session: Session) -> None:
        async def helper() -> None:
            call(session, b"a")
            await gate.wait()

        call(session, b"plan")
        gate = asyncio.Event()
        task = asyncio.create_task(helper())
        await asyncio.sleep(0)
        if is_asking:
            call(session, b"meanwhile")
        await asyncio.create_task(asyncio.sleep(0))
        gate.set()
        await task
        call(session, b"then")

    (tmp_path / "other").mkdir()
    for is_asking, then in ((True, 3), (False, 2)):
        with start(recording(tmp_path / "other" if is_asking else tmp_path)) as session:
            asyncio.run(main(session))
        meanwhile = {b"meanwhile": 1} if is_asking else {}
        assert unders(session) == {b"plan": 0, b"a": 1, b"then": then} | meanwhile


def test_equal_lines_whose_tasks_ask_keep_their_answers(tmp_path: Path) -> None:
    """Three equal agents of a framework at once, answered in the reverse order: none is mixed up."""

    def program(session: Session, order: tuple[int, ...]) -> list[list[int]]:
        async def ask(body: bytes, place: int, ended: list[asyncio.Event]) -> int:
            ticket = session.begin_http(*CHAT, (), body)
            if ticket.recorded is None:
                ticket.head(200 + place, ())
            status = 200 + place if ticket.recorded is None else ticket.recorded.status
            position = order.index(place)
            if position:
                await ended[order[position - 1]].wait()
            ticket.end()
            ended[place].set()
            return status

        async def agent(place: int, rounds: list[list[asyncio.Event]]) -> list[int]:
            return [await asyncio.create_task(ask(b"same", place, ended)) for ended in rounds]

        async def main() -> list[list[int]]:
            rounds = [[asyncio.Event() for _ in range(3)] for _ in range(2)]
            return await asyncio.gather(*(agent(place, rounds) for place in range(3)))

        return asyncio.run(main())

    own = [[200, 200], [201, 201], [202, 202]]
    with start(recording(tmp_path)) as session:
        assert program(session, (2, 1, 0)) == own
    (tmp_path / "again").mkdir()
    with start(replaying(tmp_path / "again", session.result.interactions)) as again:
        assert program(again, (0, 1, 2)) == own


def test_a_job_of_a_pool_knows_nothing_of_the_tasks_before_it(tmp_path: Path) -> None:
    """Its thread had a loop of its own, and so had the one before."""

    def job(session: Session, body: bytes) -> None:
        async def ask() -> None:
            call(session, body)

        with contextlib.closing(asyncio.new_event_loop()) as loop:
            loop.run_until_complete(ask())

    with start(recording(tmp_path)) as session:
        call(session, b"plan")
        with ThreadPoolExecutor(1) as pool:
            for body in (b"a", b"b"):
                pool.submit(job, session, body).result()
    assert unders(session) == {b"plan": 0, b"a": 1, b"b": 1}


def test_a_task_keeps_the_context_that_it_was_given(tmp_path: Path) -> None:
    """An empty one too: nothing of its maker's gets into it."""
    own: ContextVar[str] = ContextVar("own", default="nothing")

    async def look() -> str:
        return own.get()

    async def main() -> list[str]:
        own.set("the maker's")
        given = Context()
        return [await asyncio.create_task(look(), context=given), await asyncio.create_task(look())]

    with start(recording(tmp_path)):
        assert asyncio.run(main()) == ["nothing", "the maker's"]


def test_a_loop_with_tasks_of_its_own_kind_is_left_alone(tmp_path: Path) -> None:
    """Its factory need not take a context; then a task is a line of its own."""

    async def ask(session: Session, body: bytes) -> None:
        call(session, body)

    async def main(session: Session) -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(lambda loop, coro: asyncio.Task(coro, loop=loop))
        await loop.create_task(ask(session, b"1"))
        call(session, b"2")

    with start(recording(tmp_path)) as session:
        asyncio.run(main(session))
    assert unders(session) == {b"1": 0, b"2": 0}


def test_tasks_that_race_to_ask_keep_their_places(tmp_path: Path) -> None:
    """All ask the same, out of tasks of their own and after something slow: each as it was started."""

    def program(session: Session, order: tuple[int, ...]) -> list[int]:
        async def ask(place: int) -> int:
            ticket = session.begin_http(*CHAT, (), b"same")
            if ticket.recorded is None:
                ticket.head(200 + place, ())
            ticket.end()
            return 200 + place if ticket.recorded is None else ticket.recorded.status

        async def agent(place: int, turns: list[asyncio.Event]) -> int:
            position = order.index(place)
            if position:
                await turns[order[position - 1]].wait()
            status = await asyncio.create_task(ask(place))
            turns[place].set()
            return status

        async def main() -> list[int]:
            turns = [asyncio.Event() for _ in range(3)]
            return await asyncio.gather(*(agent(place, turns) for place in range(3)))

        return asyncio.run(main())

    with start(recording(tmp_path)) as session:
        assert program(session, (1, 2, 0)) == [200, 201, 202]
    recorded = in_order(session.result.interactions).interactions
    assert [item.response.status for item in recorded] == [200, 201, 202]  # type: ignore[union-attr]
    (tmp_path / "again").mkdir()
    with start(replaying(tmp_path / "again", recorded)) as again:
        assert program(again, (2, 0, 1)) == [200, 201, 202]


def test_jobs_of_tasks_race_to_ask_too(tmp_path: Path) -> None:
    """They may run in a copy of the task's context, which says nothing of the job."""

    def program(session: Session, order: tuple[int, ...]) -> list[int]:
        turns = [threading.Event() for _ in range(3)]

        def job(place: int) -> int:
            position = order.index(place)
            assert not position or turns[order[position - 1]].wait(20)
            ticket = session.begin_http(*CHAT, (), b"same")
            if ticket.recorded is None:
                ticket.head(200 + place, ())
            ticket.end()
            turns[place].set()
            return 200 + place if ticket.recorded is None else ticket.recorded.status

        async def main() -> list[int]:
            loop = asyncio.get_running_loop()
            jobs = [loop.run_in_executor(None, copy_context().run, job, place) for place in range(3)]
            return await asyncio.gather(*jobs)

        return asyncio.run(main())

    with start(recording(tmp_path)) as session:
        assert program(session, (1, 2, 0)) == [200, 201, 202]
    recorded = in_order(session.result.interactions).interactions
    (tmp_path / "again").mkdir()
    with start(replaying(tmp_path / "again", recorded)) as again:
        assert program(again, (2, 0, 1)) == [200, 201, 202]


def test_tasks_that_make_their_successors_are_not_all_kept(tmp_path: Path) -> None:
    """Each began in the one before it, and that is gone."""

    async def step(session: Session, left: int) -> None:
        here = lineage.LAST.get()
        assert here is not None
        assert here.strand is not None
        depths.append(here.strand.depth)
        if left:
            tasks.append(asyncio.create_task(step(session, left - 1)))

    async def main(session: Session) -> None:
        await step(session, 300)
        while len(tasks) < 300:
            await asyncio.sleep(0)

    tasks: list[asyncio.Task[None]] = []
    depths: list[int] = []
    with start(recording(tmp_path)) as session:
        asyncio.run(main(session))
    assert len(depths) == 301
    assert max(depths) == 100
