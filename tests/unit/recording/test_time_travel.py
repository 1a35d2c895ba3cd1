"""Where a program reads the time."""

from __future__ import annotations

import datetime as dt
import logging
import subprocess
import sys
import threading
import time
from datetime import datetime as early_datetime
from pathlib import Path
from time import time as early_time
from typing import Any

from kit.recording.session import start
from kit.recording.time_travel import travelling
from tests.fakes.runs import START, recording, run


def test_every_way_to_read_the_time_shows_the_virtual_one(tmp_path: Path) -> None:
    """By names bound early, in log records, as a struct and as a date."""

    def program() -> list[Any]:
        return [
            time.time(),
            early_time(),
            time.time_ns() / 10**9,
            early_datetime.now(dt.UTC).timestamp(),
            time.mktime(time.localtime()),
            logging.LogRecord("a", 1, "b", 1, "c", None, None).created,
            time.clock_gettime(time.CLOCK_REALTIME),
        ]

    seen, _ = run(recording(tmp_path), program)
    assert seen == [START.timestamp()] * len(seen)


def test_monotonic_time_is_left_alone(tmp_path: Path) -> None:
    """Libraries measure with it; a standing one would break them."""
    before = time.monotonic()
    seen, _ = run(recording(tmp_path), time.monotonic)
    assert before <= seen <= time.monotonic()


def test_two_runs_at_once_have_a_clock_each(tmp_path: Path) -> None:
    """And a thread of nobody sees the real time."""
    later = START + dt.timedelta(days=9)
    seen: list[float] = []

    def one(begin: dt.datetime) -> None:
        with start(recording(tmp_path, start=begin)):
            inside.wait()
            seen.append(time.time() - begin.timestamp())
            inside.wait()

    inside = threading.Barrier(3)
    threads = [threading.Thread(target=one, args=(begin,)) for begin in (START, later)]
    for thread in threads:
        thread.start()
    inside.wait()
    outside = time.time()
    inside.wait()
    for thread in threads:
        thread.join()
    assert seen == [0.0, 0.0]
    assert abs(outside - time.time()) < 60


def test_nested_travels_are_counted() -> None:
    """The inner one's end does not stop the outer one."""
    with travelling():
        with travelling():
            pass
        assert sys.modules["time_machine"].escape_hatch.is_travelling()
    assert not sys.modules["time_machine"].escape_hatch.is_travelling()


PROGRAM = """
import sys, kit.recording.time_travel as travel
with travel.travelling():
    print([name for name in ("pytest", "unittest") if name in sys.modules])
import time_machine, unittest

@time_machine.travel(0, tick=False)
class Test(unittest.TestCase):
    pass
print(Test.__name__)
"""


def test_time_machine_does_not_bring_test_libraries_into_the_program() -> None:
    """They would multiply the time of its import; a program that uses it on its own test case still may."""
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert said.stdout.split("\n")[:2] == ["[]", "Test"]
