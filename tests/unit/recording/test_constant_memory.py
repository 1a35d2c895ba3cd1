"""How much memory recording takes, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, resource, sys, tracemalloc
from pathlib import Path
from kit.cassette.cassette import Cassette
from kit.cassette.store import write
from kit.recording.session import start
from kit.recording.wrapper.assembly import assemble
from tests.fakes.cassettes import header
from tests.fakes.runs import recording

count, folder = int(sys.argv[1]), Path(sys.argv[2])
JSON = [("content-type", "application/json")]

def run():
    (folder / "journals").mkdir()
    options = recording(folder, journal=folder / "journals" / "j.jsonl", is_wrapped=True)
    messages = []
    with start(options) as session:
        for number in range(count):
            # Conversations of 20 turns, each turn about 400 bytes: a request of 4 kB in the middle.
            messages = messages if number % 20 else []
            messages.append({"role": "user", "content": f"turn {number} " + "x" * 180})
            body = json.dumps({"model": "m", "messages": messages}).encode()
            ticket = session.begin_http("POST", "http://h/v1/chat/completions", JSON, body)
            ticket.head(200, JSON)
            said = {"role": "assistant", "content": f"answer {number} " + "y" * 180}
            answer = {"model": "m", "choices": [{"message": said, "finish_reason": "stop"}]}
            ticket.chunk(json.dumps(answer).encode())
            ticket.end()
            messages.append(said)

def peak(call):
    tracemalloc.start()
    call()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size

def put_together():
    write(folder / "c.yaml", Cassette(header(), assemble(folder, None).session.interactions))

warm = json.dumps({})
import kit.cassette.emit
told = {"running": peak(run), "journal": (folder / "journals" / "j.jsonl").stat().st_size}
if len(sys.argv) > 3:
    told |= {"assembly": peak(put_together), "cassette": (folder / "c.yaml").stat().st_size}
told["rss_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps(told))
"""


def measured(folder: Path, count: int, *more: str) -> dict[str, int]:
    """Bytes at the peak of recording `count` calls, and the size of what was written."""
    folder.mkdir()
    command = [sys.executable, "-c", PROGRAM, str(count), str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr
    told: dict[str, int] = json.loads(done.stdout)
    return told


@pytest.mark.slow
def test_ten_times_the_calls_take_no_more_memory(tmp_path: Path) -> None:
    """What was recorded is in the journal and nowhere else."""
    few, many = measured(tmp_path / "few", 20), measured(tmp_path / "many", 200)
    assert many["journal"] > 9 * few["journal"]
    assert many["running"] < 1.25 * few["running"] + 30_000


@pytest.mark.slow
def test_two_thousand_calls_take_the_memory_of_two_hundred(tmp_path: Path) -> None:
    """And putting the cassette together takes a few times the journal, which is said in the documentation."""
    few = measured(tmp_path / "few", 200)
    many = measured(tmp_path / "many", 2000, "assemble")
    assert many["journal"] > 9 * few["journal"]
    assert many["running"] < 1.25 * few["running"] + 250_000
    assert many["assembly"] < 12 * many["journal"]
