"""What is told of golden runs without running any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.errors import ConfigError, EnvironmentFault, UsageError
from kit.gate.floor import Floor
from kit.golden.history import append, history_path
from kit.workflow.golden_log import golden_history, golden_trend, review_floors, unmeasured_floors
from kit.workflow.project import Project, open_project
from tests.fakes.repository import repository
from tests.unit.golden.test_passes import one_pass


def floors(root: Path, suite: str = "golden", **entries: int) -> None:
    """A floor file with these entries, of six each."""
    file = root / "baselines" / suite / "floor.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({name: {"passRate": hits, "of": 6} for name, hits in entries.items()}))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project."""
    for name in ("KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    return open_project(start=tmp_path)


def test_history_and_trend(project: Project) -> None:
    """The logged passes, and beside them the floor of their model."""
    assert golden_history(project) == ()
    assert golden_trend(project) == ()
    one = one_pass("hit", "miss")
    append(history_path(project.root, "golden"), [one])
    floors(project.root, m=1)
    assert golden_history(project) == (one,)
    (trend,) = golden_trend(project)
    assert (trend.passes, trend.floor) == ((one,), Floor(1, 6))
    floors(project.root, m=1, other=4)
    assert unmeasured_floors(project) == {"other": Floor(4, 6)}


def test_lowered_and_removed_floors_are_named(project: Project) -> None:
    """In every suite, against a commit; raised and new ones are not (S4-27)."""
    floors(project.root, low=4, gone=1, same=2)
    floors(project.root, "other", m=3)
    made = repository(project.root)
    made.commit("floors")
    floors(project.root, low=3, same=2, new=6)
    (project.root / "baselines/other/floor.json").unlink()
    review = review_floors(project, "HEAD")
    assert review.suites == ("golden", "other")
    assert review.lowered == (
        "golden: low: the floor 4/6 was lowered to 3/6",
        "golden: gone: the floor 1/6 was removed",
        "other: m: the floor 3/6 was removed",
    )


def test_nothing_lowered(project: Project) -> None:
    """A ref without floors has none to compare; other files of baselines are not looked at."""
    (project.root / "baselines" / "golden").mkdir(parents=True)
    (project.root / "baselines" / "golden" / "history.jsonl").write_text("")
    made = repository(project.root)
    made.commit("none")
    floors(project.root, m=1)
    review = review_floors(project, "HEAD")
    assert (review.lowered, review.suites, review.new) == ((), (), ("golden",))


def test_a_wrong_new_file_is_told_where_the_ref_has_none(project: Project) -> None:
    """Nothing can be lower than nothing, and still the file is no floor file."""
    (project.root / "a").write_text("a")
    repository(project.root).commit("none")
    floors(project.root, m=7)
    with pytest.raises(ConfigError, match="invalid floor file"):
        review_floors(project, "HEAD")


def test_a_git_that_does_not_answer_is_no_good_news(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a broken repository would have no lowered floor."""
    floors(project.root, m=4)
    repository(project.root).commit("floors")
    monkeypatch.setattr("kit.git.files_at", lambda *_: None)
    with pytest.raises(EnvironmentFault, match="git does not say"):
        review_floors(project, "HEAD")


def test_wrong_refs_and_files(project: Project) -> None:
    """Are told, here and there."""
    with pytest.raises(UsageError, match="in no git repository"):
        review_floors(project, "main")
    floors(project.root, m=7)
    made = repository(project.root)
    made.commit("wrong")
    with pytest.raises(ConfigError) as caught:
        review_floors(project, "HEAD")
    assert caught.value.where == "HEAD:baselines/golden/floor.json"
