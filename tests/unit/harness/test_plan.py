"""Which runs a command means."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.paths import cassette_path, judge_path
from kit.cassette.store import write, write_partial
from kit.errors import CassetteMissing, UsageError
from kit.harness.plan import Cell, Fork, cells_to_record, cells_to_replay, record_command, recorded_models
from tests.builders import cell, chat, header, selected

ONE, TWO = selected("001_x"), selected("002_y")


def recorded(root: Path, name: str, model: str = "m:1b", suite: str = "home", **more: object) -> Path:
    """A cassette on disk."""
    path = cassette_path(root, suite, model, name, **more)  # type: ignore[arg-type]
    write(path, Cassette(header(suite=suite, scenario=name, model=model), (chat(),)))
    return path


def named(cells: tuple[Cell, ...]) -> list[tuple[str, str, int]]:
    """Scenario, model and replicate of each."""
    return [(one.selected.scenario.id, one.model, one.replicate) for one in cells]


def test_record_means_every_scenario_and_replicate() -> None:
    """Replicates of a scenario stand together, counted from 1: the number is the seed (decision 21)."""
    cells = cells_to_record((ONE, TWO), "m:1b", Path("/nowhere"), replicates=2)
    assert named(cells) == [
        ("001_x", "m:1b", 1),
        ("001_x", "m:1b", 2),
        ("002_y", "m:1b", 1),
        ("002_y", "m:1b", 2),
    ]


def test_a_variant_is_not_recorded_by_itself(tmp_path: Path) -> None:
    """Its beginning lies in another recording, and a plain run in its place would lose it."""
    with pytest.raises(UsageError, match=r"001_x\.terse@2 is not recorded by itself") as refused:
        cells_to_record((TWO, ONE), "m:1b", tmp_path, samples={ONE.path: [(None, 1), ("terse", 2)]})
    assert refused.value.why == "a variant is left from its recording"
    assert refused.value.next_command == (
        "kit replay 001_x@2 --model m:1b --until STEP --then live --as terse"
    )


def test_a_command_records_what_is_played(tmp_path: Path) -> None:
    """A plain run is recorded, a fork is left once more, and a run that leaves a recording plays that one."""
    source = recorded(tmp_path, "001_x", replicate=2)
    plain = "kit record --model m:1b 001_x@2"
    assert record_command(cell(replicate=2), tmp_path) == plain
    assert record_command(cell(replicate=2, variant="tried", fork=Fork(source, 1)), tmp_path) == plain
    fork = cassette_path(tmp_path, "home", "m:1b", "001_x", "tried")
    told = header(variant="tried", fork={"of": source.relative_to(tmp_path).as_posix(), "until": 1})
    write(fork, Cassette(told, (chat(),)))
    left = "kit replay 001_x@2 --model m:1b --until 1 --then live --as tried"
    assert record_command(cell(variant="tried"), tmp_path) == left
    assert record_command(cell(variant="again", fork=Fork(fork, 1)), tmp_path) == left


@pytest.mark.parametrize("of_others", [(), ("m:2b",)])
def test_a_variant_that_nobody_left(tmp_path: Path, of_others: tuple[str, ...]) -> None:
    """The command that makes it, not one that records the plain run."""
    for model in ("m:1b", *of_others):
        recorded(tmp_path, "001_x", model=model)
    with pytest.raises(CassetteMissing) as missing:
        cells_to_replay((ONE,), None, tmp_path, samples={ONE.path: [("nope", None)]})
    assert missing.value.what == "nothing is recorded for home/001_x.nope on m:1b"
    assert missing.value.next_command == ("kit replay 001_x --model m:1b --until STEP --then live --as nope")


def test_replay_means_every_recorded_model_and_replicate(tmp_path: Path) -> None:
    """Tags come from the headers, since `:` is no part of a folder's name; order is model, then scenario."""
    recorded(tmp_path, "001_x", model="m:2b")
    for replicate in (1, 2, 10):
        recorded(tmp_path, "001_x", replicate=replicate)
    assert named(cells_to_replay((ONE,), None, tmp_path)) == [
        ("001_x", "m:1b", 1),
        ("001_x", "m:1b", 2),
        ("001_x", "m:1b", 10),
        ("001_x", "m:2b", 1),
    ]


