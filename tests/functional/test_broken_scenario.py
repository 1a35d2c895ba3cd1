"""Scenario files, selections, agent paths that are wrong: all problems at once, exit code 2, nothing run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.fakes.tiny_project import TinyProject

FILE = "scenarios/quiz/001_france.yaml"
CASSETTE = "cassettes/quiz/stub/001_france.yaml"
Damage = Callable[[str], str]

BROKEN: dict[str, tuple[Damage, tuple[str, ...]]] = {
    "missing fixture": (
        lambda good: good.replace(
            "setup:\n", "setup:\n  fixtures: [{path: /tmp/x.log, content_fixture: fixtures/gone.log}]\n"
        ),
        (f"{FILE}:5: fixture `fixtures/gone.log` does not exist in the project",),
    ),
    "a list": (lambda _: "- one\n- two\n", (f"{FILE}:1: must hold a mapping, holds a list",)),
    "empty": (lambda _: "", (f"{FILE}:1: the file is empty",)),
    "a key twice": (
        lambda good: good + "category: happy_path\n",
        (f"{FILE}:14: key `category` stands here a second time, first in line 2",),
    ),
    "unknown key": (
        lambda good: good.replace("outcome:", "outcme:"),
        (
            f"{FILE}:10: unknown key `expected.outcme` (did you mean `outcome`?); allowed: approvals",
            f"{FILE}:9: `expected.outcome` is missing",
        ),
    ),
    "no YAML": (lambda good: good + "x: [1\n", (f"{FILE}:1",)),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", [("replay",), ("record", "--model", "stub"), ("accept", "--reason", "x")])
def test_a_broken_scenario_stops_everything(tiny: TinyProject, name: str, command: tuple[str, ...]) -> None:
    """File, line and what is allowed; never «passed» (S2-46 7), and nothing is written."""
    damage, texts = BROKEN[name]
    tiny.write(CASSETTE, "not looked at")
    before = tiny.cassettes()
    tiny.write(FILE, damage((tiny.root / FILE).read_text("utf-8")))
    ran = tiny.kit(*command)
    assert ran.code == 2
    assert ran.out == ""
    assert "in scenario files:" in ran.err
    for text in texts:
        assert text in ran.err
    assert tiny.cassettes() == before
    assert not (tiny.root / "baselines").exists()


def test_all_problems_of_all_files_are_told_at_once(tiny: TinyProject) -> None:
    """Two files, three problems, each with its line, in order."""
    text = (tiny.root / FILE).read_text("utf-8")
    for old, new in (("autonomy: supervised", "autonomy: wild"), ("happy_path", "hapy_path")):
        text = text.replace(old, new)
    tiny.write(FILE, text)
    tiny.write("scenarios/quiz/002_italy.yaml", "")
    ran = tiny.kit("replay")
    assert ran.code == 2
    allowed = "the suite allows: happy_path, error_handling"
    assert ran.err.splitlines() == [
        "kit: 3 problems in scenario files:",
        f"  {FILE}:2: `category` is `hapy_path` (did you mean `happy_path`?); {allowed}",
        f"  {FILE}:5: `setup.autonomy` must be `manual`, `supervised` or `autonomous`, is `wild`",
        "  scenarios/quiz/002_italy.yaml:1: the file is empty: it must hold a mapping",
    ]


def test_an_id_is_taken_once_over_all_suites(tiny: TinyProject) -> None:
    """The file that took it is named."""
    tiny.suite("second")
    tiny.scenario("001_france", "second")
    ran = tiny.kit("replay")
    assert ran.code == 2
    assert f"scenarios/second/001_france.yaml: id `001_france` is already taken by {FILE}" in ran.err


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        (("--only", "hapy_path"), ("no suite has a category `hapy_path` (did you mean `happy_path`?)",)),
        (
            ("--only", "error_handling"),
            ("no scenario is selected", "none of those named is in error_handling"),
        ),
        (("001_frnce",), ("no scenario, suite or file is called `001_frnce` (did you mean `001_france`?)",)),
        (("scenarios/nope.yaml",), ("no scenario, suite or file is called `scenarios/nope.yaml`",)),
    ],
)
@pytest.mark.parametrize("verb", ["replay", "record", "run"])
def test_a_selection_of_nothing_is_an_error(
    tiny: TinyProject, verb: str, words: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    """Unknown names are named with what exists; nothing is never a pass (S2-46 10 and 15)."""
    ran = tiny.kit(verb, *words)
    assert ran.code == 2
    assert "why:" in ran.err
    for text in texts:
        assert text in ran.err


def test_a_project_without_scenarios_says_where_they_go(tiny: TinyProject) -> None:
    """A newcomer in an empty folder."""
    (tiny.root / "scenarios").rename(tiny.root / "elsewhere")
    ran = tiny.kit("replay")
    assert ran.code == 2
    assert "there is no `scenarios/` folder" in ran.err
    assert "scenarios/<suite>/ with suite.yaml" in ran.err


AGENTS = {
    "no_such.module:agent": ("there is no module `no_such`", "why:  looked for in"),
    "tiny_agent:agnt": ("`tiny_agent` has no `agnt` (did you mean `agent`?)",),
    "tiny_agent:SYSTEM": ("is a str: it must be callable with one turn",),
    "tiny_agent": ("--agent: `agent`: must be `package.module:function` (got 'tiny_agent')",),
    "raises:agent": ("raises.py:3: agent `raises:agent` cannot be imported: ZeroDivisionError",),
    "typo:agent": ("typo.py:1: agent `typo:agent`: SyntaxError: '(' was never closed",),
    "lacks:agent": ("lacks.py:1: agent `lacks:agent` cannot be imported", "No module named 'not_there'"),
    "exits:agent": ("exits.py:2: agent `exits:agent` cannot be imported: SystemExit: 7",),
}
MODULES = {
    "raises.py": "import json\n\n1 / 0\n",
    "typo.py": "def agent(turn:\n",
    "lacks.py": "import not_there\n",
    "exits.py": "import sys\nsys.exit(7)\n",
}


@pytest.mark.parametrize("target", AGENTS)
def test_an_agent_that_cannot_be_imported_costs_no_recording(tiny: TinyProject, target: str) -> None:
    """What is missing or where it broke; in replay and record alike, before anything runs."""
    for path, text in MODULES.items():
        tiny.write(path, text)
    tiny.write(CASSETTE, "not looked at")
    before = tiny.cassettes()
    for words in (("replay",), ("record", "--model", "stub")):
        ran = tiny.kit(*words, "--agent", target)
        assert ran.code == 2
        assert ran.out == ""
        assert "Traceback" not in ran.err
        for text in AGENTS[target]:
            assert text in ran.err
    assert tiny.cassettes() == before


def test_the_agent_of_a_later_suite_is_looked_at_first(tiny: TinyProject) -> None:
    """Before the first scenario is recorded, and paid for."""
    tiny.suite("second", agent="no_such:agent", id_pattern=r"s\d_\w+")
    tiny.scenario("s1_italy", "second")
    ran = tiny.kit("record", "--model", "stub")
    assert ran.code == 2
    assert "there is no module `no_such`" in ran.err
    assert tiny.cassettes() == {}


def test_nobody_names_an_agent(tiny: TinyProject) -> None:
    """The three places where one can be named."""
    tiny.suite(agent=None)
    ran = tiny.kit("record", "--model", "stub")
    assert ran.code == 2
    assert "scenarios/quiz/suite.yaml: no agent is named for suite quiz" in ran.err
    assert "next: add `agent:" in ran.err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("recrod",), "No such command 'recrod'"),
        (("record", "--modle", "stub"), "No such option: --modle"),
        (("accept",), "Missing option '--reason'"),
        (("run", "--mode", "dead"), "Invalid value for '--mode'"),
        (("show",), "Missing argument"),
    ],
)
def test_wrong_words_are_told_with_the_usage(tiny: TinyProject, words: tuple[str, ...], text: str) -> None:
    """A typing error is exit code 2, not a bug of kit."""
    ran = tiny.kit(*words)
    assert ran.code == 2
    assert text in ran.said
    assert "bug" not in ran.err
    assert not (tiny.root / ".kit").exists()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("modl = 'x'", "pyproject.toml:2: unknown key `modl`; did you mean `model`?"),
        ("base_url = 'localhost:11434'", "pyproject.toml:2: `base_url`: must be like http://host:port/v1"),
        ("model = ", "is not TOML"),
    ],
)
def test_wrong_settings_are_told_with_their_line(tiny: TinyProject, settings: str, text: str) -> None:
    """`[tool.kit]` is read before anything runs."""
    tiny.write("pyproject.toml", f"[tool.kit]\n{settings}\n")
    ran = tiny.kit("replay")
    assert ran.code == 2
    assert text in ran.err
