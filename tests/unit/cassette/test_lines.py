"""The quick reader of what kit writes: it reads what the YAML parser reads, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette import layout, lines
from kit.cassette.emit import dumps
from kit.cassette.ids import restore
from kit.cassette.marks import (
    AnswerRef,
    Args,
    IdRef,
    RawBytes,
    RawText,
    Restored,
    ResultRef,
    UnwritableError,
)
from kit.cassette.yamlevents import Fields, read_tree
from kit.errors import CassetteInvalid
from tests.fakes.cassettes import long_run, tool_run
from tests.fakes.examples import costly
from tests.fakes.json_values import texts, values

CASSETTES = Path(__file__).parents[3] / "cassettes" / "home" / "stub"
MARKED = st.recursive(
    st.one_of(values, texts.map(RawText), st.just(IdRef("call-1")), st.just(AnswerRef(1, 2))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(texts, inner, max_size=3),
        st.dictionaries(texts, inner, min_size=1, max_size=3).map(lambda tree: Args("spaced", tree)),
    ),
    max_leaves=8,
)
IDS = {"call-1": "call_x"}
PIECES = (
    *("\n", "\n\n", " ", "  ", "\t", ": ", ":", "- ", "-", "#", " # x", "'", '"', "\\", "|", "|2-", "|+"),
    *(">", "{", "}", "[", "]", ", ", "!id ", "!args ", "!json ", "!x ", "&a ", "*a", "? ", "<<: ", "---\n"),
    *("...", "~", "null", "0", "-1", "1e5", "é", "\u2028", "\x85", "\x00", "\ufeff", "a: 1\n", "  b: 2\n"),
    *("- c\n", "key: |\n    text\n"),
)  # fmt: skip


def text_of(tree: dict[str, Any]) -> str | None:
    """A tree as kit lays it out, or None where YAML cannot hold it."""
    written: list[str] = []
    try:
        layout.mapping(written, tree, 0)
    except (UnwritableError, TypeError, ValueError):
        return None
    return "\n".join(written) + "\n"


def same(one: Any, other: Any) -> bool:
    """Whether two trees are equal in types, order and lines too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Fields) and (one.line, one.lines) != (other.line, other.lines):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Args):
        return one.style == other.style and same(one.value, other.value)
    return bool(one == other)


def agree(text: str) -> bool:
    """Whether the quick reader reads what the YAML parser reads, or leaves it alone."""
    quick = lines.read(text)
    if quick is None:
        return True
    try:
        return same(quick, read_tree(text, "x"))
    except CassetteInvalid:
        return False


@costly(80)
@given(st.dictionaries(texts, MARKED, min_size=1, max_size=4))
def test_what_kit_writes_is_read_as_yaml(tree: dict[str, Any]) -> None:
    """Whatever the values, both readers see the same, down to the lines."""
    text = text_of(tree)
    assert text is None or agree(text)


def restored(tree: Any) -> str:
    """All that a reader makes of it, with the order of keys; «refused» where a tag means nothing."""
    try:
        return repr(plain(restore(tree, IDS)))
    except ValueError:
        return "refused"


def plain(tree: Any) -> Any:
    """Without the types that say where a value comes from."""
    if isinstance(tree, dict):
        return {name: plain(child) for name, child in tree.items()}
    return [plain(child) for child in tree] if isinstance(tree, list) else tree


@costly(80)
@given(st.dictionaries(texts, MARKED, min_size=1, max_size=4))
def test_ids_and_arguments_are_put_in_their_places_at_once(tree: dict[str, Any]) -> None:
    """What is restored while it is read is what would be restored later, and so is what is refused."""
    text = text_of(tree)
    quick = None if text is None else lines.read(text, IDS)
    if text is not None and quick is not None:
        assert restored(quick) == restored(read_tree(text, "x"))


def test_what_is_restored_is_not_walked_through_again() -> None:
    """Or reading at once would gain nothing; a tree with another tag is not among it."""
    text = dumps(tool_run()).partition("\nvolatile:\n")[0] + "\n"
    ids = dict.fromkeys((f"call-{number}" for number in range(1, 9)), "call_x")
    quick = lines.read(text, ids)
    assert quick is not None
    calls = quick["calls"]
    kinds = [type(call["answer"]) for call in calls if "answer" in call]
    assert kinds == [Restored] * len(kinds)
    assert kinds
    assert restore(calls[0]["answer"], {}) is calls[0]["answer"]
    other = lines.read("a:\n  b:\n    c:\n      d:\n      - x: !answer 1\n      - y: 1\n", {})
    assert other is not None
    inner = other["a"]["b"]["c"]
    assert [type(one) for one in (inner, inner["d"], *inner["d"])] == [dict, list, dict, Restored]


