"""A commit's three stages with real git and real pre-commit: blocked, let through, logged, left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.gate.regressions import LOG, entries
from tests.fakes.git_project import GitProject, git_project

WHERE = "quiz on stub"


@pytest.fixture
def project(tmp_path: Path) -> GitProject:
    """A repository with kit's stages installed."""
    return git_project(tmp_path)


def decisions(project: GitProject) -> list[dict[str, object]]:
    files = sorted((project.root / ".kit/gate").glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return [json.loads(path.read_text("utf-8")) for path in files]


@pytest.mark.slow  # test_s2_46_09 of test_invariants.py goes the short way
def test_a_regression_is_blocked_then_let_through_and_logged_once(project: GitProject) -> None:
    """S2-46 (9): no reason, no commit; with one it passes and the log has one line more."""
    before = project.head()
    project.says("Lyon.")
    blocked = project.commit("Answer from memory")
    assert blocked.code != 0
    assert "001_france was accepted as pass and fails" in blocked.said
    assert "the commit is stopped, exit code 1" in blocked.said
    assert project.head() == before
    assert project.log() == ""

    passed = project.commit("Answer from memory\n\neval-override: Lyon was the capital | for a day")
    assert passed.code == 0, passed.said
    assert "gate: block, overridden: Lyon was the capital | for a day" in passed.said
    (entry,) = entries(project.log())
    assert (entry.commit, entry.reason) == (project.head(), "Lyon was the capital | for a day")
    assert entry.blocked == {WHERE: ("success_rate", "001_france")}
    folder = project.root / str(decisions(project)[-1]["folder"])
    report = json.loads((folder / "quiz/stub/report.json").read_text("utf-8"))
    assert (report["gate"], report["overridden"]) == ("block", True)

    again = project.tiny.installed_kit("hook", "post-commit")
    assert again.code == 0
    assert "has the entry of this commit already" in again.out
    assert entries(project.log()) == (entry,)

    following = project.commit("Log it")
    assert following.code == 0, following.said
    assert "nothing was replayed" in following.said
    assert LOG in project.git("show", "--stat", "--format=", "HEAD").out
    assert entries(project.log()) == (entry,)


@pytest.mark.slow  # without pre-commit: test_nothing_to_replay of tests/unit/workflow/test_hook.py
def test_a_commit_that_touches_no_run_is_left_alone(project: GitProject) -> None:
    """Prose is committed without a replay, and an override in its message writes nothing."""
    reports = list((project.root / ".kit/reports").iterdir())
    project.tiny.write("README.md", "A quiz about capitals.\n")
    done = project.commit("Say more\n\neval-override: just in case")
    assert done.code == 0, done.said
    assert "nothing staged can change a run; nothing was replayed" in done.said
    assert list((project.root / ".kit/reports").iterdir()) == reports
    assert project.log() == ""


@pytest.mark.slow
def test_no_reason_passes_a_cassette_that_does_not_match(project: GitProject) -> None:
    """Exit code 3 says that nothing was proved, and there is nothing to answer for (decision 14)."""
    before = project.head()
    project.tiny.changed_agent("one short sentence", "one brief sentence")
    done = project.commit("Reword the prompt\n\neval-override: it means the same")
    assert done.code != 0
    assert "the commit is stopped, exit code 3" in done.said
    assert "an override passes a block of the gate, never this" in done.said
    assert project.head() == before
    assert project.log() == ""


@pytest.mark.slow
def test_what_is_staged_counts_and_not_what_lies_there(project: GitProject) -> None:
    """A staged regression is blocked though the folder is right again; pre-commit puts the folder back."""
    right = (project.root / "tiny_agent.py").read_text("utf-8")
    project.says("Lyon.")
    project.git("add", "tiny_agent.py")
    project.tiny.write("tiny_agent.py", right)
    done = project.git("commit", "-m", "Answer from memory", check=False)
    assert done.code != 0
    assert "001_france was accepted as pass and fails" in done.said
    assert (project.root / "tiny_agent.py").read_text("utf-8") == right


@pytest.mark.slow
def test_an_index_of_its_own(project: GitProject) -> None:
    """`git commit FILE` stages into another index than `git add`; the stages look at that one."""
    project.says("Lyon.")
    done = project.git("commit", "-m", "Answer from memory", "tiny_agent.py", check=False)
    assert done.code != 0
    assert "the commit is stopped, exit code 1" in done.said
    passed = project.git("commit", "-m", "x\n\neval-override: a joke", "tiny_agent.py", check=False)
    assert passed.code == 0, passed.said
    assert [entry.reason for entry in entries(project.log())] == ["a joke"]
