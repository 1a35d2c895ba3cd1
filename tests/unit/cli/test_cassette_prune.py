"""`kit cassette prune`."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.tiny_project import TinyProject, tiny_project


def test_lists_first_and_deletes_when_told(tmp_path: Path) -> None:
    """A renamed scenario leaves its old recording."""
    tiny: TinyProject = tiny_project(tmp_path)
    assert tiny.kit("record", "--model", "stub").code == 0
    (tmp_path / "scenarios/quiz/001_france.yaml").unlink()
    tiny.scenario("002_italy")
    listed = tiny.kit("cassette", "prune")
    assert listed.code == 0
    assert "no owner: cassettes/quiz/stub/001_france.yaml" in listed.out
    assert tiny.cassette().exists()
    assert "deleted: cassettes/quiz/stub/001_france.yaml" in tiny.kit("cassette", "prune", "--yes").out
    assert not tiny.cassette().exists()
