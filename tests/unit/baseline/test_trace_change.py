"""A run beside what was accepted of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kit.baseline import store
from kit.baseline.accepted import Acceptance, accept
from kit.baseline.trace_change import trace_change
from kit.oracle.result import OracleResult

FACTS: dict[str, Any] = {"steps": [{"kind": "answer", "text": "salve"}]}
OTHER: dict[str, Any] = {"steps": [{"kind": "answer", "text": "ciao"}]}
Make = Callable[..., OracleResult]


def test_nothing_was_accepted(tmp_path: Path, result: Make) -> None:
    """Then nothing has changed, and the trace would be the first."""
    found = trace_change(tmp_path, None, result(), FACTS)
    assert (found.is_new, found.is_kept, found.drift, found.facts) == (True, False, (), FACTS)


def test_an_older_baseline_has_no_trace(tmp_path: Path, result: Make, by_me: Acceptance) -> None:
    """Its values are compared all the same."""
    found = trace_change(tmp_path, accept(result(), by_me), result(latency_ms=1000), FACTS)
    assert (found.is_new, found.is_kept) == (True, False)
    assert [one.sentence for one in found.drift] == ["2000 ms → 1000 ms (-50 %)"]


def test_an_equal_trace_is_not_read(tmp_path: Path, result: Make, by_me: Acceptance) -> None:
    """Its digest is enough; a file that is broken behind it would not be noticed before it matters."""
    accepted = accept(result(), by_me)
    store.write_skeleton(tmp_path, accepted.cell, FACTS)
    found = trace_change(tmp_path, accepted, result(), FACTS)
    assert (found.is_new, found.is_kept, found.drift) == (False, True, ())


def test_another_trace_is_told(tmp_path: Path, result: Make, by_me: Acceptance) -> None:
    """And one that was edited by hand into what the run gave is none."""
    accepted = accept(result(), by_me)
    path = store.write_skeleton(tmp_path, accepted.cell, FACTS)
    found = trace_change(tmp_path, accepted, result(), OTHER)
    assert (found.is_new, found.is_kept) == (False, False)
    assert [one.sentence for one in found.drift] == ["the answer: «‹salve›» → «‹ciao›»"]
    path.write_text(path.read_text("utf-8").replace("salve", "ciao"), "utf-8")
    assert trace_change(tmp_path, accepted, result(), OTHER).is_kept
