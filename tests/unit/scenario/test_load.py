"""Loading suites: the canonical example, and everything that can be wrong, said at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kit.errors import ScenarioError, UsageError
from kit.scenario.load import load_suites
from kit.scenario.schema import (
    Expected,
    Fault,
    FileExpected,
    FinalResponse,
    LlmCritic,
    MemoryExpected,
    Scenario,
    Setup,
    ToolCalled,
    Turn,
)
from kit.scenario.suite import Suite

if TYPE_CHECKING:
    from tests.unit.scenario.conftest import Project

CANONICAL = """\
# eval/scenarios/001_read_log_summary.yaml
id: "001_read_log_summary"
category: "happy_path"
description: "Lettura e riassunto di un log system"

setup:
  autonomy: supervised
  channel: "cli:roberto"
  workspace_state: "minimal"        # workspace/ con solo SOUL+IDENTITY
  available_tools: [fs_read, supra_llm]
  policy_preset: "default"
  fixtures:
    - path: "/tmp/myclaw_eval/test.log"
      content_fixture: "fixtures/logs/apt_history_sample.txt"

conversation:
  - user: "leggi il log in /tmp/myclaw_eval/test.log e riassumi gli ultimi errori"

expected:
  outcome: "success"
  approvals_requested: 0        # read-only, non dovrebbe chiedere
  tools_called:
    - name: "fs_read"
      path_matches: "/tmp/myclaw_eval/test.log"
  final_response:
    contains_any: ["errore", "error", "warning"]    # minimum viable
    llm_critic:
      prompt: "La risposta riassume errori di un log apt? Sì/No + motivo"
      threshold: "Sì"
  cost_max_usd: 0.05
  latency_max_ms: 8000
