"""What a session keeps while it runs."""

from __future__ import annotations

from pathlib import Path

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.journal import Journal, read_journal
from kit.recording.ledger import Ledger
from kit.recording.options import Sleep


def interaction(number: int, lane: str) -> Interaction:
    """An exchange of a lane."""
    request = HttpRequest("GET", f"http://x/{number}", (), b"")
    return Interaction(number, lane, request, HttpResponse(200), 0, 1)  # type: ignore[arg-type]


def test_the_result_and_the_journal_say_the_same(tmp_path: Path) -> None:
    """Whoever reads only the file knows as much as the session."""
    ledger = Ledger(Journal(tmp_path / "j"), tmp_path / "j")
    ledger.recorded(interaction(1, "model"))
    ledger.report("misses", "gone")
    ledger.report("misses", "gone")
    ledger.slept(Sleep(0, 5, "a.py:1"))
    ledger.slept(Sleep(5, 9, "a.py:1"))
    ledger.slept(Sleep(9, 10, "a.py:2"))
    result = ledger.close((), ended_ms=12, live_requests=1)
    assert read_journal(tmp_path / "j").result == result
    assert result.misses == ("gone",)
    assert result.sleeps == (Sleep(0, 9, "a.py:1"), Sleep(9, 10, "a.py:2"))


def test_leftovers_of_lane_other_are_only_a_notice(tmp_path: Path) -> None:
    """A price table that was not fetched again is no error (decision 7)."""
    ledger = Ledger(Journal(tmp_path / "j"))
    ledger.played(interaction(1, "model"))
    left = (interaction(2, "model"), interaction(3, "other"))
    result = ledger.close(left, ended_ms=0, live_requests=0)
    assert result.leftovers == left[:1]
    assert result.notices == ("not played again: GET http://x/3 (lane other)",)
    assert read_journal(tmp_path / "j").played == (1,)


def test_what_another_process_assembles_is_not_read_back(tmp_path: Path) -> None:
    """Under the wrapper the program's own process never holds its recording again."""
    ledger = Ledger(Journal(tmp_path / "j"))
    ledger.recorded(interaction(1, "model"))
    assert ledger.close((), ended_ms=12, live_requests=1).interactions == ()
    assert len(read_journal(tmp_path / "j").result.interactions) == 1


def test_a_beginning_that_was_served_stands_before_what_was_recorded(tmp_path: Path) -> None:
    """A run that leaves another recording has both."""
    ledger = Ledger(Journal(tmp_path / "j"), tmp_path / "j")
    ledger.played(interaction(1, "model"))
    ledger.recorded(interaction(2, "model"))
    result = ledger.close((), ended_ms=12, live_requests=1)
    assert [one.number for one in result.interactions] == [1, 2]
