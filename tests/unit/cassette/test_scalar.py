"""Texts as YAML scalars."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given

from kit.cassette import scalar
from kit.cassette.marks import UnwritableError
from tests.fakes.json_values import texts


@given(texts)
def test_every_text_on_one_line_reads_back(text: str) -> None:
    """A foreign YAML reader sees the text that was written, in block and in flow."""
    assert yaml.safe_load(f"key: {scalar.line(text)}\n") == {"key": text}
    assert yaml.safe_load(f"[{scalar.line(text, flow=True)}, x]\n") == [text, "x"]


@given(texts)
def test_every_text_of_lines_reads_back(text: str) -> None:
    """A text of several lines is the same again under a key, in a list, and with something behind it."""
    many = f"a\n{text}"
    assert yaml.safe_load(f"key: {scalar.block(many, 2)}\nnext: 1\n") == {"key": many, "next": 1}
    many = f"{text}\nb"
    assert yaml.safe_load(f"- x: {scalar.block(many, 4)}\n- y\n") == [{"x": many}, "y"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words", "plain words"),
        ("it's", "it's"),
        ("No", "'No'"),
        ("1e5", "'1e5'"),
        ("a: b", "'a: b'"),
        ("12:30", "'12:30'"),
        ("tab\there", '"tab\\there"'),
        ("", "''"),
        ("è 😀", "è 😀"),
    ],
)
def test_lines_are_as_plain_as_they_may_be(text: str, written: str) -> None:
    """Quotes stand only where a reader could take the text for something else."""
    assert scalar.line(text) == written


def test_several_lines_are_a_literal_block_with_real_unicode() -> None:
    """Tabs, trailing blanks and emoji do not turn a text into escapes."""
    assert scalar.block("a \n\tb 😀\n", 2) == "|\n  a \n  \tb 😀"
    assert scalar.block("a\nb", 2) == "|-\n  a\n  b"
    assert scalar.block(" a\nb\n\n", 2) == "|2+\n   a\n  b\n"


def test_odd_lines_stay_lines() -> None:
    """A text with carriage returns is quoted, but one line stays one line."""
    assert scalar.block("a\r\n b", 2) == '"a\\r\\n\\\n  \\ b"'


@pytest.mark.parametrize("write", [scalar.line, lambda text: scalar.block(text + "\n", 2)])
def test_lone_surrogates_are_refused(write: object) -> None:
    """YAML cannot hold half a character, so the writer must take another form."""
    assert callable(write)
    with pytest.raises(UnwritableError):
        write("\ud83d")


def test_long_keys_are_refused() -> None:
    """A YAML reader takes no key of more than 1024 characters."""
    assert scalar.key("a b") == "a b"
    with pytest.raises(UnwritableError, match="200"):
        scalar.key("x" * 201)
