"""Which session code belongs to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kit.errors import Escape
from kit.recording.context import (
    QUEUED,
    STARTING,
    belonging_to,
    current,
    in_force,
    likely,
    others_at_work,
    responsible,
)
from kit.recording.session import Session, start
from tests.fakes.runs import recording


class Late(threading.Thread):
    """Waits for a core after it was started, as any thread may; what it sees of the session then."""

    seen: Callable[[], list[int]]
    found: list[int]

    def _bootstrap_inner(self) -> None:
        self._started.set()  # type: ignore[attr-defined]
        self.found = self.seen()
        super()._bootstrap_inner()  # type: ignore[misc]


def in_thread(call: Callable[[], Any], *, carried: bool = True) -> Any:
    """What `call` returns or raises in a thread of its own."""
    seen: list[Any] = []

    def catching() -> None:
        try:
            seen.append(call())
        except Escape as error:
            seen.append(error)

    thread = threading.Thread(target=catching, name="worker")
    start_thread = threading.Thread.start
    (start_thread if carried else getattr(start_thread, "__wrapped__", start_thread))(thread)
    thread.join()
    return seen[0]


def test_threads_and_pools_carry_the_session(tmp_path: Path) -> None:
    """A started thread, and each job of a pool that several runs share, belong to who started it."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        for _ in range(2):
            with start(recording(tmp_path)) as session:
                assert in_thread(current) is session
                assert pool.submit(current).result() is session
        assert pool.submit(current).result() is None


def test_traffic_without_context_goes_to_the_only_run(tmp_path: Path) -> None:
    """Clock and chance of such code stay the real ones, though."""
    with start(recording(tmp_path)) as session:
        assert in_thread(lambda: responsible("GET x"), carried=False) is session
        assert in_thread(current, carried=False) is None
    assert responsible("GET x") is None
    assert in_force() == ()


def test_with_several_runs_it_fails_closed_and_says_where_the_thread_was_made(tmp_path: Path) -> None:
    """Each of the runs is told, since the exception may be swallowed."""
    with start(recording(tmp_path)) as one, start(recording(tmp_path)) as two:
        escaped = in_thread(lambda: responsible("GET http://x/"), carried=False)
    assert isinstance(escaped, Escape)
    assert "GET http://x/" in str(escaped)
    assert "'worker'" in str(escaped)
    assert one.result.escapes == two.result.escapes == (str(escaped),)


def test_a_thread_made_by_a_run_that_is_over_is_named(tmp_path: Path) -> None:
    """Its line is what a person needs to find it."""
    go = threading.Event()
    seen: list[BaseException] = []

    def late() -> None:
        go.wait()
        try:
            responsible("GET late")
        except Escape as error:
            seen.append(error)

    def lost() -> None:
        from kit.recording.context import _SESSION

        _SESSION.set(None)
        late()

    with start(recording(tmp_path)):
        thread = threading.Thread(target=lost)
        thread.start()
    with start(recording(tmp_path)), start(recording(tmp_path)):
        go.set()
        thread.join()
    assert f"made at {__file__}" in str(seen[0])


def test_who_else_works_for_a_session_is_known(tmp_path: Path) -> None:
    """Threads count while they run, and only those of the session; never the calling one."""
    busy, done = threading.Event(), threading.Event()

    def work() -> None:
        busy.set()
        done.wait()

    def seen(session: Session) -> int:
        return len(others_at_work(session))

    with start(recording(tmp_path)) as session:
        assert seen(session) == 0
        thread = threading.Thread(target=work)
        thread.start()
        busy.wait()
        assert seen(session) == 1
        done.set()
        thread.join()
        assert seen(session) == 0
        assert in_thread(lambda: seen(session)) == 1


def test_who_waits_for_a_core_or_a_place_is_at_work(tmp_path: Path) -> None:
    """From start or submission on; not where it never runs: cancelled, refused, not to be started."""
    free = threading.Event()
    with start(recording(tmp_path)) as session, ThreadPoolExecutor(1) as pool:
        before: list[list[int]] = []

        def idents() -> list[int]:
            return sorted(worker.ident for worker in others_at_work(session) if worker.ident <= 0)

        pool.submit(free.wait)
        queued, cancelled = pool.submit(idents), pool.submit(int)
        assert idents() == [QUEUED, QUEUED]
        cancelled.cancel()
        assert idents() == [QUEUED]
        free.set()
        assert queued.result() == []
        pool.shutdown()
        with pytest.raises(RuntimeError):
            pool.submit(int)
        thread = threading.Thread(target=lambda: before.append(idents()))
        thread.start()
        with pytest.raises(RuntimeError):
            thread.start()
        thread.join()
        assert before == [[]]
        assert idents() == []
        late = Late(target=int)
        late.seen = idents
        late.start()
        late.join()
        assert late.found == [STARTING]
        assert idents() == []


def test_a_session_left_in_another_context_is_left_all_the_same(tmp_path: Path) -> None:
    """An async generator fixture may be closed elsewhere than it was opened."""
    opened = start(recording(tmp_path))
    in_thread(opened.__enter__)
    with pytest.raises(RuntimeError, match="over"):
        opened.gen.throw(RuntimeError("over"))
    assert in_force() == ()
    assert current() is None


def test_a_request_most_likely_belongs_to_the_run_of_its_context(tmp_path: Path) -> None:
    """Else to one that is in force; outside of all to none."""
    assert likely() is None
    with start(recording(tmp_path)) as session:
        assert likely() is session
        with belonging_to(None):
            assert likely() is session
