"""What accepting would change is known before it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kit.baseline import store
from kit.baseline.accepted import Acceptance, CellId, accept
from kit.baseline.plan import Entry, apply, plan
from kit.baseline.trace_change import trace_change
from kit.oracle.result import OracleResult

LATER = Acceptance(reason="the prompt is better", owner="Ada", date="2026-12-01")


def test_actions(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """New and changed cells are written, equal ones kept, vanished ones removed, errors refused."""
    kept = [accept(result(scenario=name), by_me) for name in ("001_a", "002_b", "004_d", "005_e")]
    results = [
        result(scenario="001_a"),
        result("fail", "002_b"),
        result(scenario="003_c"),
        result("error", "004_d"),
    ]
    entries = plan({one.cell: one for one in kept}, results, LATER, complete=True)
    assert [(entry.change.cell.scenario, entry.action) for entry in entries] == [
        ("001_a", "keep"),
        ("002_b", "change"),
        ("003_c", "add"),
        ("004_d", "refuse"),
        ("005_e", "remove"),
    ]
    assert [entry.accepted.accepted for entry in entries if entry.accepted] == [LATER, LATER]


def test_differences_are_for_people(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """Each value that changes is told with old and new, failures as lines that come and go."""
    before = accept(result("fail", failures=("a", "b"), cost_micro_usd=None), by_me)
    after = result("fail", failures=("b", "c"), cost_micro_usd=5, latency_ms=1)
    [entry] = plan({before.cell: before}, [after], LATER, complete=False)
    assert entry.differences() == ("cost_micro_usd: unknown → 5", "latency_ms: 2000 → 1", "- a", "+ c")
    [fresh] = plan({}, [result("fail", failures=("c",), cost_micro_usd=None)], LATER, complete=False)
    assert fresh.differences() == (
        "verdict: fail",
        "outcome: success",
        "cost_micro_usd: unknown",
        "latency_ms: 2000",
        "+ c",
    )


def test_other_actions_say_why(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """A refused and a removed cell give their reason, a kept one has none to give."""
    kept = [accept(result(scenario=name), by_me) for name in ("001_a", "002_b")]
    results = [result(scenario="001_a"), result("skip", "003_c")]
    keep, refuse, remove = plan({one.cell: one for one in kept}, results, LATER, complete=True)
    assert keep.differences() == ()
    assert refuse.differences() == ("verdict skip says nothing about the agent and is not accepted",)
    assert remove.differences() == ("no such scenario runs any more",)


def test_planning_writes_nothing_and_applying_does(
    tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """Decision 16: the change can be shown first; what is kept is not touched."""
    kept = [accept(result(scenario=name), by_me) for name in ("001_a", "002_b", "003_c")]
    paths = [store.write(tmp_path, one) for one in kept]
    before = [path.read_bytes() for path in paths]
    accepted = store.load(tmp_path, "home", "m:1b")
    results = [result(scenario="001_a"), result("fail", "002_b"), result(scenario="004_d")]
    entries = plan(accepted, results, LATER, complete=True)
    assert [path.read_bytes() for path in paths] == before
    touched = apply(tmp_path, entries)
    assert [path.name for path in touched] == ["002_b.yaml", "004_d.yaml", "003_c.yaml"]
    assert paths[0].read_bytes() == before[0]
    after = store.load(tmp_path, "home", "m:1b")
    assert {cell.scenario: one.verdict for cell, one in after.items()} == {
        "001_a": "pass",
        "002_b": "fail",
        "004_d": "pass",
    }
    again = plan(after, results, by_me, complete=True)
    assert {entry.action for entry in again} == {"keep"}
    assert apply(tmp_path, again) == ()


def test_traces_are_planned_with_their_baselines(
    tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """A new trace is counted, another one is told by its drift, an equal one is left alone."""
    facts, other = ({"steps": [{"kind": "answer", "text": text}]} for text in ("salve", "ciao"))
    run = result()
    cell = CellId.of(run)

    def planned(root: Path, facts: dict[str, Any]) -> Entry:
        known = store.load(root, "home", "m:1b")
        trace = trace_change(root, known.get(cell), run, facts)
        [entry] = plan(known, [run], LATER, complete=True, traces={cell: trace})
        return entry

    first = planned(tmp_path, facts)
    assert (first.action, first.differences()[-1]) == ("add", "trace: 1 step")
    assert [path.name for path in apply(tmp_path, [first])] == ["001_x.yaml", "001_x.trace.yaml"]
    assert planned(tmp_path, facts).action == "keep"
    changed = planned(tmp_path, other)
    assert changed.action == "change"
    assert changed.differences() == ("final answer: the answer: «‹salve›» → «‹ciao›»",)
    assert changed.accepted is not None
    older = tmp_path / "older"
    store.write(older, accept(run, by_me))
    added = planned(older, facts)
    assert (added.action, added.accepted, added.differences()) == ("change", None, ("trace: 1 step",))
    assert [path.name for path in apply(older, [added])] == ["001_x.trace.yaml"]
    assert store.load(older, "home", "m:1b")[cell].accepted == by_me
    assert store.remove(older, cell).name == "001_x.yaml"
    assert not list((older / "baselines").rglob("*.yaml"))
