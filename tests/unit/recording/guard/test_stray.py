"""Tasks and threads that outlive their replay."""

from __future__ import annotations

import gc
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests

from kit.errors import SideEffect
from kit.recording.guard.stray import TOLD
from tests.fakes.model_server import serving
from tests.fakes.runs import recording, replaying, run

# A client that is stopped while it connects drops its socket.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    TOLD.clear()
    gc.collect()  # here, where the sockets that clients dropped are no surprise


def stray_of(options: Any, act: Callable[[], Any]) -> Callable[[], BaseException | None]:
    """Lets a thread of a run live on, and gives what lets it act and says what came of it."""
    gate = threading.Event()
    caught: list[BaseException] = []

    def body() -> None:
        gate.wait(10)
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - what came of it is what is tested
            caught.append(error)

    thread = threading.Thread(target=body)
    # Looked up within the run, as programs do.
    run(options, lambda: threading.Thread.start(thread))

    def go() -> BaseException | None:
        gate.set()
        thread.join(10)
        return caught[0] if caught else None

    return go


@pytest.mark.parametrize(
    "act",
    [
        lambda: httpx.get("http://127.0.0.1:9/x"),
        lambda: requests.get("http://127.0.0.1:9/x", timeout=1),
        lambda: socket.create_connection(("127.0.0.1", 9)),
    ],
)
@pytest.mark.parametrize("is_other_running", [False, True])
def test_a_thread_that_outlives_its_replay_reaches_nobody(
    act: Callable[[], Any], is_other_running: bool, tmp_path: Path
) -> None:
    """Whether another run is in force or none, and it is told with its line; a client may not swallow it."""
    go = stray_of(replaying(tmp_path, ()), act)
    stopped = run(replaying(tmp_path, ()), go)[0] if is_other_running else go()
    assert isinstance(stopped, SideEffect)
    assert "test_stray.py:" in TOLD[0]
    assert "after the replay of tried was over" in TOLD[0]
    assert "next: wait for it" in TOLD[0]


def test_a_thread_that_outlives_its_recording_goes_on(tmp_path: Path) -> None:
    """Live is live; nothing of it is in the recording."""
    with serving() as server:
        go = stray_of(recording(tmp_path), lambda: httpx.get(f"{server.url}/x"))
        assert go() is None
        assert len(server.requests) == 1
    assert TOLD == []


def test_a_server_of_the_programs_own_may_be_asked_afterwards(tmp_path: Path) -> None:
    """As within the run."""
    with serving() as server:
        go = stray_of(
            replaying(tmp_path, ()), lambda: socket.create_connection(("127.0.0.1", server.port)).close()
        )
        assert go() is None
