"""Baselines on disk: readable, deterministic, refused where they are wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.baseline import store
from kit.baseline.accepted import Acceptance, Accepted, CellId, Metrics, accept
from kit.errors import BaselineError, EnvironmentFault
from kit.oracle.result import OracleResult
from kit.scenario.complaint import check
from kit.scenario.tree import read_tree
from tests.fakes.examples import costly

FAILED = """\
schema_version: 1
suite: home
model: m:1b
scenario: '001_x'
verdict: fail
outcome: success
failures:
- 'outcome: the run ended as failure, expected success'
metrics:
  cost_micro_usd: null
  latency_ms: 2000
accepted:
  reason: first look
  owner: Roberto
  date: '2026-11-29'
"""


def test_path_of_a_cell() -> None:
    """Suites, models, variants and replicates have places of their own."""
    root = Path("/p")
    assert store.baseline_path(root, CellId("home", "gpt-oss:20b", "001_x")) == Path(
        "/p/baselines/home/gpt-oss-20b/001_x.yaml"
    )
    cell = CellId("home", "m", "001_x", "terse", 2)
    assert store.baseline_path(root, cell) == Path("/p/baselines/home/m/001_x.terse@2.yaml")


def test_text_is_for_people(result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """One value a line, in a fixed order, an unknown cost written as null."""
    assert store.dumps(accept(result("fail", cost_micro_usd=None), by_me)) == FAILED


def test_what_is_written_is_read(
    tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """Every cell of a suite and model comes back, and no other."""
    kept = [
        accept(result(), by_me),
        accept(result("fail", "002_y", variant="terse", replicate=2, cost_micro_usd=None), by_me),
    ]
    other = accept(result(model="other"), by_me)
    paths = [store.write(tmp_path, one) for one in (*kept, other)]
    assert store.load(tmp_path, "home", "m:1b") == {one.cell: one for one in kept}
    assert [path.read_text("utf-8") for path in paths[:2]] == [store.dumps(one) for one in kept]
    assert not list((tmp_path / "baselines").rglob(".*"))


def test_nothing_accepted_is_no_error(tmp_path: Path) -> None:
    """A project begins without baselines."""
    assert store.load(tmp_path, "home", "m") == {}


@costly(30)
@given(
    failure=st.text(min_size=1).filter(lambda text: text.isprintable() or "\n" in text),
    reason=st.one_of(
        st.text(min_size=1), st.sampled_from(["1e5", ".5", "No", "null", "~", "2026-01-01", "0x1f"])
    ),
    cost=st.none() | st.integers(min_value=0),
)
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, failure: str, reason: str, cost: int | None
) -> None:
    """What looks like a number, a date or a null to YAML stays the text that it was."""
    kept = Accepted(
        suite="home",
        model="1e5",
        scenario="001_x",
        verdict="fail",
        outcome="failure",
        failures=(failure, "two"),
        metrics=Metrics(cost_micro_usd=cost, latency_ms=0),
        accepted=Acceptance(reason=reason, owner="o", date="2026-11-29"),
    )
    file = tmp_path_factory.mktemp("b") / "x.yaml"
    file.write_bytes(store.dumps(kept).encode("utf-8"))
    tree = read_tree(file, "x.yaml")
    assert check(Accepted, tree) == kept, tree.problems


def test_all_problems_are_told_with_their_lines(tmp_path: Path) -> None:
    """Unknown keys, bad values and files in the wrong place are refused together."""
    folder = tmp_path / "baselines" / "home" / "m-1b"
    folder.mkdir(parents=True)
    (folder / "001_x.yaml").write_text(FAILED.replace("owner: Roberto", "ownr: Roberto"))
    (folder / "002_y.yaml").write_text(FAILED)
    (folder / "003_z.yaml").write_text(FAILED.replace("m:1b", "m-1b").replace("001_x", "003_z"))
    (folder / "004_z.yaml").write_text("")
    (folder / "005_z.yaml").write_text(FAILED.replace("schema_version: 1", "schema_version: 2"))
    (folder / "006_z.yaml").write_text(FAILED.replace("verdict: fail", "verdict: fail\nverdict: pass"))
    with pytest.raises(BaselineError) as caught:
        store.load(tmp_path, "home", "m:1b")
    text = str(caught.value)
    where = "baselines/home/m-1b"
    assert f"{where}/001_x.yaml:14: unknown key `accepted.ownr` (did you mean `owner`?)" in text
    assert f"{where}/001_x.yaml:12: `accepted.owner` is missing" in text
    assert f"{where}/002_y.yaml:4: says that it is about 001_x and belongs in {where}/001_x.yaml" in text
    assert f"{where}/003_z.yaml:3: is about suite home and model m-1b, not home and m:1b" in text
    assert f"{where}/004_z.yaml:1: the file is empty" in text
    assert f"{where}/005_z.yaml:1: `schema_version` must be 1" in text
    assert f"{where}/006_z.yaml:6: key `verdict` stands here a second time" in text
    assert caught.value.exit_code == 2


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is an error of the environment, and nothing of what was accepted is lost."""
    path = store.write(tmp_path, accept(result(), by_me))
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(EnvironmentFault, match="No space left on device"):
        store.write(tmp_path, accept(result("fail"), by_me))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_remove(tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance) -> None:
    """Taking back what is not there is no error."""
    kept = accept(result(), by_me)
    path = store.write(tmp_path, kept)
    assert store.remove(tmp_path, kept.cell) == path
    assert store.remove(tmp_path, kept.cell) == path
    assert not path.exists()


def test_a_folder_in_the_way_is_an_error_of_the_environment(
    tmp_path: Path, result: Callable[..., OracleResult], by_me: Acceptance
) -> None:
    """What the disk refuses is told with its path."""
    kept = accept(result(), by_me)
    store.baseline_path(tmp_path, kept.cell).mkdir(parents=True)
    with pytest.raises(EnvironmentFault, match="cannot be removed"):
        store.remove(tmp_path, kept.cell)
