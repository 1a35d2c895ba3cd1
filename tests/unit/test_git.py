"""What kit asks of git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kit import git


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Git knows neither this machine's user nor a repository around the test's folder."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    for name in ("GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)


def run(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    root = tmp_path / "project"
    root.mkdir()
    run(root, "init", "-q")
    run(root, "config", "user.email", "roberto@example.org")
    run(root, "config", "user.name", "Roberto")
    (root / "a").write_text("1")
    run(root, "add", "a")
    run(root, "commit", "-q", "-m", "one")
    return root


def test_a_clean_tree_is_its_commit(repository: Path) -> None:
    """Ten hex digits, the same in every clone; a fresh recording does not make the tree dirty."""
    (repository / "new.yaml").write_text("x")
    found = git.commit(repository)
    assert found is not None
    assert len(found) == 10
    assert int(found, 16) >= 0
    assert git.is_repository(repository)


def test_a_changed_file_makes_the_tree_dirty(repository: Path) -> None:
    """A result of a changed tree is not one of the commit."""
    clean = git.commit(repository)
    (repository / "a").write_text("2")
    assert git.commit(repository) == f"{clean}-dirty"


def test_a_folder_below_belongs_to_the_repository(repository: Path) -> None:
    """A project may be a part of a repository."""
    (repository / "part").mkdir()
    assert git.commit(repository / "part") == git.commit(repository)


def test_before_the_first_commit_there_is_none(tmp_path: Path) -> None:
    """A repository without a commit is still a repository."""
    run(tmp_path, "init", "-q")
    assert git.is_repository(tmp_path)
    assert git.commit(tmp_path) is None


def test_outside_a_repository_there_is_no_answer(tmp_path: Path) -> None:
    """Neither a plain folder nor a missing one is an error."""
    assert git.commit(tmp_path) is None
    assert not git.is_repository(tmp_path)
    assert git.commit(tmp_path / "missing") is None


def test_a_machine_without_git_has_no_answer(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kit works without git."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert git.commit(repository) is None
    assert not git.is_repository(repository)
    assert git.user(repository) is None


def test_the_user_is_who_git_says(repository: Path, tmp_path: Path) -> None:
    """By name, else by address, else nobody."""
    assert git.user(repository) == "Roberto"
    run(repository, "config", "--unset", "user.name")
    assert git.user(repository) == "roberto@example.org"
    assert git.user(tmp_path) is None


def test_a_hook_of_another_repository_does_not_interfere(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables that git sets for its hooks do not redirect the question."""
    found = git.commit(repository)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert git.commit(repository) == found


def test_files_of_a_commit(repository: Path) -> None:
    """As they were then, named from the folder that was asked about; links are nobody's baselines."""
    below = repository / "sub" / "baselines"
    (below / "home").mkdir(parents=True)
    (below / "home" / "è.yaml").write_bytes(b"one\r\n\x00")
    (below / "empty.yaml").write_bytes(b"")
    (below / "link.yaml").symlink_to("empty.yaml")
    run(repository, "add", "sub")
    run(repository, "commit", "-q", "-m", "two")
    run(repository, "tag", "accepted")
    (below / "empty.yaml").write_bytes(b"changed since")
    found = git.find_commit(repository, "accepted")
    assert found is not None
    assert git.files_at(repository / "sub", found, "baselines") == {
        "baselines/empty.yaml": b"",
        "baselines/home/è.yaml": b"one\r\n\x00",
    }
    before = git.find_commit(repository, "HEAD~1")
    assert before is not None
    assert git.files_at(repository, before, "sub") == {}
    assert git.files_at(repository, "0" * 40, "sub") is None
    named = ["git", "rev-parse", "accepted:sub/baselines/home/è.yaml"]
    blob = subprocess.check_output(named, cwd=repository, text=True).strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert git.files_at(repository / "sub", found, "baselines") is None, "a lost file is not one less"


def test_a_ref_that_does_not_exist_is_none(repository: Path, tmp_path: Path) -> None:
    """Whatever it looks like; the message can say which do exist."""
    assert git.find_commit(repository, "nowhere") is None
    assert git.find_commit(repository, "--all") is None
    assert git.find_commit(tmp_path, "HEAD") is None
    run(repository, "tag", "v1")
    assert set(git.refs(repository)) >= {"v1"}
    assert git.refs(tmp_path) == ()


def test_a_commit_has_the_tree_that_was_staged(repository: Path) -> None:
    """What was decided of the staged content is found again after the commit."""
    (repository / "b").write_text("2")
    run(repository, "add", "b")
    tree = git.write_tree(repository)
    run(repository, "commit", "-q", "-m", "two\n\nwith a body")
    head = git.head(repository)
    assert head is not None
    assert (head.tree, head.message.strip()) == (tree, "two\n\nwith a body")
    assert head.date.startswith("20")


def test_history_is_a_range_in_order(repository: Path) -> None:
    """The oldest first; a range that git does not know is None and not empty."""
    for number in (2, 3):
        run(repository, "commit", "-q", "--allow-empty", "-m", str(number))
    found = git.history(repository, "HEAD~2..HEAD")
    assert found is not None
    assert [commit.message.strip() for commit in found] == ["2", "3"]
    assert git.history(repository, "HEAD..HEAD") == ()
    assert git.history(repository, "nowhere..HEAD") is None
    assert git.merge_base(repository, "HEAD", "HEAD~1") == found[0].id
    assert git.merge_base(repository, "HEAD", "nowhere") is None


