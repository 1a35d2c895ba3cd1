"""YAML values with their lines, and every way in which a file is no YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kit.scenario.tree import Tree, did_you_mean, read_tree
from tests.fakes.examples import costly


def _read(tmp_path: Path, text: str | bytes) -> Tree:
    file = tmp_path / "x.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_tree(file, "x.yaml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "x.yaml:1: the file is empty"),
        ("# only a comment\n", "x.yaml:1: the file is empty"),
        ("- a\n", "x.yaml:1: must hold a mapping, holds a list"),
        ("word\n", "x.yaml:1: must hold a mapping, holds a single value"),
        ("a: 1\n---\nb: 2\n", "x.yaml:3: a second document begins here"),
        ("a: 1\nb: 2\na: 3\n", "x.yaml:3: key `a` stands here a second time, first in line 1"),
        ("a:\n  b: 1\n  b: 2\n", "x.yaml:3: key `b` stands here a second time, first in line 2"),
        ("a: &x [1]\nb: *x\n", "x.yaml:2: aliases (`*name`) are not allowed"),
        ("a: &x [*x]\n", "x.yaml:1: aliases (`*name`) are not allowed"),
        ("a: !!python/name:os.system x\n", "x.yaml:1: the tag `tag:yaml.org,2002:python/name:os.system`"),
        ("a: !thing {b: 1}\n", "x.yaml:1: the tag `!thing` is not allowed"),
        ("a: !!int x\n", "x.yaml:1: `x` is not a number"),
        ("? [a]\n: 1\n", "x.yaml:1: a key must be a plain word"),
        ("a:\n\t- b\n", "x.yaml:2: is not YAML: it is indented with a tab"),
        ('a: 1\nb: "open\n', "x.yaml:2: is not YAML: found unexpected end of stream"),
        ("a: \x01\n", "x.yaml:1: is not YAML"),
        ("a: " + "[" * 100_000, "x.yaml:1: is not YAML: exceeded maximum nesting depth"),
        (
            "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n",
            "x.yaml:2: holds git's merge conflict markers",
        ),
        (b"a: 1\nb: \xff\n", "x.yaml:2: byte 8 is not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    """Whatever a file holds, reading it ends in a sentence and not in an exception."""
    tree = _read(tmp_path, text)
    assert any(str(found).startswith(problem) for found in tree.problems), tree.problems


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    """A folder of that name, or no file, is said like everything else."""
    assert "cannot be read" in str(read_tree(tmp_path, "x.yaml").problems[0])
    assert "No such file" in str(read_tree(tmp_path / "no.yaml", "no.yaml").problems[0])


def test_plain_words_mean_what_they_mean_today(tmp_path: Path) -> None:
    """Booleans of YAML 1.1, its times and its octal numbers are text; only YAML 1.2's core schema is read."""
    text = "a: No\nb: on\nc: 1:30\nd: 2026-04-21\ne: 012\nf: true\ng: ~\nh: 12\n"
    text += "i: 1e3\nj: .5\nk: '5'\nl: 1_000\n"
    assert _read(tmp_path, text).value == {
        "a": "No", "b": "on", "c": "1:30", "d": "2026-04-21", "e": "012", "f": True, "g": None, "h": 12,
        "i": 1000.0, "j": 0.5, "k": "5", "l": "1_000",
    }  # fmt: skip


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    """Files saved by Windows editors read the same."""
    assert _read(tmp_path, b"\xef\xbb\xbfa: 1\n").value == {"a": 1}


def test_lines_are_known_down_to_items(tmp_path: Path) -> None:
    """A location that is not there has the line of its nearest ancestor."""
    tree = _read(tmp_path, "a: 1\nb:\n  - x\n  - c: 2\n")
    assert tree.line(("b", 1, "c")) == 4
    assert tree.line(("b", 0)) == 3
    assert tree.line(("b", 1, "missing", "deep")) == 4
    assert tree.line(("nothing",)) == 1


_LEAF = (
    st.none()
    | st.booleans()
    | st.integers()
    # Not text that begins like a number: PyYAML leaves `0E0` unquoted, which is a number in YAML 1.2.
    | st.text(st.characters(codec="utf-8", categories=["L", "N", "P"])).filter(
        lambda text: text[:1] not in set("+-.0123456789")
    )
)
_VALUES = st.recursive(
    _LEAF,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3)
    ),
    max_leaves=10,
)


@costly(30)
@given(values=st.dictionaries(st.text("abcxyz", min_size=1), _VALUES, max_size=4))
def test_what_pyyaml_writes_is_read_back(
    values: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The core schema reads whatever a common tool writes for JSON values."""
    text = yaml.safe_dump(values, allow_unicode=True)
    tree = _read(tmp_path_factory.mktemp("tree"), text)
    assert tree.problems == ()
    assert tree.value == values


def test_a_near_word_is_offered() -> None:
    """Only something near is offered, never any word."""
    assert did_you_mean("securty", ["security", "memory"]) == " (did you mean `security`?)"
    assert did_you_mean("zzz", ["security"]) == ""