def test_scenario_that_a_model_lacks_is_in_the_plan(tmp_path: Path) -> None:
    """S2-17: a model recorded only in part gets cells without a cassette, whose runs are errors."""
    recorded(tmp_path, "001_x")
    recorded(tmp_path, "001_x", model="m:2b")
    recorded(tmp_path, "002_y", model="m:2b")
    cells = cells_to_replay((ONE, TWO), None, tmp_path)
    assert named(cells) == [
        ("001_x", "m:1b", 1),
        ("002_y", "m:1b", 1),
        ("001_x", "m:2b", 1),
        ("002_y", "m:2b", 1),
    ]
    assert [one.cassette(tmp_path).exists() for one in cells] == [True, False, True, True]


def test_suite_without_any_recording_is_in_the_plan(tmp_path: Path) -> None:
    """S2-17: a suite that nobody recorded is missed under the project's model, not left out."""
    recorded(tmp_path, "001_x")
    other = selected("001_z", suite="work")
    assert named(cells_to_replay((ONE, other), None, tmp_path, to_record="gpt")) == [
        ("001_x", "m:1b", 1),
        ("001_z", "gpt", 1),
    ]


def test_one_model_only(tmp_path: Path) -> None:
    """`--model` plays that model's cassettes and no other's."""
    recorded(tmp_path, "001_x")
    recorded(tmp_path, "001_x", model="m:2b")
    assert named(cells_to_replay((ONE,), "m:2b", tmp_path)) == [("001_x", "m:2b", 1)]


def test_judges_and_variants_are_no_replicates(tmp_path: Path) -> None:
    """Beside `001_x.yaml` may stand `001_x.judge.yaml`, `001_x.terse.yaml` and `001_xy.yaml`."""
    path = recorded(tmp_path, "001_x")
    write(judge_path(path), Cassette(header(kind="judge", model="judge:7b"), (chat(),)))
    recorded(tmp_path, "001_x", variant="terse")
    recorded(tmp_path, "001_xy")
    assert named(cells_to_replay((ONE,), None, tmp_path)) == [("001_x", "m:1b", 1)]


@pytest.mark.parametrize(("model", "advised"), [(None, "gpt"), ("m:9b", "m:9b")])
def test_nothing_recorded_at_all(tmp_path: Path, model: str | None, advised: str) -> None:
    """The message names the command that records; exit code 3."""
    with pytest.raises(CassetteMissing) as missing:
        cells_to_replay((ONE,), model, tmp_path, to_record="gpt")
    assert missing.value.next_command == f"kit record --model {advised}"
    assert "home" in str(missing.value)


def test_recorded_models_are_named_where_another_was_asked_for(tmp_path: Path) -> None:
    """A mistyped tag is seen beside the right ones; without a tag there is none to mistype."""
    recorded(tmp_path, "001_x")
    with pytest.raises(CassetteMissing) as missing:
        cells_to_replay((ONE,), "m:1", tmp_path)
    assert (missing.value.what, missing.value.why) == (
        "nothing is recorded for home on m:1",
        "recorded models: m:1b",
    )
    with pytest.raises(CassetteMissing) as missing:
        cells_to_replay((TWO,), "m:1b", tmp_path)
    assert missing.value.why is None


def test_partial_recordings_are_nothing_recorded(tmp_path: Path) -> None:
    """An interrupted recording is never replayed."""
    write_partial(cassette_path(tmp_path, "home", "m:1b", "001_x"), Cassette(header(), (chat(),)))
    assert list(recorded_models(tmp_path / "cassettes" / "home")) == []
    with pytest.raises(CassetteMissing):
        cells_to_replay((ONE,), None, tmp_path)


def test_unreadable_cassettes_stay_in_the_plan(tmp_path: Path) -> None:
    """A model whose files are all broken goes by its folder's name: its runs tell what is wrong."""
    recorded(tmp_path, "001_x").write_text("{", encoding="utf-8")
    assert named(cells_to_replay((ONE,), None, tmp_path)) == [("001_x", "m-1b", 1)]


def test_no_folder_has_no_models(tmp_path: Path) -> None:
    """A suite that was never recorded has none."""
    assert list(recorded_models(tmp_path / "cassettes" / "home")) == []


def test_cell_names_its_cassette() -> None:
    """X-04: the replicate is part of the cassette's identity, and so is the variant."""
    root = Path("/p")
    folder = root / "cassettes" / "home" / "m-1b"
    assert cell().cassette(root) == folder / "001_x.yaml"
    assert cell(replicate=2, variant="terse").cassette(root) == folder / "001_x.terse@2.yaml"
    assert cell().name == "home/001_x on m:1b"
    assert cell(replicate=2, variant="terse").name == "home/001_x.terse@2 on m:1b"
