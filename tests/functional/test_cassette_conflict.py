"""Recordings that git could not merge, in real repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kit.cassette.store import read
from tests.fakes.repository import Repository
from tests.fakes.templates import Templates
from tests.fakes.tiny_project import TinyProject, tiny_project

PATH = "cassettes/quiz/stub/001_france.yaml"
STUB = """model: stub
rules:
  - name: France
    when: {user: {contains: France}}
    answer: {text: "It is Paris%s."}
"""


class Branches:
    """A project whose two branches recorded one scenario anew, each with another answer."""

    def __init__(self, root: Path, minute: int = 0) -> None:
        self.tiny: TinyProject = TinyProject(root)
        self.git: Repository = Repository(root, minute)

    def make(self) -> None:
        """Makes the project in an empty folder."""
        tiny_project(self.tiny.root)
        self.git.init()
        self.tiny.write(".gitignore", "__pycache__/\n*.partial\n.kit/\n")
        self.tiny.write(".gitattributes", "cassettes/**/*.yaml -merge text eol=lf\n")
        self.record("")
        self.git.commit("Record a quiz")
        for branch, answer in (("other", ", say theirs"), ("main", ", say ours")):
            self.git.git("checkout", "-q", *(["-b"] if branch == "other" else []), branch)
            self.record(answer)
            self.git.commit(f"Answer anew{answer}")

    def record(self, answer: str) -> None:
        """Records with another script; the script itself is the same on all branches."""
        self.tiny.write("fixtures/stub/quiz.yaml", STUB % answer)
        ran = self.tiny.kit("record", "--model", "stub")
        assert ran.code == 0, ran.said
        self.tiny.write("fixtures/stub/quiz.yaml", STUB % "")

    def conflict(self, *words: str) -> None:
        """What git says with a conflict."""
        done = subprocess.run(
            ["git", "-c", "user.name=R", "-c", "user.email=r@example.org", *words],
            cwd=self.tiny.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0, done.stdout
        assert "CONFLICT" in done.stdout + done.stderr

    def answer(self) -> str:
        """What the model says in the recording that lies there."""
        return str(read(self.tiny.cassette()).interactions[0].response)

    def unmerged(self) -> str:
        """What git still has in conflict."""
        return self.git.git("ls-files", "--unmerged")


@pytest.fixture
def branches(tmp_path: Path, templates: Templates) -> Branches:
    """Two branches, `main` checked out."""
    templates.copy("branches", lambda root: Branches(root).make(), tmp_path)
    return Branches(tmp_path, minute=3)  # after the three commits that were made


def test_both_sides_are_shown_with_what_differs(branches: Branches) -> None:
    """Without a choice nothing is changed; each side says when and how it was recorded."""
    branches.conflict("merge", "other")
    assert f"next: kit cassette resolve {PATH} --theirs" in (
        branches.tiny.kit("cassette", "resolve", "--theirs").err
    )
    for words in ((), (PATH,)):
        ran = branches.tiny.kit("cassette", "resolve", *words)
        assert ran.code == 3
        assert f"{PATH}: two branches recorded it (merge)" in ran.out
        assert "Answer anew, say ours" in ran.out
        assert "Answer anew, say theirs" in ran.out
        assert ran.out.count("stub, 1 calls, verdict pass") == 2
        assert "differs: call 1 is answered otherwise" in ran.out
        assert f"kit cassette resolve {PATH} --ours | --theirs | --record" in ran.out
    assert branches.unmerged()


@pytest.mark.parametrize(("side", "other"), [("ours", "theirs"), ("theirs", "ours")])
def test_one_side_is_taken_whole_and_staged(branches: Branches, side: str, other: str) -> None:
    """The index decides: what lies there during the conflict is ours and has no marker."""
    ignored = branches.tiny.root / ".gitignore"
    ignored.unlink()
    branches.git.commit("Ignore nothing")
    branches.conflict("merge", "other")
    ran = branches.tiny.kit("cassette", "resolve", PATH, f"--{side}")
    assert (ran.code, ran.out) == (0, f"staged {PATH}\n")
    assert not ignored.exists(), "git would ignore the whole project"
    assert not (branches.tiny.root / "writing").exists()
    assert f"say {side}" in branches.answer()
    assert f"say {other}" not in branches.answer()
    assert branches.unmerged() == ""
    assert branches.tiny.kit("cassette", "resolve").out == "git has no conflict in a cassette\n"
    assert branches.tiny.kit("replay").code == 0
    none = branches.tiny.kit("cassette", "resolve", PATH)
    assert (none.code, "next:" in none.err) == (2, False)
    cassette = branches.tiny.root / PATH
    cassette.write_text(cassette.read_text("utf-8").replace("calls:", "calls:\n<<<<<<< HEAD"), "utf-8")
    marked = branches.tiny.kit("cassette", "resolve", PATH)
    assert "git has no conflict in this file" in marked.err
    assert "next: kit record --model stub 001_france" in marked.err


def test_neither_is_taken_but_a_new_recording(branches: Branches) -> None:
    """It is the recording of today's agent, staged in place of both."""
    branches.conflict("merge", "other")
    ran = branches.tiny.kit("cassette", "resolve", PATH, "--record")
    assert ran.code == 0, ran.said
    assert "say" not in branches.answer()
    assert branches.unmerged() == ""
    assert branches.tiny.kit("cassette", "resolve").code == 0


