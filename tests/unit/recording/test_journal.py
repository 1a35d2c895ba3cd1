"""The append-only journal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.clock import fresh_id
from kit.errors import EnvironmentFault
from kit.recording.journal import Journal, read_journal
from kit.recording.options import Sleep

HTTP = Interaction(
    1,
    "model",
    HttpRequest("POST", "http://x/", (("a", "b"),), b"{}"),
    HttpResponse(200, (("c", "d"),), b"\xff\x00", (1, 1), "ReadError: torn"),
    0,
    7,
)
TOOL = Interaction(
    2, "tool", ToolRequest("t", {"z": 1, "a": [2]}), ToolResponse("é", None, executed=True), 7, 8
)
OTHER = Interaction(3, "other", HttpRequest("GET", "http://p/", (), b""), HttpResponse(204), 8, 9)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, st.binary(), st.lists(st.integers(0, 9), max_size=3))
def test_interactions_survive_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, value: object, body: bytes, chunks: list[int]
) -> None:
    """Whatever a tool returned or a server sent comes back, key order and big integers included."""
    path = tmp_path_factory.getbasetemp() / f"{fresh_id()}.jsonl"
    tool = Interaction(1, "tool", ToolRequest("t", {"v": value}), ToolResponse(value), 0, 1)
    http = Interaction(
        2,
        "other",
        HttpRequest("PUT", "http://x/", (), body),
        HttpResponse(200, (), body, tuple(chunks)),
        1,
        2,
    )
    journal = Journal(path)
    journal.interaction(tool)
    journal.interaction(http)
    journal.end(2, 0)
    read = read_journal(path).result.interactions
    assert read == (tool, http)
    path.unlink()


def test_everything_that_was_said_is_read(tmp_path: Path) -> None:
    """Marks, violations, sleeps, and the order of number although they ended otherwise."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.start("tape", "record")
    journal.interaction(TOOL)
    journal.interaction(HTTP)
    journal.found("escapes", "went out")
    journal.found("notices", "by the way")
    journal.sleep(Sleep(1, 2, "a.py:3"))
    journal.end(9, 4)
    contents = read_journal(path)
    assert (contents.started, contents.ended, contents.pids) == (True, True, (os.getpid(),))
    result = contents.result
    assert result.interactions == (HTTP, TOOL)
    assert (result.escapes, result.notices) == (("went out",), ("by the way",))
    assert (result.sleeps, result.ended_ms, result.live_requests) == ((Sleep(1, 2, "a.py:3"),), 9, 4)


def test_a_torn_last_line_costs_only_itself(tmp_path: Path) -> None:
    """A kill in the middle of a write leaves what was written before, and no end."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.start("tape", "record")
    journal.interaction(HTTP)
    journal.interaction(TOOL)
    path.write_bytes(path.read_bytes()[:-9])
    contents = read_journal(path)
    assert contents.result.interactions == (HTTP,)
    assert contents.result.ended_ms == 7
    assert (contents.started, contents.ended) == (True, False)
    journal.end(0, 0)


def test_no_journal_is_nothing_intercepted(tmp_path: Path) -> None:
    """The file does not exist: not started, and nothing in it."""
    contents = read_journal(tmp_path / "never.jsonl")
    assert not contents.started
    assert not contents.ended
    assert contents.result.interactions == ()


def test_a_replay_is_made_whole_from_what_was_recorded(tmp_path: Path) -> None:
    """The other side looks up what was played and what is left; lane `other` is only a notice."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.start("tape", "replay")
    journal.played(2)
    journal.end(8, 0)
    result = read_journal(path).replayed((HTTP, TOOL, OTHER))
    assert result.interactions == (TOOL,)
    assert result.leftovers == (HTTP,)
    assert len(result.notices) == 1


def test_a_folder_that_is_missing_is_the_world_s_fault(tmp_path: Path) -> None:
    """The message names the file."""
    with pytest.raises(EnvironmentFault, match="nowhere"):
        Journal(tmp_path / "nowhere" / "j.jsonl")