def test_an_id_that_nobody_knows_is_left_to_the_parser() -> None:
    """Then the reader of calls says which call names it."""
    for value in ("!id call-7", "{x: !id call-7}"):
        assert lines.read(f"a: {value}\n", {}) is None


@costly(80)
@given(st.data())
def test_what_somebody_changed_is_read_as_yaml_or_left_to_it(data: st.DataObject) -> None:
    """No edit by hand means one thing here and another there."""
    source = data.draw(
        st.sampled_from([path.read_text("utf-8") for path in sorted(CASSETTES.glob("*.yaml"))])
    )
    cut = source.partition("\nvolatile:\n")[0].split("\n")
    start = data.draw(st.integers(0, len(cut) - 1))
    # A few lines are enough, and make what is changed likelier to matter.
    text = "\n".join(["a:", *cut[start : start + 12]]) + "\n" if start else "\n".join(cut[:40]) + "\n"
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(PIECES)) + text[at + data.draw(st.integers(0, 2)) :]
    assert agree(text)


@pytest.mark.parametrize("written", [dumps(long_run(6)), dumps(tool_run())], ids=["conversation", "tools"])
def test_a_recording_is_read_quickly(written: str) -> None:
    """The usual recording needs no YAML parser, or loading would be slow and nobody would notice."""
    head = written.partition("\nvolatile:\n")[0] + "\n"
    quick = lines.read(head)
    assert quick is not None
    assert same(quick, read_tree(head, "x"))


@pytest.mark.parametrize(
    "value",
    [
        *(
            "null",
            "'it''s'",
            '"a\\tb\\u2028\\x85"',
            "!id call-1",
            "!answer 1.2",
            "!json '1e5'",
            "!base64 YQ==",
        ),
        *("!args {a: !id b, 'c d': [1, -2.5, {}]}", "[]", "{a: {b: {c: text}}}", "|\n  one\n\n  two", "-12"),
        *(
            "|2-\n    indented\n  less",
            "|+\n  end\n\n",
            '"one\\n\\\n  two\\n\\\n  \\ three"',
            "!text |-\n  a\tb",
        ),
        *("!args.spaced\n  a:\n    content: text", "http://host/a:b#c", "!result.indent2 3", "é😀"),
    ],
)
def test_each_form_of_a_value_is_known(value: str) -> None:
    """All that the layout can write is read without the YAML parser."""
    text = f"top:\n  inner:\n    more:\n      key: {value.replace(chr(10), chr(10) + '      ')}\n"
    text = text.replace("      \n", "\n")
    assert lines.read(text) is not None
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        *("a: 1 # one\n", "# one\na: 1\n", "a: 1\n\nb: 2\n", "a:\n    b: 1\n", "a:\n  - 1\n", "a: 1\na: 2\n"),
        *("a: &b 1\n", "a: *b\n", "a: one\n  two\n", "a:\n", "a: >\n  one\n", "a: b: c\n", "- 1\n", ""),
        *("a: !secret 1\n", "a: !answer x\n", "a: {b: 1\n", "a: {b: 1, b: 2}\n", "a: 1\n---\n", "a: \x07\n"),
        *("a: 'b\n", "a:  two\n", "a: end \n", "a: |\n      deep\n  less\n", "a: |\n", "a: b\tc\n"),
        *("a: [1,2]\n", "k" * 2000 + ": 1\n", "a: {" + "k" * 2000 + ": 1}\n"),
    ],
)  # fmt: skip
def test_what_looks_otherwise_is_left_to_the_parser(text: str) -> None:
    """It reads all YAML, and says what is wrong."""
    assert lines.read(text) is None


def test_deep_trees_do_not_exhaust_the_stack() -> None:
    """A file made to break the reader is left to the one without recursion."""
    text = "".join(f"{'  ' * depth}a:\n" for depth in range(5000)) + "  " * 5000 + "a: 1\n"
    assert lines.read(text) is None
    assert lines.read("a: " + "[" * 5000 + "]" * 5000 + "\n") is None


def test_every_kind_of_mark_is_known() -> None:
    """What stands for something else is read as the mark that the parser makes of it."""
    marks = [ResultRef(3, "indent2"), RawBytes(b"\x00\xff"), RawText("one\ntwo"), Args("", {"b": IdRef("c")})]
    tree = {"calls": [{"call": 1, "answer": {"message": marks}}]}
    text = text_of(tree)
    assert text is not None
    assert lines.read(text) == tree
