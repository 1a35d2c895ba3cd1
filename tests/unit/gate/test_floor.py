"""Floors: every case of the statistics file, section 8, that needs no run (F01 … F09, F13)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kit.errors import ConfigError
from kit.gate.floor import Floor, compare, floor_path, lowered, parse_floors, read_floors

MODEL = "gpt-oss:20b"
FOUR = {MODEL: Floor(4, 6)}


def parsed(value: Any) -> dict[str, Floor]:
    """The floors of a file with this content."""
    return parse_floors(json.dumps(value).encode(), "baselines/golden/floor.json")


def test_f01_equal_to_the_floor_passes() -> None:
    """The comparison is >=, never >."""
    verdict = compare(FOUR, MODEL, 4, 6)
    assert verdict.is_met
    assert verdict.hint is None
    assert verdict.sentence == "4/6 holds the floor 4/6 of gpt-oss:20b"


def test_f02_below_the_floor_fails() -> None:
    """Both numbers are named."""
    verdict = compare(FOUR, MODEL, 3, 6)
    assert not verdict.is_met
    assert verdict.sentence == "3/6 is below the floor 4/6 of gpt-oss:20b"


def test_f03_above_the_floor_passes_with_a_hint(tmp_path: Path) -> None:
    """A person may raise it; the file stays as it is, byte for byte and with its time."""
    file = floor_path(tmp_path, "golden")
    file.parent.mkdir(parents=True)
    file.write_text('{"gpt-oss:20b":\n  {"passRate": 4, "of": 6}}', encoding="utf-8")
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    verdict = compare(read_floors(tmp_path, "golden"), MODEL, 6, 6)
    assert verdict.is_met
    assert verdict.hint is not None
    assert "a person may raise it" in verdict.hint
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_f04_no_entry_fails_and_says_the_line_to_add(tmp_path: Path) -> None:
    """The message has the model, the count and the JSON line; no file is made."""
    verdict = compare(read_floors(tmp_path, "golden"), MODEL, 5, 6)
    assert not verdict.is_met
    assert "gpt-oss:20b, observed 5/6" in verdict.sentence
    line = verdict.sentence.rpartition("like ")[2]
    assert json.loads(f"{{{line}}}") == {MODEL: {"passRate": 5, "of": 6}}
    assert not any(tmp_path.iterdir())


def test_f05_a_set_that_grew_fails() -> None:
    """The ratio is never scaled; both totals are named."""
    verdict = compare(FOUR, MODEL, 4, 7)
    assert not verdict.is_met
    assert "floor of gpt-oss:20b is of 6, the set has 7" in verdict.sentence


def test_f06_the_runs_of_the_source_with_qwen() -> None:
    """All five hold the floor, which is the least of them."""
    runs = (1, 3, 2, 4, 5)
    floors = {"qwen2.5-coder:latest": Floor(1, 6)}
    assert all(compare(floors, "qwen2.5-coder:latest", hits, 6).is_met for hits in runs)
    assert min(runs) == 1


def test_f07_the_runs_of_the_source_with_gpt_oss() -> None:
    """Both hold the floor."""
    assert all(compare(FOUR, MODEL, hits, 6).is_met for hits in (5, 4))


@pytest.mark.parametrize(
    "entry",
    [
        {"passRate": 7, "of": 6},
        {"passRate": -1, "of": 6},
        {"passRate": "4", "of": 6},
        {"passRate": 4.0, "of": 6},
        {"passRate": True, "of": 6},
        {"passRate": 4, "of": True},
        {"passRate": 0, "of": 0},
        {"passRate": None, "of": 6},
        {"passRate": 4},
        {"passRate": 4, "of": 6, "note": "x"},
        4,
        [4, 6],
    ],
)
def test_f08_what_is_no_count_is_an_invalid_file(entry: Any) -> None:
    """A bool is not an int, and neither is 4.0; the entry is named."""
    with pytest.raises(ConfigError, match="invalid floor file: gpt-oss:20b") as caught:
        parsed({MODEL: entry})
    assert caught.value.where == "baselines/golden/floor.json"
    assert caught.value.exit_code == 2


def test_f08_all_wrong_entries_are_told_at_once() -> None:
    """And the right ones are not."""
    with pytest.raises(ConfigError) as caught:
        parsed({"a": {"passRate": 7, "of": 6}, "b": {"passRate": 1, "of": 6}, "c": 3})
    assert "a: 7 of 6" in str(caught.value)
    assert "c: must have" in str(caught.value)
    assert "b:" not in str(caught.value)


def test_f09_a_floor_of_zero_passes_and_warns() -> None:
    """It gates nothing, which somebody should know."""
    verdict = compare({MODEL: Floor(0, 6)}, MODEL, 0, 6)
    assert verdict.is_met
    assert verdict.hint == "the floor 0/6 of gpt-oss:20b gates nothing"


def test_f13_models_are_compared_letter_by_letter() -> None:
    """Another case is another model."""
    floors = parsed({"Model:latest": {"passRate": 1, "of": 6}})
    assert compare(floors, "Model:latest", 1, 6).is_met
    assert "there is no floor for model:latest" in compare(floors, "model:latest", 6, 6).sentence


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "Expecting value"),
        (b"[]", "must hold an object"),
        (b'{"m": {"passRate": 1, "of": 6}, "m": {"passRate": 2, "of": 6}}', "m stands there twice"),
        (b"\xff", "codec can't decode"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_a_file_that_is_no_object_is_invalid(text: bytes, why: str) -> None:
    """With the reason; a model that stands there twice would hide a lowered floor."""
    with pytest.raises(ConfigError, match=why):
        parse_floors(text, "f")


def test_lowered_and_removed_entries_are_named() -> None:
    """New and raised ones are not."""
    before = {name: Floor(4, 6) for name in ("low", "gone", "grown", "raised", "same")}
    now = {
        "low": Floor(3, 6),
        "grown": Floor(4, 7),
        "raised": Floor(5, 6),
        "same": Floor(4, 6),
        "new": Floor(1, 6),
    }
    assert lowered(before, now) == (
        "low: the floor 4/6 was lowered to 3/6",
        "gone: the floor 4/6 was removed",
        "grown: the floor 4/6 became 4/7, another total: not comparable",
    )