def test_no_recording_is_made_of_a_prompt_in_conflict(branches: Branches) -> None:
    """The prompt holds git's marks and both sides; the agent would send them to the model."""
    git, tiny = branches.git, branches.tiny
    for branch, text in (("other", "theirs"), ("main", "ours")):
        git.git("checkout", "-q", branch)
        tiny.write("prompts/system.md", text)
        git.commit(f"Prompt of {branch}")
    branches.conflict("merge", "other")
    ran = tiny.kit("cassette", "resolve", PATH, "--record")
    assert ran.code == 2
    assert "git could not merge prompts/system.md either" in ran.err
    assert PATH in branches.unmerged()


def test_new_recording_that_errs_stages_nothing(branches: Branches) -> None:
    """The conflict stays, and so does what lies there."""
    branches.conflict("merge", "other")
    branches.tiny.write("fixtures/stub/quiz.yaml", "model: stub\nrules: []\n")
    before = branches.tiny.cassette().read_bytes()
    ran = branches.tiny.kit("cassette", "resolve", PATH, "--record")
    assert ran.code != 0
    assert branches.tiny.cassette().read_bytes() == before
    assert branches.unmerged()


def test_rebase_says_whose_side_is_whose(branches: Branches) -> None:
    """In a rebase git calls one's own commit theirs."""
    branches.conflict("rebase", "other")
    shown = branches.tiny.kit("cassette", "resolve", PATH).out
    assert "(rebase)" in shown
    assert "theirs (your own commit · " in shown
    assert "Answer anew, say ours" in shown.partition("theirs (your own commit")[2]
    assert branches.tiny.kit("cassette", "resolve", PATH, "--theirs").code == 0
    assert "say ours" in branches.answer()


def test_cherry_pick_and_stash(branches: Branches) -> None:
    """Every operation of git that can conflict leaves its sides in the index."""
    branches.conflict("cherry-pick", "other")
    assert "(cherry-pick)" in branches.tiny.kit("cassette", "resolve").out
    assert branches.tiny.kit("cassette", "resolve", PATH, "--theirs").code == 0
    assert "say theirs" in branches.answer()
    branches.git.git("cherry-pick", "--abort")
    branches.record(", say stashed")
    branches.git.git("stash", "-q")
    branches.record(", say committed")
    branches.git.commit("Record once more")
    branches.conflict("stash", "pop")
    assert branches.tiny.kit("cassette", "resolve", PATH, "--theirs").code == 0
    assert "say stashed" in branches.answer()


def test_blind_add_is_found_out_and_can_still_be_changed(branches: Branches) -> None:
    """`git add` ends a conflict in favour of ours; git remembers the sides until the commit."""
    branches.conflict("merge", "other")
    branches.git.git("add", PATH)
    ran = branches.tiny.kit("cassette", "resolve")
    assert ran.code == 3
    assert "`git add` staged ours without a choice" in ran.out
    warned = branches.tiny.kit("hook", "pre-commit")
    assert f"{PATH}: ours was staged without a look at theirs" in warned.said
    assert branches.tiny.kit("cassette", "resolve", PATH, "--theirs").code == 0
    assert "say theirs" in branches.answer()
    assert branches.tiny.kit("cassette", "resolve").code == 0