"""


def test_the_canonical_example_loads_unchanged(project: Project) -> None:
    """S2-13, byte for byte, says what it says."""
    project.write("fixtures/logs/apt_history_sample.txt", "log")
    project.write("scenarios/home/001_read_log_summary.yaml", CANONICAL)
    (loaded,) = project.load()
    (scenario,) = loaded.scenarios
    assert loaded.warnings == ()
    assert loaded.path_of(scenario).read_text() == CANONICAL
    assert scenario.setup.available_tools == ("fs_read", "supra_llm")
    assert scenario.setup.fixtures[0].path == "/tmp/myclaw_eval/test.log"
    expected = scenario.expected
    assert expected.approvals_requested is not None
    assert expected.approvals_requested.holds(0)
    assert not expected.approvals_requested.holds(1)
    assert expected.tools_called is not None
    assert expected.tools_called.order == "any"
    assert expected.tools_called.calls[0].path_matches == "/tmp/myclaw_eval/test.log"
    assert expected.final_response is not None
    assert expected.final_response.contains_any == ("errore", "error", "warning")
    assert expected.final_response.llm_critic is not None
    assert expected.final_response.llm_critic.accept == "Sì"
    assert expected.cost_max_micro_usd == 50_000
    assert expected.latency_max_ms == 8000


def test_all_problems_of_all_files_come_at_once_with_their_lines(project: Project) -> None:
    """One look at the message is enough to mend every file."""
    project.write("scenarios/home/001_a.yaml", "id: 001_a\ncategorie: security\ndescription: 5\n")
    project.write("scenarios/home/002_b.yaml", "- id: 002_b\n")
    project.write("scenarios/away/suite.yaml", "description: away\n")
    assert project.problems() == [
        "scenarios/away/suite.yaml:1: `categories` is missing",
        "scenarios/home/001_a.yaml:1: `category` is missing",
        "scenarios/home/001_a.yaml:1: `setup` is missing",
        "scenarios/home/001_a.yaml:1: `conversation` is missing",
        "scenarios/home/001_a.yaml:1: `expected` is missing",
        (
            "scenarios/home/001_a.yaml:2: unknown key `categorie` (did you mean `category`?); allowed: "
            "category, conversation, description, expected, id, origin, reason, setup"
        ),
        "scenarios/home/001_a.yaml:3: `description` must be text, is 5: put it in quotes",
        (
            "scenarios/home/002_b.yaml:1: must hold a mapping, holds a list: "
            "one file is one scenario or one suite"
        ),
    ]


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({"id": "002_y"}, r"001_x\.yaml:1: `id` is `002_y` but the file is called 001_x\.yaml"),
        (
            {"category": "securty"},
            r":2: `category` is `securty` \(did you mean `security`\?\).*happy_path, security",
        ),
        ({"expected__outcome": "sucess"}, r"`expected\.outcome` is `sucess` \(did you mean `success`\?\)"),
        ({"description": ""}, r"`description` must not be empty"),
        ({"setup__autonomy": "full"}, r"must be `manual`, `supervised` or `autonomous`, is `full`"),
        ({"setup__autonomy": None}, r":4: `setup\.autonomy` is missing"),
        ({"setup__available_tools": "fs_read"}, r"`setup\.available_tools` must be a list, is `fs_read`"),
        ({"setup__available_tools": ["a", "a"]}, r"`available_tools` must not name a twice"),
        ({"setup__weather": []}, r"unknown key `setup\.weather`"),
        (
            {"setup__approvals": ["maybe"]},
            r"`setup\.approvals\[0\]`: must be `approve`, `deny`, true or false",
        ),
        ({"setup__memory": {"a/b": "x"}}, r"`setup\.memory\.a/b` must match"),
        (
            {"setup__fixtures": [{"path": "x", "content_fixture": "y"}]},
            r"fixtures\[0\]\.path`: must be an absolute",
        ),
        (
            {"setup__fixtures": [{"path": "/x", "content_fixture": "no.txt"}]},
            r"fixture `no\.txt` does not exist",
        ),
        (
            {"setup__fixtures": [{"path": "/x", "content_fixture": "../.."}]},
            r"`\.\./\.\.` lies outside the project",
        ),
        ({"setup__fixtures": 5}, r"`setup\.fixtures` must be a list, is 5"),
        ({"conversation": []}, r"`conversation` must not be empty"),
        (
            {"conversation": [{"expected_agent_partial": "x"}]},
            r"`conversation` must begin with a `user` turn",
        ),
        ({"conversation": [{"user": "x", "expected_agent_partial": "y"}]}, r"must be either `user: text` or"),
        ({"conversation": [{"usr": "x"}]}, r"unknown key `conversation\[0\]\.usr` \(did you mean `user`\?\)"),
        ({"expected": "success"}, r"`expected` must be a mapping, is `success`"),
        ({"expected__approvals_requested": True}, r"must be a whole number or a mapping of `min` and `max`"),
        ({"expected__approvals_requested": {}}, r"must name `min` or `max`"),
        (
            {"expected__approvals_requested": {"min": 2, "max": 1}},
            r"`max` \(1\) must not be below `min` \(2\)",
        ),
        ({"expected__approvals_requested": -1}, r"must be at least 0, is -1"),
        ({"expected__tools_called": []}, r"`expected\.tools_called` must not be empty"),
        (
            {"expected__tools_called": [{"name": "a", "path_regex": "("}]},
            r"tools_called\[0\]\.path_regex`: must be a reg",
        ),
        (
            {"expected__tools_called": {"order": "x", "calls": [{"name": "a"}]}},
            r"order` must be `strict` or `any`",
        ),
        ({"expected__tools_called": [{"nam": "a"}]}, r"tools_called\[0\]\.nam` \(did you mean `name`\?\)"),
        ({"expected__final_response": {}}, r"must name at least one of contains_any"),
        ({"expected__final_response": {"contains_any": "x"}}, r"contains_any` must be a list"),
        ({"expected__files": [{"path": "/a", "exists": False, "content": "x"}]}, r"contradicts a condition"),
        ({"expected__cost_max_usd": "0.05"}, r"cost_max_usd` must be a number, is `0\.05`"),
        ({"expected__latency_max_ms": 1.5}, r"latency_max_ms` must be a whole number, is 1\.5"),
        (
            {"expected__final_response": {"llm_critic": {"prompt": "p", "accept": "Sì"}}},
            r"`llm_critic` must not be the only oracle besides `outcome`",
        ),
        (
            {"expected__final_response": {"contains_any": ["x"], "llm_critic": {"prompt": "p"}}},
            r"`expected\.final_response\.llm_critic\.accept` is missing",
        ),
        (
            {"expected__final_response": {"llm_critic": {"prompt": "p", "accept": "Sì", "threshold": "No"}}},
            r"`accept` \('Sì'\) and `threshold` \('No'\) differ",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(
    project: Project, changes: dict[str, Any], pattern: str
) -> None:
    """Nothing mistyped passes silently, at any level."""
    project.scenario(**changes)
    problems = project.problems()
    assert any(re.search(pattern, problem) for problem in problems), problems


def test_a_wrong_item_is_not_also_called_an_empty_list(project: Project) -> None:
    """One mistake is one problem."""
    project.scenario(conversation=[{"user": 5}])
    assert len(project.problems()) == 1


@pytest.mark.parametrize(("written", "accept"), [("No", "No"), ("Sì", "Sì"), ("on", "on"), ("y", "y")])
def test_words_that_old_yaml_takes_for_booleans_are_words(
    project: Project, written: str, accept: str
) -> None:
    """`accept: No` without quotes means the word."""
    file = project.scenario(
        expected__final_response={"contains_any": ["x"], "llm_critic": {"prompt": "p", "accept": "@"}}
    )
    file.write_text(file.read_text().replace("'@'", written))
    final = project.load()[0].scenarios[0].expected.final_response
    assert final is not None
    assert final.llm_critic is not None
    assert final.llm_critic.accept == accept


def test_a_suite_has_its_own_vocabulary(project: Project) -> None:
    """Id pattern, categories and outcomes are the suite's (decision 18)."""
    project.write(
        "scenarios/golden/suite.yaml",
        "description: g\ncategories: [judgement]\noutcomes: [approved]\nid_pattern: 'rf-[a-z]+'\n"
        "default: false\nagent: pkg.mod:agent\ncost_max_usd: 0.1\nlatency_max_ms: 5\ntime_limit_s: 1.5\n",
    )
    project.scenario("rf-covered", "golden", category="judgement", expected__outcome="approved")
    golden = next(loaded.suite for loaded in project.load() if loaded.suite.name == "golden")
    assert (golden.default, golden.agent, golden.time_limit_s) == (False, "pkg.mod:agent", 1.5)
    assert (golden.cost_max_micro_usd, golden.latency_max_ms) == (100_000, 5)
    project.scenario("rf-1", "golden", category="judgement", expected__outcome="approved")
    assert project.problems() == [
        "scenarios/golden/rf-1.yaml:1: `id` must match rf-[a-z]+, the pattern of the suite, is `rf-1`"
    ]