def test_a_closed_journal_takes_nothing_more(tmp_path: Path) -> None:
    """A thread that is late after the end neither fails nor writes into another's file."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.end(1, 0)
    journal.interaction(HTTP)
    assert read_journal(path).result.interactions == ()


def test_damaged_lines_cost_only_themselves(tmp_path: Path) -> None:
    """A block of NUL, as after a power cut, and values of another kind are passed over and counted."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.start("tape", "record")
    journal.interaction(HTTP)
    with path.open("ab") as file:
        file.write(
            b"\x00" * 512 + b"\n" + b'{"interaction": {"number": 9}}\n{"played": ["x"]}\n{"start": 1}\n'
        )
    journal.interaction(TOOL)
    journal.end(9, 1)
    contents = read_journal(path)
    assert contents.damaged == 4
    assert contents.result.interactions == (HTTP, TOOL)
    assert (contents.played, contents.ended) == ((), True)


def test_a_full_disk_stops_the_run_and_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line was written: it is ended before the next, and the journal never gets its end mark."""
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.start("tape", "record")
    write, room = os.write, [30, 0]

    def nearly_full(fd: int, octets: bytes) -> int:
        left = room.pop(0) if room else len(octets)
        if left == 0:
            raise OSError(28, "No space left on device")
        return write(fd, octets[:left])

    monkeypatch.setattr(os, "write", nearly_full)
    with pytest.raises(EnvironmentFault, match="cannot be written: No space left") as caught:
        journal.interaction(HTTP)
    assert caught.value.where == str(path)
    journal.interaction(TOOL)
    with pytest.raises(EnvironmentFault, match="No space left"):
        journal.end(9, 1)
    contents = read_journal(path)
    assert contents.result.interactions == (TOOL,)
    assert (contents.damaged, contents.ended) == (1, False)


def test_a_write_that_takes_half_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system did not take at once follows."""
    journal = Journal(tmp_path / "j.jsonl")
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, octets: write(fd, octets[:7]))
    journal.interaction(HTTP)
    journal.end(9, 1)
    assert read_journal(tmp_path / "j.jsonl").result.interactions == (HTTP,)


def test_a_journal_that_cannot_be_read_is_the_world_s_fault(tmp_path: Path) -> None:
    """A folder in its place."""
    with pytest.raises(EnvironmentFault, match="cannot be read"):
        read_journal(tmp_path)


PROGRAM = """
import sys, time
from pathlib import Path
import httpx
from tests.fakes.model_server import serving, stream
from tests.fakes.runs import recording
from kit.recording.session import start
with serving(sse=stream(b"one", b"two", gate=__import__("threading").Event())) as server:
    with start(recording(Path(sys.argv[1]), journal=Path(sys.argv[1]) / "j.jsonl")):
        httpx.post(server.url + "/v1/chat/completions", json={"messages": []})
        with httpx.stream("GET", server.url + "/sse") as answer:
            for piece in answer.iter_bytes():
                print("streaming", flush=True)
"""


@pytest.mark.parametrize(
    ("sent", "finished", "ended"), [(signal.SIGINT, 2, True), (signal.SIGKILL, 1, False)]
)
def test_an_interrupted_program_loses_nothing_that_was_finished(
    tmp_path: Path, sent: signal.Signals, finished: int, ended: bool
) -> None:
    """Ctrl-C in mid-stream keeps even the torn stream; a kill keeps all that had ended."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdout is not None
        said = child.stdout.readline()
        child.send_signal(sent)
    assert said == b"streaming\n"
    contents = read_journal(tmp_path / "j.jsonl")
    assert contents.started
    assert contents.ended is ended
    assert len(contents.result.interactions) == finished
    if finished > 1:
        torn = contents.result.interactions[1].response
        assert isinstance(torn, HttpResponse)
        assert (torn.body, torn.failure) == (b"one", "Abandoned")