def test_side_that_deleted_the_recording_can_be_taken(branches: Branches) -> None:
    """Then the file goes, and so does the conflict."""
    branches.git.git("rm", "-q", PATH)
    branches.git.commit("Record it no more")
    branches.conflict("merge", "other")
    assert "it is deleted on this side" in branches.tiny.kit("cassette", "resolve", PATH).out
    ran = branches.tiny.kit("cassette", "resolve", PATH, "--ours")
    assert (ran.code, ran.out) == (0, f"removed {PATH}\n")
    assert branches.unmerged() == ""
    assert not branches.tiny.cassette().exists()


def test_judge_goes_with_its_run(branches: Branches, tmp_path: Path) -> None:
    """Changed on one side only it would be merged in silence: with the other run it would be a mix."""
    judge = tmp_path / PATH.replace(".yaml", ".judge.yaml")
    branches.git.git("checkout", "-q", "other")
    judge.write_text("theirs\n", encoding="utf-8")
    branches.git.commit("Judge it")
    branches.git.git("checkout", "-q", "main")
    branches.conflict("merge", "other")
    assert judge.exists()
    ran = branches.tiny.kit("cassette", "resolve", PATH, "--ours")
    assert f"removed {PATH.replace('.yaml', '.judge.yaml')}" in ran.out
    assert not judge.exists()


@pytest.mark.parametrize("lost", [PATH, PATH.replace(".yaml", ".judge.yaml")])
@pytest.mark.parametrize("is_merged", [True, False])
def test_lost_object_is_no_deleted_file(
    branches: Branches, tmp_path: Path, lost: str, is_merged: bool
) -> None:
    """Where git does not give the content, nothing is written, removed or staged; in conflict or not."""
    judge = tmp_path / PATH.replace(".yaml", ".judge.yaml")
    for branch in ("main",) if is_merged else ("other", "main"):
        branches.git.git("checkout", "-q", branch)
        judge.write_text(f"{branch}\n", encoding="utf-8")
        branches.git.commit(f"Judge it on {branch}")
    branches.conflict("merge", "other")
    blob = branches.git.git("rev-parse", f"main:{lost}")
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    before, index = branches.tiny.cassettes(), branches.git.git("ls-files", "--stage")
    ran = branches.tiny.kit("cassette", "resolve", PATH, "--ours")
    assert ran.code == 4, ran.said
    assert f"{lost}: git does not give what this side has" in ran.err
    assert "next: git fsck" in ran.err
    assert branches.tiny.cassettes() == before
    assert branches.git.git("ls-files", "--stage") == index


def test_no_side_is_taken_in_ci(branches: Branches) -> None:
    """Decision 16: looking is allowed, choosing is a person's."""
    branches.conflict("merge", "other")
    branches.tiny.environ["CI"] = "true"
    for choice in ("--ours", "--theirs", "--record"):
        ran = branches.tiny.kit("cassette", "resolve", PATH, choice)
        assert ran.code == 2
        assert f"kit cassette resolve {choice} is refused where CI is set" in ran.err
    assert branches.unmerged()
    assert branches.tiny.kit("cassette", "resolve", PATH).code == 3


def test_replay_and_hook_name_the_conflict(branches: Branches) -> None:
    """A replay goes on with the side that lies there, and says so before it begins."""
    branches.conflict("merge", "other")
    ran = branches.tiny.kit("replay")
    assert ran.code == 0
    assert ran.out.startswith(f"unresolved conflict of git in {PATH}: what plays is one side of it\n")
    stopped = branches.tiny.kit("hook", "pre-commit")
    assert stopped.code == 4
    assert f"kit cassette resolve {PATH}" in stopped.err


def test_pointer_of_lfs_is_named_by_every_reader(tiny: TinyProject) -> None:
    """Fetching is what mends it: nothing is recorded anew, listed without owner, or taken for a cassette."""
    tiny.kit("record", "--model", "stub")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1\n"
    tiny.cassette().write_text(pointer, encoding="utf-8")
    path = str(tiny.cassette())
    for words in (
        ("show", path),
        ("diff", path, path),
        ("replay",),
        ("cassette", "export", path, "--out", "x"),
        ("record", "--stale", "--model", "stub"),
    ):
        ran = tiny.kit(*words)
        assert ran.code == 3, words
        assert "git lfs pull" in ran.said, words
    assert tiny.kit("cassette", "prune").out == "every recording has its owner\n"
