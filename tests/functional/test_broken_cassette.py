"""Cassettes that are no cassettes: what is wrong, where, what to type, exit code 3, the file as it was."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.fakes.tiny_project import TinyProject

PATH = "cassettes/quiz/stub/001_france.yaml"
AGAIN = f"next: git checkout -- {PATH}, or kit record --model stub 001_france"
RECORD = "next: kit record --model stub 001_france"

Damage = Callable[[bytes], bytes]


def in_conflict(good: bytes) -> bytes:
    """As git leaves a file that two branches recorded."""
    call = b"- call: 1\n"
    return good.replace(call, b"<<<<<<< HEAD\n" + call + b"=======\n" + call + b">>>>>>> theirs\n")


BROKEN: dict[str, tuple[Damage, tuple[str, ...]]] = {
    "cut in the middle": (
        lambda good: good[: len(good) // 2],
        (f"{PATH}: the file is cut short: its last line, the digest, is missing", AGAIN),
    ),
    "cut in the last line": (
        lambda good: good[:-20],
        (f"{PATH}: the file is cut short: its last line, the digest, is missing", AGAIN),
    ),
    "merge conflict": (
        in_conflict,
        (
            f"{PATH}:N: the file holds the marks of a git merge conflict",
            "why:  two branches recorded this scenario",
            f"next: kit cassette resolve {PATH}",
        ),
    ),
    "not UTF-8": (
        lambda good: good.replace(b"Paris", b"Par\xefs"),
        (f"{PATH}:N: this is not UTF-8", AGAIN),
    ),
    "empty": (lambda _: b"", (f"{PATH}: the file is empty", RECORD)),
    "of a newer kit": (
        lambda good: good.replace(b"kit: cassette 1", b"kit: cassette 9"),
        (
            f"{PATH}: this cassette has format 9, this kit reads format 1",
            "why:  it was written by a newer kit",
            "next: pip install --upgrade cassette-kit",
        ),
    ),
    "a list": (lambda _: b"- one\n- two\n", (PATH, "a cassette must be a mapping, not a list", RECORD)),
    "another YAML file": (
        lambda _: b"name: x\n",
        (f"{PATH}: this is no cassette of kit", "its first line is not `kit: cassette 1`", RECORD),
    ),
    "a value of another kind": (
        lambda good: good.replace(b"status: 200", b"status: many"),
        (f"{PATH}:N: status must be an integer, not text", RECORD),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_cassette_is_an_error_that_says_what_to_do(recorded: TinyProject, name: str) -> None:
    """An error of this scenario, exit code 3; replay never repairs, removes or records anything."""
    damage, texts = BROKEN[name]
    broken = damage(recorded.cassette().read_bytes())
    recorded.write(PATH, broken)
    replayed = recorded.kit("replay")
    assert replayed.code == 3
    assert "001_france (error)" in replayed.out
    assert replayed.err == ""
    said = re.sub(rf"{PATH}:\d+:", f"{PATH}:N:", replayed.out)
    for text in texts:
        assert text in said
    assert recorded.cassettes() == {"quiz/stub/001_france.yaml": broken}
    shown = recorded.kit("show", PATH)
    assert shown.code == 3
    assert PATH in shown.err
    assert "Traceback" not in shown.err


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_cassette_is_recorded_anew(recorded: TinyProject, name: str) -> None:
    """The command that the message names puts it right."""
    damage, _ = BROKEN[name]
    recorded.write(PATH, damage(recorded.cassette().read_bytes()))
    assert recorded.kit("record", "--model", "stub", "001_france").code == 0
    assert recorded.kit("replay").code == 0


def test_one_broken_cassette_costs_the_others_nothing(tiny: TinyProject) -> None:
    """The other scenario is replayed and judged; the exit code is that of the broken one."""
    tiny.scenario("002_italy")
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.write(PATH, b"")
    replayed = tiny.kit("replay")
    assert replayed.code == 3
    assert "success_rate  1/1   (1 error)" in replayed.out
    assert "pass       002_italy" in replayed.out


def test_an_edit_by_hand_is_noticed_and_played(recorded: TinyProject) -> None:
    """Who edits a cassette may do so, but it is said."""
    good = recorded.cassette().read_bytes()
    recorded.write(PATH, good.replace(b"It is Paris.", b"It is Paris, of course."))
    replayed = recorded.kit("replay")
    assert replayed.code == 0
    assert f"{PATH} was edited by hand since it was recorded" in replayed.out
    shown = recorded.kit("show", PATH)
    assert shown.code == 0
    assert "edited    by hand since it was recorded" in shown.out
    assert "It is Paris, of course." in shown.out
