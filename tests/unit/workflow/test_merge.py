"""The shards of a run, put together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.harness.shard import Shard
from kit.workflow.merge import merge
from kit.workflow.scenarios import RunOutcome
from tests.fakes.stub_project import StubProject


def shards(project: StubProject, count: int = 2) -> list[Path]:
    found = []
    for number in range(1, count + 1):
        outcome = project.replay(shard=Shard(number, count))
        assert outcome.folder is not None
        found.append(project.root / outcome.folder)
    return found


def said(outcome: RunOutcome) -> list[str]:
    return [report.model_dump_json(exclude={"timestamp"}) for report in outcome.reports]


@pytest.fixture
def three(project: StubProject) -> StubProject:
    for name in ("001_x", "002_y", "003_z"):
        project.scenario(name, says="ciao" if name != "003_z" else "salve")
    project.record()
    return project


def test_the_whole_comes_out_as_without_shards(three: StubProject) -> None:
    """Reports, exit code and traces; in a report folder of its own."""
    whole = three.replay()
    merged = merge(three.open(), shards(three, 3))
    assert said(merged) == said(whole)
    assert (merged.exit_code, merged.root) == (whole.exit_code, three.root)
    assert merged.folder is not None
    traces = sorted(path.name for path in (three.root / merged.folder / "home/stub/traces").iterdir())
    assert traces == ["001_x.jsonl", "002_y.jsonl", "003_z.jsonl"]


def test_strictness_is_the_merges_own(three: StubProject) -> None:
    """A warning stops only if told so."""
    parts = shards(three)
    assert merge(three.open(), parts).exit_code == 0
    assert merge(three.open(), parts, strict=True).exit_code == 1


def test_another_project_is_refused(three: StubProject) -> None:
    """Its scenarios are others."""
    parts = shards(three)
    (three.root / "scenarios/home/002_y.yaml").unlink()
    with pytest.raises(UsageError, match="it has no home/002_y"):
        merge(three.open(), parts)


def test_a_path_out_of_the_folder_is_refused(three: StubProject) -> None:
    """Results come from another machine."""
    parts = shards(three)
    for part in parts:
        file = part / "results.jsonl"
        text = file.read_text("utf-8").replace("traces/001_x.jsonl", "../../../../../secret.txt")
        file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="lies outside the folder of its report"):
        merge(three.open(), parts)


def test_nothing_to_merge(three: StubProject) -> None:
    """And a shard that is not there."""
    with pytest.raises(UsageError, match="there are no results to merge"):
        merge(three.open(), [])
    parts = shards(three)
    shutil.rmtree(parts[0])
    with pytest.raises(UsageError, match="there are no results at"):
        merge(three.open(), parts)
