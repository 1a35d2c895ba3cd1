"""What CI asks of a branch."""

from __future__ import annotations

import pytest

from kit.errors import UsageError
from kit.gate.regressions import LOG, entries
from kit.workflow.accept import accept
from kit.workflow.branch_gate import BranchGate, gate_branch
from kit.workflow.hook import judge_staged, log_commit, read_log
from tests.unit.workflow.conftest import Judged


@pytest.fixture
def branch(judged: Judged) -> Judged:
    """A branch of `main` without a commit of its own."""
    judged.repository.git("checkout", "-q", "-b", "work")
    return judged


def gate(branch: Judged, *, strict: bool = False, log: bool = False) -> BranchGate:
    return gate_branch(branch.project.open(), "main", strict=strict, log=log)


def overridden(branch: Judged) -> None:
    """A regression that was committed with a reason, through the stages."""
    branch.regress()
    opened = branch.project.open()
    judge_staged(opened)
    branch.repository.commit("Expect more\n\neval-override: it was too mild")
    assert log_commit(opened).is_new


def test_a_branch_that_changes_nothing_passes(branch: Judged) -> None:
    """It is compared with what was accepted where it left its base."""
    found = gate(branch)
    assert (found.exit_code, found.problems, found.overrides) == (0, (), ())
    assert found.start == branch.repository.git("rev-parse", "main")


def test_a_regression_blocks_even_where_it_was_accepted_on_the_branch(branch: Judged) -> None:
    """What is accepted is up to the base until the merge."""
    branch.regress()
    branch.repository.commit("Expect more")
    assert gate(branch).exit_code == 1
    accept(
        branch.project.open(),
        wanted=(),
        only=(),
        model=None,
        reason="so be it",
        dry_run=False,
        show=lambda _: None,
    )
    branch.repository.commit("Accept it")
    assert branch.project.replay().exit_code == 0
    assert gate(branch).exit_code == 1


def test_a_reason_with_its_entry_passes(branch: Judged) -> None:
    """The entry has to be committed; the gate stays what it is (S2-37)."""
    overridden(branch)
    missing = gate(branch)
    assert missing.exit_code == 1
    assert any(f"has no entry in {LOG}" in problem for problem in missing.problems)
    branch.repository.commit("Log it")
    found = gate(branch)
    assert (found.exit_code, found.problems) == (0, ())
    (report,) = found.outcome.reports
    assert (report.gate, report.overridden) == ("block", True)


def test_an_entry_answers_for_what_it_names_only(branch: Judged) -> None:
    """What got worse after the override was given is not in it."""
    overridden(branch)
    text = read_log(branch.project.root).replace("001_x", "999_other")
    branch.project.write(LOG, text)
    branch.repository.commit("Log something else")
    found = gate(branch)
    assert found.exit_code == 1
    assert found.problems == (f"no entry of this branch in {LOG} answers for home on stub: 001_x",)


def test_missing_entries_are_written_on_request(branch: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `--no-verify`, by a person's hand only; committed, the branch passes."""
    branch.regress()
    commit = branch.repository.commit("Expect more\n\neval-override: in a hurry")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError):
        gate(branch, log=True)
    monkeypatch.delenv("CI")
    found = gate(branch, log=True)
    assert (found.exit_code, [entry.commit for entry in found.logged]) == (0, [commit])
    assert entries(read_log(branch.project.root)) == found.logged
    assert gate(branch).exit_code == 1
    branch.repository.commit("Log it")
    assert gate(branch).exit_code == 0


def test_a_rebased_override_keeps_its_entry(branch: Judged) -> None:
    """The id of the commit changes, its date and reason do not."""
    overridden(branch)
    branch.repository.commit("Log it")
    branch.repository.git("checkout", "-q", "main")
    branch.project.write("README.md", "x\n")
    branch.repository.commit("Prose")
    branch.repository.git("checkout", "-q", "work")
    branch.repository.git("rebase", "-q", "main")
    (entry,) = entries(read_log(branch.project.root))
    assert entry.commit not in branch.repository.git("log", "--format=%H")
    assert gate(branch).exit_code == 0


def test_a_needless_override_is_told(branch: Judged) -> None:
    """Where nothing blocks, nothing is missing in the log."""
    branch.repository.commit("x\n\neval-override: just in case")
    found = gate(branch)
    assert (found.exit_code, len(found.notices)) == (0, 1)
    assert "there is nothing to override" in found.notices[0]


def test_a_line_taken_out_of_the_log_is_seen(branch: Judged) -> None:
    """It is only appended to."""
    overridden(branch)
    branch.repository.commit("Log it")
    branch.repository.git("branch", "-f", "main")
    branch.project.write(LOG, "# nothing to see\n")
    branch.repository.commit("Tidy up")
    found = gate(branch)
    assert found.exit_code == 1
    assert found.problems[0].startswith(f"{LOG} lost an entry that its base has")


def test_no_reason_passes_a_missing_cassette(branch: Judged) -> None:
    """Exit code 3, before anything is compared."""
    branch.project.scenario("002_y")
    branch.repository.commit("Not recorded\n\neval-override: later")
    assert gate(branch).exit_code == 3


def test_strict_stops_at_a_warning(branch: Judged) -> None:
    """The base knows nothing of a model: a warning."""
    branch.repository.git("rm", "-rq", "--cached", "baselines")
    branch.repository.git("commit", "-q", "-m", "Forget")
    branch.repository.git("branch", "-f", "main")
    assert gate(branch).exit_code == 0
    assert gate(branch, strict=True).exit_code == 1


def test_a_base_that_is_not_there(branch: Judged) -> None:
    """Unknown, or without a common commit, as in a shallow clone."""
    with pytest.raises(UsageError) as caught:
        gate_branch(branch.project.open(), "trunk")
    assert "`trunk` names no commit" in caught.value.what
    branch.repository.git("checkout", "-q", "--orphan", "lonely")
    branch.repository.commit("Alone")
    with pytest.raises(UsageError) as caught:
        gate(branch)
    assert "no commit in common" in caught.value.what
