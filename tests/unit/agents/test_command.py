"""Which argument lists the shell tool runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.agents.command import PROGRAMS, objection, paths_of
from tests.fakes.home_turns import place

FOLDERS = ("/workspace", "/tmp")


@pytest.mark.parametrize(
    "argv",
    [
        ["df", "-h"],
        ["df", "-h", "/"],
        ["du", "-sh", "."],
        ["du", "-hd1", "/workspace"],
        ["ls", "-la", "/tmp"],
        ["cat", "-n", "note.md"],
        ["head", "-n", "3", "note.md"],
        ["tail", "-20", "/tmp/x.log"],
        ["wc", "-l", "note.md"],
        ["stat", "-c", "%s", "note.md"],
        ["grep", "-rin", "/etc/passwd", "."],
        ["grep", "-m", "2", "--include=*.md", "x", "a", "b"],
        ["find", ".", "-type", "f", "-iname", "*affitto*", "-not", "-size", "+1M"],
    ],
)
def test_looking_is_allowed(tmp_path: Path, argv: list[str]) -> None:
    """Reading programs run with the options that people use."""
    assert objection(argv, FOLDERS, place(tmp_path)) == ""


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["rm", "-rf", "/"], "nothing else, not rm"),
        (["sudo", "cat", "x"], "nothing else, not sudo"),
        (["sh", "-c", "ls"], "nothing else, not sh"),
        (["/bin/ls"], "nothing else, not /bin/ls"),
        (["./ls"], "nothing else, not ./ls"),
        (["ls -l"], "nothing else, not ls -l"),
        ([""], "nothing else, not "),
        (["find", ".", "-delete"], "does not run find with -delete"),
        (["find", ".", "-exec", "rm", "{}", ";"], "does not run find with -exec"),
        (["find", ".", "-fprint", "x"], "does not run find with -fprint"),
        (["find", "-L", "."], "does not run find with -L"),
        (["find", ".", "-name", "*", "-newer", "/etc/x"], "does not run find with -newer"),
        (["find", "/", "-name", "x"], "/ is outside of /workspace and /tmp"),
        (["grep", "-f", "/etc/passwd", "x"], "does not run grep with -f"),
        (["grep", "-f/etc/passwd", "x"], "does not run grep with -f/etc/passwd"),
        (["grep", "-R", "x", "."], "does not run grep with -R"),
        (["grep", "--file=/etc/passwd"], "does not run grep with --file=/etc/passwd"),
        (["grep", "--include=/etc/x", "x"], "does not run grep with --include=/etc/x"),
        (["grep", "x", "../etc/passwd"], "../etc/passwd is outside"),
        (["tail", "-f", "x"], "does not run tail with -f"),
        (["du", "--files0-from=x"], "does not run du with --files0-from=x"),
        (["wc", "--files0-from", "x"], "does not run wc with --files0-from"),
        (["cat", "--", "-x"], "does not run cat with --"),
        (["cat", "/etc/passwd"], "/etc/passwd is outside of /workspace and /tmp"),
        (["cat", ".env"], ".env holds secrets"),
        (["grep", "TOKEN", ".env"], ".env holds secrets"),
        (["head", "-n", "1", "/tmp/id_rsa"], "/tmp/id_rsa holds secrets"),
    ],
)
def test_everything_else_is_not(tmp_path: Path, argv: list[str], text: str) -> None:
    """Other programs, options that write, start or follow, and paths that the policy does not open."""
    assert text in objection(argv, FOLDERS, place(tmp_path))


@given(
    st.sampled_from(sorted(PROGRAMS)),
    st.lists(st.text(alphabet="-abefinrxRLHf/.=0159 \n*", max_size=6), max_size=4),
)
def test_no_word_begins_with_a_dash_unless_it_is_known(name: str, words: list[str]) -> None:
    """What is allowed holds known options, their values, and words that no program takes for one."""
    argv = [name, *words]
    place_less = Path("/nowhere")

    class Anywhere:
        root = place_less
        home = "/workspace"

        def resolve(self, path: str) -> Path:
            return place_less / path.lstrip("/")

    if not objection(argv, ("/workspace", "/tmp"), Anywhere()):
        assert not any(path.startswith("-") for path in paths_of(argv))
