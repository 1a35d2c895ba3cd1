"""Scripts of the stub: which conversations a rule answers, and what is said of a wrong script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.errors import ConfigError
from kit.models.stub_script import Answer, Conversation, Rule, load_scripts, matching_answer

FOLDER = Path(__file__).parents[3] / "fixtures" / "stub"


TWICE = """\
model: m
rules:
  - name: a
    when: {user: {regex: '(?P<x>.)'}, result: {regex: '(?P<x>.)'}}
    answer: {}
"""


def rule(answer: dict[str, Any] | None = None, **when: Any) -> Rule:
    """A rule from what a file would say."""
    return Rule.model_validate({"name": "r", "when": when, "answer": answer or {"text": "yes"}})


TALK = Conversation(
    system="You are at HOME.",
    user="read /tmp/a.log now",
    result="error: not found",
    result_of="fs_read",
    tools=("fs_read", "fs_list"),
    turn=1,
)


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({}, True),
        ({"user": {"contains": "READ"}}, True),
        ({"user": {"contains": ["read", "log"]}}, True),
        ({"user": {"contains": ["read", "nothing"]}}, False),
        ({"user": {"contains_any": ["nothing", "log"]}}, True),
        ({"user": {"contains_any": ["nothing"]}}, False),
        ({"user": {"regex": r"/\w+\.log"}}, True),
        ({"user": {"regex": "^log"}}, False),
        ({"user": {"contains": "read", "regex": "^log"}}, False),
        ({"system": {"contains": "at home"}}, True),
        ({"system": {"contains": "at work"}}, False),
        ({"result": {"contains": "not found"}}, True),
        ({"result": {"contains": "fine"}}, False),
        ({"result_of": "fs_read"}, True),
        ({"result_of": "fs_list"}, False),
        ({"tools": "fs_list"}, True),
        ({"tools": ["fs_read", "fs_write"]}, False),
        ({"turn": 1}, True),
        ({"turn": 0}, False),
        ({"user": {"within": "(?P<section>/tmp.*)", "contains": "log"}}, True),
        ({"user": {"within": "(?P<section>/tmp.*)", "contains": "read"}}, False),
        ({"user": {"within": "<(?P<section>.*)>", "contains_any": ["read"]}}, False),
    ],
)
def test_conditions(when: dict[str, Any], holds: bool) -> None:
    """All that is given must hold; what is absent does not matter."""
    assert (matching_answer([rule(**when)], TALK) is not None) is holds


def test_a_condition_on_a_result_wants_one() -> None:
    """Before a tool was called there is nothing to look at."""
    fresh = Conversation(user="read")
    assert matching_answer([rule(result={"regex": ""})], fresh) is None
    assert matching_answer([rule(result_of="fs_read")], fresh) is None


def test_first_rule_that_holds_answers() -> None:
    """Order in the file is order of trial."""
    rules = [rule({"text": "a"}, turn=0), rule({"text": "b"}), rule({"text": "c"})]
    assert matching_answer(rules, TALK) == Answer(text="b")
    assert matching_answer(rules[:1], TALK) is None


def test_captures_fill_text_and_arguments_once() -> None:
    """A captured text that looks like a place is not filled again; other braces stay."""
    answer = {
        "text": "{path} {json: 1}",
        "tool_calls": [{"name": "t", "arguments": {"p": "{path}", "deep": [{"why": "{why}"}], "n": 3}}],
    }
    talk = Conversation(user="read {why} now", result="error: x")
    when = {"user": {"regex": r"read (?P<path>\S+)"}, "result": {"regex": "error: (?P<why>.*)"}}
    found = matching_answer([rule(answer, **when)], talk)
    assert found is not None
    assert found.text == "{why} {json: 1}"
    assert found.tool_calls[0].arguments == {"p": "{why}", "deep": [{"why": "x"}], "n": 3}


def test_a_group_that_took_no_part_is_empty() -> None:
    """An optional group fills with nothing."""
    found = matching_answer([rule({"text": "[{b}]"}, user={"regex": "read(?P<b>X)?"})], TALK)
    assert found == Answer(text="[]")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("model: m\nrules:\n  - name: a\n    answer: {txt: x}\n", 4, "rules.0.answer.txt: Extra inputs"),
        (
            "model: m\nrules:\n  - name: a\n    when:\n      user: {regex: '('}\n    answer: {}\n",
            5,
            "no regular expression",
        ),
        (
            "model: m\nrules:\n  - name: a\n    when:\n      user: {within: 'x'}\n    answer: {}\n",
            5,
            "needs a group",
        ),
        (
            "model: m\nrules:\n  - {name: a, answer: {}}\n  - name: b\n    answer: {text: '{path}'}\n",
            4,
            "{path}",
        ),
        (
            TWICE,
            3,
            "two conditions capture x",
        ),
        (
            "model: m\nrules:\n  - name: a\n    when: {turn: -1}\n    answer: {}\n",
            4,
            "greater than or equal to 0",
        ),
        ("model: m\nrules: []\n", 2, "rules: "),
        ("rules:\n  - {name: a, answer: {}}\n", 1, "model: Field required"),
        ("model: m\nrules: [\n", 3, "is no YAML"),
        ("- a list\n", 1, "the whole file: "),
        ("", 1, "the whole file: "),
    ],
)
def test_wrong_script_names_file_and_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    """Who writes a script finds the mistake."""
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_scripts(tmp_path)
    assert str(raised.value).startswith(f"{path}:{line}: ")
    assert what in str(raised.value)


def test_script_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are said to be none."""
    (tmp_path / "s.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is no YAML"):
        load_scripts(tmp_path)


def test_folder_without_scripts(tmp_path: Path) -> None:
    """An empty folder is a mistake, not a silent stub."""
    with pytest.raises(ConfigError, match="no stub script here"):
        load_scripts(tmp_path)


def test_shipped_scripts_know_conversations_only() -> None:
    """They load, for both models, and name neither a scenario nor a whole prompt of one."""
    scripts = load_scripts(FOLDER)
    assert {script.model for script in scripts} == {"stub", "stub-judge"}
    ids = [path.stem for path in (FOLDER.parents[1] / "scenarios" / "home").glob("[0-9]*.yaml")]
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.yaml"))
    assert ids
    assert not any(name in text or name[:3] in text for name in ids)
