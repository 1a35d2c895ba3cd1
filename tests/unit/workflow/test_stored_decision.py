"""Decisions between the stages of a commit, by what was staged."""

from __future__ import annotations

import os

from kit.workflow.stored_decision import KEPT, StoredDecision, find, store
from tests.fakes.stub_project import StubProject

ONE = StoredDecision(
    tree="a" * 40,
    exit_code=1,
    gate="block",
    files=("agent.py",),
    blocked={"home on m": ("001_x",)},
    reasons=("it fell",),
    folder=".kit/reports/x",
    override="why",
)


def test_is_found_by_its_content_alone(project: StubProject) -> None:
    """What was decided of other content is not there."""
    opened = project.open()
    store(opened, ONE)
    assert find(opened, ONE.tree) == ONE
    assert find(opened, "b" * 40) is None


def test_a_broken_or_renamed_file_decides_nothing(project: StubProject) -> None:
    """The next stage judges anew."""
    opened = project.open()
    store(opened, ONE)
    file = project.root / ".kit/gate" / f"{ONE.tree}.json"
    (file.parent / f"{'b' * 40}.json").write_text(file.read_text("utf-8"), "utf-8")
    assert find(opened, "b" * 40) is None
    for text in ("{", "[]", "{}", '{"files": 3}'):
        file.write_text(text, "utf-8")
        assert find(opened, ONE.tree) is None


def test_old_ones_go(project: StubProject) -> None:
    """A commit needs its decision for a few seconds."""
    opened = project.open()
    trees = [f"{number:040x}" for number in range(KEPT + 3)]
    for number, tree in enumerate(trees):
        store(opened, StoredDecision(tree=tree))
        os.utime(project.root / ".kit/gate" / f"{tree}.json", (number, number))
    store(opened, StoredDecision(tree="f" * 40))
    assert find(opened, trees[0]) is None
    assert find(opened, trees[-1]) is not None
    assert len(list((project.root / ".kit/gate").iterdir())) == KEPT
