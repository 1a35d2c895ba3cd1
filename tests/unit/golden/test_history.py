"""The log of passes: one JSON object a line, only ever appended to (S4-34)."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.errors import ConfigError
from kit.golden.history import append, history_path, line_of, read_history
from kit.golden.outcome import CaseOutcome
from kit.golden.passes import Pass
from tests.fakes.examples import costly
from tests.unit.golden.test_passes import WHEN, one_pass

ONE = one_pass("hit", "miss")


def changed(**fields: Any) -> bytes:
    """The line of a pass as somebody edited it."""
    return json.dumps({**json.loads(line_of(ONE)), **fields}).encode()


def test_a_line_says_when_who_and_how_each_case_ended() -> None:
    """S4-34: timestamp, model, hits, of, and the outcome of each case."""
    assert json.loads(line_of(ONE)) == {
        "timestamp": "2026-11-30T02:00:00Z",
        "model": "m",
        "pass": 1,
        "source": "live",
        "hits": 1,
        "of": 2,
        "cases": {"rf-0": {"kind": "hit"}, "rf-1": {"kind": "miss"}},
    }


@costly(30)
@given(
    st.builds(
        Pass,
        st.text(min_size=1),
        st.integers(1, 99),
        st.dictionaries(st.text(min_size=1), st.text(), max_size=4).map(
            lambda cases: tuple(
                CaseOutcome(case, "miss", "approved", text, len(text)) for case, text in cases.items()
            )
        ),
        st.just(WHEN),
        st.sampled_from(("live", "recorded")),
    )
)
def test_what_was_logged_reads_back(tmp_path_factory: pytest.TempPathFactory, one: Pass) -> None:
    """Whatever the model is called and says."""
    file = tmp_path_factory.mktemp("log") / "history.jsonl"
    append(file, [one])
    assert read_history(file) == (one,)


def test_appending_leaves_what_stands_there(tmp_path: Path) -> None:
    """Byte for byte; the folder is made."""
    file = history_path(tmp_path, "golden")
    assert append(file, [ONE]) == 1
    before = file.read_bytes()
    later = dataclasses.replace(ONE, when=WHEN + dt.timedelta(hours=1))
    assert append(file, [later]) == 1
    assert file.read_bytes().startswith(before)
    assert read_history(file) == (ONE, later)


def test_a_line_end_that_an_editor_cut_off(tmp_path: Path) -> None:
    """The next pass gets a line of its own; else neither could be read again."""
    file = tmp_path / "history.jsonl"
    file.write_text(line_of(ONE), encoding="utf-8")
    later = dataclasses.replace(ONE, when=WHEN + dt.timedelta(hours=1))
    assert append(file, [later]) == 1
    assert file.read_text("utf-8").startswith(line_of(ONE))
    assert read_history(file) == (ONE, later)


def test_a_pass_is_logged_once(tmp_path: Path) -> None:
    """A recorded pass is the same one wherever it is read; nothing new leaves the file alone."""
    file = tmp_path / "history.jsonl"
    append(file, [ONE])
    stamp = file.stat().st_mtime_ns
    assert append(file, [dataclasses.replace(ONE, source="recorded")]) == 0
    assert file.stat().st_mtime_ns == stamp


def test_a_merge_by_union_makes_no_second_pass(tmp_path: Path) -> None:
    """Two branches logged the same recorded pass; another pass with the same counts is another."""
    file = tmp_path / "history.jsonl"
    later = dataclasses.replace(ONE, when=WHEN + dt.timedelta(hours=1))
    file.write_text("".join(f"{line_of(one)}\n" for one in (ONE, later, ONE)), encoding="utf-8")
    assert read_history(file) == (ONE, later)


def test_no_file_is_no_history(tmp_path: Path) -> None:
    """And asking makes none."""
    assert read_history(tmp_path / "history.jsonl") == ()
    assert append(tmp_path / "history.jsonl", []) == 0
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "property name"),
        (b"[]", "object: "),
        (b"{}", "timestamp: Field required"),
        (b"<<<<<<< HEAD", "Expecting value"),
        (b"\xff", "can't decode byte 0xff"),
        (b"[" * 100_000, "recursion"),
        (changed(timestamp="yesterday"), "Invalid isoformat"),
        (changed(timestamp="2026-11-30T02:00:00"), "no time zone"),
        (changed(model=5), "model: "),
        (changed(**{"pass": "x"}), "pass: "),
        (changed(**{"pass": 0}), "pass: "),
        (changed(source="made up"), "source: "),
        (changed(cases={"rf-0": {"kind": "banana"}}), "cases.rf-0.kind: "),
        (changed(note="x"), "note: "),
        (changed(hits=2), "it says 2/2, and its cases are 1/2"),
        (changed()[:-1] + b', "hits": 1}', "hits stands there twice"),
    ],
)
def test_a_foreign_line_is_an_error_with_its_number(tmp_path: Path, line: bytes, why: str) -> None:
    """Never left out in silence, and never a bug of kit."""
    file = tmp_path / "history.jsonl"
    file.write_bytes(line_of(ONE).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(ConfigError) as caught:
        read_history(file)
    assert caught.value.where == "history.jsonl:3"
    assert why in str(caught.value.why)