def test_a_name_in_the_suite_file_is_refused(project: Project) -> None:
    """A suite is called as its folder is."""
    project.write("scenarios/home/suite.yaml", "name: other\ndescription: x\ncategories: [a]\ncolour: red\n")
    problems = project.problems()
    assert problems[0].startswith("scenarios/home/suite.yaml:1: `name` is not written in the file")
    assert "allowed: agent, categories" in problems[1]
    assert "name" not in problems[1].rpartition("allowed")[2]


def test_the_same_id_in_two_suites_is_refused(project: Project) -> None:
    """The command line names scenarios by id alone."""
    project.write("scenarios/more/suite.yaml", "description: m\ncategories: [happy_path]\n")
    project.scenario()
    project.scenario(suite="more")
    assert project.problems() == [
        "scenarios/more/001_x.yaml: id `001_x` is already taken by scenarios/home/001_x.yaml"
    ]


def test_files_that_nobody_would_read_are_refused(project: Project) -> None:
    """A scenario in the wrong place or with the wrong suffix must not vanish from a report."""
    project.scenario()
    project.write("scenarios/home/002_y.yml", "id: x")
    project.write("scenarios/home/deep/003_z.yaml", "id: x")
    project.write("scenarios/004_top.yaml", "id: x")
    project.write("scenarios/nosuite/005_n.yaml", "id: 005_n")
    text = "\n".join(project.problems())
    assert "scenarios/home/002_y.yml: would not be read: rename it to 002_y.yaml" in text
    assert "scenarios/home/deep/003_z.yaml: would not be read: a scenario lies directly" in text
    assert "scenarios/004_top.yaml: would not be read" in text
    assert "scenarios/nosuite: has scenarios but no suite.yaml" in text


def test_no_folder_at_all_is_a_usage_error(tmp_path: Path) -> None:
    """A project without scenarios says what a suite is."""
    with pytest.raises(UsageError, match="there is no `scenarios/` folder") as caught:
        load_suites(tmp_path)
    assert "kit record -- python my_agent.py" in str(caught.value.next_command)


def test_a_fixture_may_be_a_folder_but_no_link_that_leaves(project: Project) -> None:
    """What lies outside the project is not there on another machine."""
    project.write("fixtures/repo/a.txt", "x")
    project.scenario(setup__fixtures=[{"path": "/workspace/repo", "content_fixture": "fixtures/repo"}])
    assert project.load()[0].scenarios[0].setup.fixtures
    (project.root / "fixtures" / "out").symlink_to("/etc")
    project.scenario(setup__fixtures=[{"path": "/workspace/repo", "content_fixture": "fixtures/out/hosts"}])
    assert "lies outside the project" in project.problems()[0]