def test_before_the_first_commit_there_is_no_head(tmp_path: Path) -> None:
    """A message stage of the very first commit has no history to look at."""
    run(tmp_path, "init", "-q")
    assert git.head(tmp_path) is None
    (tmp_path / "a").write_text("1")
    run(tmp_path, "add", "a")
    assert git.staged(tmp_path) == ("a",)


def test_staged_unstaged_and_unknown_files(repository: Path) -> None:
    """Names as they are, both of a renamed file, relative to the folder asked about."""
    part = repository / "part"
    part.mkdir()
    for name in ("sträng.txt", "b c"):
        (part / name).write_text("1")
    run(repository, "add", "-A")
    assert git.staged(repository) == ("part/b c", "part/sträng.txt")
    assert git.staged(part) == ("b c", "sträng.txt")
    (part / "b c").write_text("2")
    (part / "new").write_text("1")
    assert git.unstaged(repository) == ("part/b c",)
    assert git.untracked(repository) == ("part/new",)
    run(repository, "mv", "a", "z")
    assert set(git.staged(repository) or ()) >= {"a", "z"}


def test_outside_a_repository_nothing_is_staged(tmp_path: Path) -> None:
    """None is not «nothing»."""
    asked = (git.staged, git.unstaged, git.untracked, git.write_tree, git.head)
    assert [ask(tmp_path) for ask in asked] == [None] * len(asked)


def test_the_index_of_a_hook_is_the_one_looked_at(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`git commit FILE` tells its hooks of an index of its own, by a path relative to their folder."""
    (repository / "b").write_text("2")
    monkeypatch.chdir(repository)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other-index")
    run(repository, "read-tree", "HEAD")
    run(repository, "add", "b")
    assert git.staged(repository) == ("b",)
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert git.staged(repository) == ()


def test_commits_that_git_replays_are_told_apart(repository: Path) -> None:
    """A rebase stops in its middle, and a cherry-pick leaves its mark."""
    assert not git.is_replaying_commits(repository)
    (repository / ".git" / "rebase-merge").mkdir()
    assert git.is_replaying_commits(repository)


def test_the_mark_of_comments(repository: Path) -> None:
    """Git's own, unless somebody chose another."""
    assert git.comment_mark(repository) == "#"
    run(repository, "config", "core.commentChar", ";")
    assert git.comment_mark(repository) == ";"
    run(repository, "config", "core.commentChar", "auto")
    assert git.comment_mark(repository) == "#"


def test_changes_since_a_commit(repository: Path) -> None:
    """Committed, not yet committed, removed and new ones; what the other branch did since does not count."""
    base = git.find_commit(repository, "HEAD")
    assert base is not None
    assert git.changed_since(repository, base) == ()
    (repository / "sub").mkdir()
    for name in ("b", "c", "sub/d"):
        (repository / name).write_text("1")
    run(repository, "add", "b")
    run(repository, "commit", "-q", "-m", "two")
    (repository / "a").unlink()
    assert set(git.changed_since(repository, base) or ()) == {"a", "b", "c", "sub/d"}
    assert set(git.changed_since(repository / "sub", base) or ()) == {"../a", "../b", "../c", "d"}
    ahead = git.find_commit(repository, "HEAD")
    run(repository, "checkout", "-q", "-f", "-b", "other", base)
    assert ahead is not None
    assert "b" not in (git.changed_since(repository, ahead) or ())
    assert git.top(repository / "sub") == repository.resolve()


def test_changes_outside_a_repository(tmp_path: Path) -> None:
    """Nobody knows of any."""
    assert git.changed_since(tmp_path, "HEAD") is None
    assert git.top(tmp_path) is None


def test_sides_of_a_conflict_and_what_a_plain_add_leaves(repository: Path) -> None:
    """Stages of the index, by path; after `git add` git still knows them, and the staged content is ours."""
    folder = repository / "c"
    folder.mkdir()
    for branch, text in (("start", "0\n"), ("other", "theirs\n"), ("ours", "ours\n")):
        run(repository, "checkout", "-q", *(["start"] if branch == "ours" else []), "-B", branch)
        (folder / "è.yaml").write_text(text)
        run(repository, "add", "-A")
        run(repository, "commit", "-q", "-m", branch)
    run(repository, "checkout", "-q", "start")
    run(repository, "checkout", "-q", "ours")
    assert git.conflicts(repository, "c") == {}
    subprocess.run(["git", "-C", str(repository), "merge", "other"], check=False, capture_output=True)
    (path, sides), *more = (git.conflicts(repository, "c") or {}).items()
    assert (path, more) == ("c/è.yaml", [])
    assert sides.ours is not None
    assert sides.theirs is not None
    assert git.content(repository, sides.theirs, path) == b"theirs\n"
    assert git.staged_blob(repository, path) is None
    (folder / "è.yaml").write_text("ours\n")
    assert git.stage(repository, path)
    assert git.conflicts(repository, "c") == {}
    assert git.conflicts(repository, "c", are_staged=True) == {path: sides}
    assert git.staged_blob(repository, path) == sides.ours


def test_outside_a_repository_there_are_no_conflicts(tmp_path: Path) -> None:
    """None, which is not the same as none in conflict."""
    assert git.conflicts(tmp_path, "c") is None
    assert git.known_or_new(tmp_path, ["a"]) is None
    assert not git.stage(tmp_path, "a")


def test_files_that_git_tracks_or_would_take(repository: Path) -> None:
    """A name with a wildcard is only itself."""
    (repository / ".gitignore").write_text("ignored\n")
    for name in ("new*", "newer", "ignored"):
        (repository / name).write_text("x")
    assert git.known_or_new(repository, ["a", "new*", "ignored", "gone"]) == frozenset({"a", "new*"})
    assert git.known_or_new(repository, []) == frozenset()