def _documented() -> dict[str, list[str]]:
    """The YAML blocks of docs/scenarios.md by what their first line says they are."""
    page = (Path(__file__).parents[3] / "docs" / "scenarios.md").read_text()
    blocks: dict[str, list[str]] = {}
    for kind, text in re.findall(r"```yaml\n# (\w+)\n(.*?)```", page, re.DOTALL):
        blocks.setdefault(kind, []).append(text)
    return blocks


def test_what_the_page_shows_loads(project: Project) -> None:
    """Every example of docs/scenarios.md is accepted as it stands there."""
    blocks = _documented()
    (suite,), (scenario,) = blocks["suite"], blocks["scenario"]
    project.write("scenarios/home/suite.yaml", suite)
    project.write("scenarios/home/016_approval_required_write.yaml", scenario)
    for number, expected in enumerate(blocks["expected"], 1):
        file = project.scenario(f"00{number}_x", expected=None)
        indented = "".join(f"  {line}\n" for line in expected.splitlines())
        file.write_text(f"{file.read_text()}expected:\n{indented}")
    (setup,) = blocks["setup"]
    indented = "".join(f"  {line}\n" for line in setup.splitlines())
    file = project.scenario("010_x", setup=None)
    file.write_text(f"{file.read_text()}setup:\n{indented}")
    assert len(project.load()[0].scenarios) == 2 + len(blocks["expected"]) == 4


def test_the_page_names_every_key(project: Project) -> None:
    """A key that is not documented does not exist for a user."""
    page = (Path(__file__).parents[3] / "docs" / "scenarios.md").read_text()
    models = (
        Scenario,
        Setup,
        Turn,
        Expected,
        ToolCalled,
        FinalResponse,
        LlmCritic,
        FileExpected,
        MemoryExpected,
        Fault,
    )
    fields = [item for model in (*models, Suite) for item in model.model_fields.items()]
    keys = {field.alias or name for name, field in fields} - {"name"}
    assert sorted(key for key in keys if f"`{key}" not in page and f"{key}:" not in page) == []


@pytest.mark.parametrize("name", ["a\\0b", "x" * 5000])
def test_a_fixture_whose_name_no_file_can_have(tmp_path: Path, name: str) -> None:
    """A problem with its line, as any other (found by fuzzing)."""
    folder = tmp_path / "scenarios" / "home"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text("description: d\ncategories: [happy_path]\n")
    (folder / "001_x.yaml").write_text(
        f'id: 001_x\nsetup:\n  fixtures:\n  - {{path: /a, content_fixture: "{name}"}}\n'
    )
    with pytest.raises(ScenarioError) as caught:
        load_suites(tmp_path)
    assert any("cannot be the name of a file" in problem.what for problem in caught.value.problems)


def test_a_pattern_too_large_for_python(tmp_path: Path) -> None:
    """A problem with its line, as any other (found by fuzzing)."""
    folder = tmp_path / "scenarios" / "home"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text(f"description: d\ncategories: [a]\nid_pattern: 'a{{{'9' * 30}}}'\n")
    with pytest.raises(ScenarioError) as caught:
        load_suites(tmp_path)
    assert any("must be a regular expression" in problem.what for problem in caught.value.problems)


JUDGING = "judging: {tool: emit, values: [approved, changes_requested]}\n"


def test_a_scenario_says_how_its_run_ends(project: Project) -> None:
    """By outcome or by verdict; one that says neither is not finished (S4-21)."""
    suite = project.root / "scenarios/home/suite.yaml"
    suite.write_text(suite.read_text() + JUDGING)
    project.scenario(expected={"verdict": "approved"})
    (loaded,) = project.load()
    assert loaded.scenarios[0].expected.outcome is None
    assert loaded.scenarios[0].has_deterministic_condition
    project.scenario(expected={"approvals_requested": 0})
    assert project.problems() == ["scenarios/home/001_x.yaml:10: `expected.outcome` is missing"]


def test_a_verdict_is_a_word_of_the_suite(project: Project) -> None:
    """Of a suite whose agent gives verdicts."""
    project.scenario(expected={"verdict": "approvd"})
    (problem,) = project.problems()
    assert "suite home has no `judging`: no agent of it gives a verdict" in problem
    suite = project.root / "scenarios/home/suite.yaml"
    suite.write_text(suite.read_text() + JUDGING)
    (problem,) = project.problems()
    assert "`expected.verdict` is `approvd` (did you mean `approved`?)" in problem
