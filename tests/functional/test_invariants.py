"""The fifteen invariants of the harness (S2-46), each under its own number."""

from __future__ import annotations

import json
import random
import re
import socket
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kit.gate.decide import Facts, decide
from kit.gate.regressions import entries
from kit.gate.thresholds import Thresholds
from kit.scenario.expected import Expected
from kit.scenario.load import load_suites
from tests.fakes.changes import Run, changes
from tests.fakes.examples import costly
from tests.fakes.git_project import git_project
from tests.fakes.model_server import completion, reply, serving
from tests.fakes.templates import Templates
from tests.fakes.tiny_project import MODEL, Ran, TinyProject, tiny_project

ROOT = Path(__file__).resolve().parents[2]
IDS = ("001_france", "002_italy", "003_france", "004_italy")

BUSY_AGENT = """
import kit

usual = agent


def agent(turn):
    @kit.tool(replay="execute")
    def save(path, text):
        target = turn.workspace.resolve(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return "saved"

    @kit.tool
    def rule(verdict):
        return "noted"

    rule(verdict="approved")
    turn.report.ask_approval("save", {"path": "/workspace/note.txt"})
    save(path="/workspace/note.txt", text="France: Paris")
    save(path="/workspace/memory/capital.md", text="Paris of France")
    return usual(turn)
"""
JUDGING = {"tool": "rule", "values": ["approved", "changes_requested"]}
HOLDS: dict[str, Any] = {
    "outcome": "success",
    "verdict": "approved",
    "approvals_requested": 1,
    "tools_called": {"order": "strict", "calls": [
        {"name": "save", "path_matches": "/workspace/*.txt", "path_regex": "note",
         "args_match": {"text": {"contains": "Paris", "regex": "^France"}}, "times": 1},
        {"name": "save", "args_match": {"path": "/workspace/memory/capital.md"}},
    ]},
    "tools_not_called": ["delete"],
    "final_response": {
        "contains_any": ["Paris"], "contains_all": ["It", "is"], "not_contains": ["Rome"], "regex": "P.ris",
        "llm_critic": {"prompt": "Does it answer? Yes/No", "accept": "Yes"},
    },
    "files": [
        {"path": "/workspace/note.txt", "exists": True, "content": "France: Paris"},
        {"path": "/workspace/SOUL.md", "unchanged": True},
    ],
    "memory": [{"key": "capital", "contains_all": ["Paris", "France"]}],
    "cost_max_usd": 1,
    "latency_max_ms": 60_000,
}  # fmt: skip
"""Conditions of every kind, all of them true of one run of the busy agent."""

FALSE: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "outcome": (("outcome",), "refused"),
    "verdict": (("verdict",), "changes_requested"),
    "approvals_requested": (("approvals_requested",), 2),
    "tools_called.name": (("tools_called", "calls", 1, "name"), "send"),
    "tools_called.path_matches": (("tools_called", "calls", 0, "path_matches"), "/etc/*"),
    "tools_called.path_regex": (("tools_called", "calls", 0, "path_regex"), "passwd"),
    "tools_called.contains": (("tools_called", "calls", 0, "args_match", "text", "contains"), "Rome"),
    "tools_called.regex": (("tools_called", "calls", 0, "args_match", "text", "regex"), "^Italy"),
    "tools_called.equals": (("tools_called", "calls", 1, "args_match", "path"), "/workspace/x.md"),
    "tools_called.times": (("tools_called", "calls", 0, "times"), 2),
    "tools_called.order": (("tools_called", "calls"), HOLDS["tools_called"]["calls"][::-1]),
    "tools_not_called": (("tools_not_called",), ["save"]),
    "final_response.contains_any": (("final_response", "contains_any"), ["Rome"]),
    "final_response.contains_all": (("final_response", "contains_all"), ["It", "Rome"]),
    "final_response.not_contains": (("final_response", "not_contains"), ["Paris"]),
    "final_response.regex": (("final_response", "regex"), "R.me"),
    "final_response.case_sensitive": (
        ("final_response",), {"contains_any": ["paris"], "case_sensitive": True}
    ),
    "files.exists": (("files", 0), {"path": "/workspace/note.txt", "exists": False}),
    "files.missing": (("files", 0, "path"), "/workspace/other.txt"),
    "files.content": (("files", 0, "content"), "France: Lyon"),
    "files.unchanged": (("files", 1, "path"), "/workspace/note.txt"),
    "memory.exists": (("memory", 0), {"key": "capital", "exists": False}),
    "memory.missing": (("memory", 0, "key"), "river"),
    "memory.contains_all": (("memory", 0, "contains_all"), ["Rome"]),
    "cost_max_usd": (("cost_max_usd",), 0),
    "latency_max_ms": (("latency_max_ms",), 0),
}  # fmt: skip
"""One condition each that is false of that run, and where it stands."""


def with_false(*names: str) -> dict[str, Any]:
    """The conditions that hold, some of them replaced by false ones."""
    expected = deepcopy(HOLDS)
    for name in names:
        *way, last = FALSE[name][0]
        place: Any = expected
        for step in way:
            place = place[step]
        place[last] = deepcopy(FALSE[name][1])
    return expected


def make_quiz(root: Path) -> None:
    tiny = tiny_project(root)
    for name in IDS:
        tiny.scenario(name)
    tiny.scenario(IDS[-1], expected={"outcome": "success", "final_response": {"contains_any": ["Nice"]}})
    assert tiny.kit("record", "--model", "stub").code == 0


@pytest.fixture
def quiz(tmp_path: Path, templates: Templates) -> TinyProject:
    """Four scenarios, recorded from the stub; the last one fails."""
    templates.copy("quiz", make_quiz, tmp_path)
    return TinyProject(tmp_path)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """A scenario with a condition of every kind, all of them true, recorded once for all."""
    return busy_project(tmp_path_factory.mktemp("busy"), "Yes\nit does")


def busy_project(root: Path, judgement: str) -> TinyProject:
    project = tiny_project(root)
    prices = "[tool.kit.prices.stub]\ninput_usd = 1000\noutput_usd = 1000\n"
    project.write("pyproject.toml", f'[tool.kit]\njudge = "stub-judge"\n{prices}')
    judge = {"name": "yes", "when": {"user": {"contains": "Paris"}}, "answer": {"text": judgement}}
    project.write("fixtures/stub/judge.yaml", json.dumps({"model": "stub-judge", "rules": [judge]}))
    project.agent(BUSY_AGENT)
    project.suite(judging=JUDGING)
    project.scenario(setup=_setup(), expected=HOLDS)
    recorded = project.kit("record", "--model", "stub")
    assert recorded.code == 0, recorded.said
    return project


def results(ran: Ran) -> dict[str, dict[str, Any]]:
    """Results by scenario, out of `--json`."""
    return {one["scenario_id"]: one for report in json.loads(ran.out) for one in report["scenarios"]}


def verdicts(ran: Ran) -> dict[str, str]:
    return {name: one["verdict"] for name, one in results(ran).items()}


def newest_report(project: TinyProject) -> str:
    """The report.json of the last run, without the time at which it was written."""
    files = (project.root / ".kit/reports").glob("*/quiz/stub/report.json")
    text = max(files, key=lambda path: path.stat().st_mtime_ns).read_text("utf-8")
    plain, count = re.subn(r'"timestamp": ?"[^"]*"', '"timestamp": ""', text)
    assert count == 1
    return plain


def test_s2_46_01_two_replays_write_the_same_report(quiz: TinyProject) -> None:
    """Byte for byte but for the timestamp."""
    written = []
    for _ in range(2):
        assert quiz.kit("replay").code == 0
        written.append(newest_report(quiz))
    assert written[0] == written[1]


def test_s2_46_02_replay_calls_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is gone and every socket is watched: nothing connects, nothing is looked up."""
    answer = reply(body=completion("It is Paris.", model=MODEL))
    with serving(v1_chat_completions=answer) as server:
        project = tiny_project(tmp_path, server.url)
        project.scenario(expected={"outcome": "success"})
        assert project.kit("record").code == 0
        heard = len(server.requests)
        assert heard > 0
    called: list[Any] = []

    def watched(*args: Any, **kwargs: Any) -> None:
        called.append(args)
        raise OSError("replay must not reach the network")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, watched)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, watched)
    replayed = project.kit("replay", "--json")
    assert (replayed.code, verdicts(replayed)) == (0, {"001_france": "pass"})
    assert called == []
    assert len(server.requests) == heard


def test_s2_46_03_every_kind_of_condition_is_mutated() -> None:
    """A new kind of condition cannot come without a mutation that it has to notice."""
    assert {name.partition(".")[0] for name in FALSE} == set(Expected.model_fields)
    assert set(HOLDS) == set(Expected.model_fields)


def test_s2_46_03_all_conditions_hold_before_they_are_mutated(busy: TinyProject) -> None:
    """Or a failure would prove nothing."""
    busy.scenario(setup=_setup(), expected=HOLDS)
    replayed = busy.kit("replay", "--json")
    assert (replayed.code, verdicts(replayed)) == (0, {"001_france": "pass"})


@pytest.mark.parametrize("name", FALSE)
def test_s2_46_03_one_false_condition_fails_the_scenario(busy: TinyProject, name: str) -> None:
    """Whichever it is, and it alone is named."""
    busy.scenario(setup=_setup(), expected=with_false(name))
    (result,) = results(busy.kit("replay", "--json")).values()
    assert result["verdict"] == "fail"
    (failure,) = result["failures"]
    assert failure.startswith(name.partition(".")[0])


def test_s2_46_03_a_judge_that_says_no_fails_the_scenario(tmp_path: Path) -> None:
    """All else holds; a rubric has a recording of its own, so this one is recorded anew."""
    refused = busy_project(tmp_path, "No\nit does not")
    (result,) = results(refused.kit("replay", "--json")).values()
    assert result["verdict"] == "fail"
    (failure,) = result["failures"]
    assert failure.startswith("final_response.llm_critic")


def test_s2_46_04_all_failures_are_listed(busy: TinyProject) -> None:
    """Not the first alone: as many false conditions, as many failures."""
    names = [
        "outcome",
        "approvals_requested",
        "tools_not_called",
        "final_response.contains_any",
        "final_response.regex",
        "final_response.contains_all",
        "files.content",
        "files.unchanged",
        "memory.missing",
        "cost_max_usd",
    ]
    busy.scenario(setup=_setup(), expected=with_false(*names))
    (result,) = results(busy.kit("replay", "--json")).values()
    kinds = Counter(failure.partition(":")[0].split(".")[0].split("[")[0] for failure in result["failures"])
    assert kinds == Counter(name.partition(".")[0] for name in names)


def _setup() -> dict[str, Any]:
    return {"autonomy": "supervised", "available_tools": ["save"], "approvals": ["approve"]}


@pytest.mark.parametrize("seed", range(2))
def test_s2_46_05_order_and_concurrency_change_no_verdict(quiz: TinyProject, seed: int) -> None:
    """One by one in any order, several at a time, or in shards: the results of each scenario are the same."""
    whole = results(quiz.kit("replay", "--json"))
    assert Counter(one["verdict"] for one in whole.values()) == {"pass": 3, "fail": 1}
    names = list(IDS)
    random.Random(seed).shuffle(names)
    alone: dict[str, Any] = {}
    for name in names:
        alone |= results(quiz.kit("replay", "--json", name))
    assert alone == whole
    assert results(quiz.kit("replay", "--json", "--workers", str(2 + seed))) == whole
    parts: dict[str, Any] = {}
    for number in (3, 1, 2):
        parts |= results(quiz.kit("replay", "--json", "--shard", f"{number}/3"))
    assert parts == whole


def test_s2_46_06_no_scenario_sees_the_files_of_another(tiny: TinyProject) -> None:
    """All write the same path, and each finds it absent; live, replayed, alone and side by side."""
    tiny.agent(
        "\nusual = agent\n\n\ndef agent(turn):\n    note = turn.workspace.resolve('/workspace/note.txt')\n"
        "    before = note.read_text() if note.exists() else 'nothing'\n"
        "    note.write_text('left by ' + turn.message)\n"
        "    return usual(turn) + ' Before: ' + before\n"
    )
    expected = {"outcome": "success", "final_response": {"contains_all": ["Before: nothing"]}}
    for name in IDS:
        tiny.scenario(name, expected=expected)
    for command in (("record", "--model", "stub"), ("replay",), ("replay", "--workers", "3")):
        ran = tiny.kit(*command, "--json")
        assert verdicts(ran) == dict.fromkeys(IDS, "pass")


BROKEN: dict[str, Callable[[str], str]] = {
    "no YAML": lambda text: text + "\n: [",
    "cut": lambda text: text[: len(text) // 2],
    "empty": lambda _: "",
    "unknown key": lambda text: text + "\nexpcted: {}\n",
    "unknown condition": lambda text: text.replace("contains_any", "contain_any"),
    "another type": lambda text: text.replace("available_tools: []", "available_tools: none"),
    "another id": lambda text: text.replace("id: 001_france", "id: 009_france"),
    "unknown category": lambda text: text.replace("happy_path", "happy_pth"),
    "a mapping for a word": lambda text: text.replace("setup:", "setup:\n  approvals: [{approve: true}]"),
    "no condition": lambda text: text.partition("expected:")[0],
}


@pytest.mark.parametrize("name", BROKEN)
def test_s2_46_07_a_malformed_scenario_is_never_passed(quiz: TinyProject, name: str) -> None:
    """Exit code 2, whichever command and whichever scenario was asked for; no result at all."""
    path = "scenarios/quiz/001_france.yaml"
    text = (quiz.root / path).read_text("utf-8")
    assert BROKEN[name](text) != text
    quiz.write(path, BROKEN[name](text))
    for words in (("replay",), ("replay", "002"), ("run",), ("accept", "--reason", "r")):
        ran = quiz.kit(*words)
        assert ran.code == 2
        assert "pass" not in ran.out
        assert path in ran.err


AMOUNT = st.integers(min_value=0, max_value=2000)
BEFORE = st.none() | st.builds(Run, st.sampled_from(["pass", "fail"]), AMOUNT, AMOUNT)
AFTER = st.builds(Run, st.sampled_from(["pass", "fail", "error"]), AMOUNT, AMOUNT)
WORSE = {"pass": ["pass", "fail", "error"], "fail": ["fail", "error"], "error": ["error"]}


@costly(30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(BEFORE, AFTER), min_size=1, max_size=8), st.data())
def test_s2_46_08_the_gate_is_monotone(cells: list[tuple[Run | None, Run]], data: st.DataObject) -> None:
    """Worse verdicts, higher costs and latencies, of any scenarios at once: never a milder gate."""
    worse = [
        (
            before,
            Run(
                data.draw(st.sampled_from(WORSE[after.verdict])),
                (after.cost or 0) + data.draw(AMOUNT),
                (after.latency or 0) + data.draw(AMOUNT),
            ),
        )
        if data.draw(st.booleans())
        else (before, after)
        for before, after in cells
    ]
    now, then = (decide(Facts(changes(*side)), Thresholds()).gate for side in (cells, worse))
    assert ("pass", "warn", "block").index(then) >= ("pass", "warn", "block").index(now)


@pytest.mark.slow
def test_s2_46_09_a_block_stops_and_an_override_is_logged_once(tmp_path: Path) -> None:
    """Real git, real pre-commit: without a reason no commit, with one a commit and one line."""
    project = git_project(tmp_path)
    before = project.head()
    project.says("Lyon.")
    assert project.commit("Answer from memory").code != 0
    assert project.head() == before
    assert project.log() == ""
    passed = project.commit("Answer from memory\n\neval-override: Lyon was the capital")
    assert passed.code == 0, passed.said
    (entry,) = entries(project.log())
    assert (entry.commit, entry.reason) == (project.head(), "Lyon was the capital")


def test_s2_46_10_an_empty_set_is_an_error(quiz: TinyProject) -> None:
    """Nothing selected, no scenario in a suite, no suite, no folder: exit code 2 each time."""
    assert quiz.kit("replay", "--only", "error_handling").code == 2
    for name in IDS:
        (quiz.root / f"scenarios/quiz/{name}.yaml").unlink()
    for words in (("replay",), ("run",), ("record", "--model", "stub"), ("replay", "--workers", "2")):
        ran = quiz.kit(*words)
        assert (ran.code, ran.out) == (2, "")
        assert "no scenario is selected" in ran.err
    (quiz.root / "scenarios/quiz/suite.yaml").unlink()
    (quiz.root / "scenarios/quiz").rmdir()
    assert quiz.kit("replay").code == 2
    (quiz.root / "scenarios").rmdir()
    assert quiz.kit("replay").code == 2


def test_s2_46_11_a_missing_cassette_never_asks_the_model(tmp_path: Path) -> None:
    """The server is there and would answer; it hears nothing, and nothing is recorded."""
    answer = reply(body=completion("It is Paris.", model=MODEL))
    with serving(v1_chat_completions=answer) as server:
        project = tiny_project(tmp_path, server.url)
        project.scenario("003_france")
        assert project.kit("record").code == 0
        (lost, *_) = sorted((project.root / "cassettes").rglob("001_france.yaml"))
        lost.unlink()
        heard, kept = len(server.requests), project.cassettes()
        for words in (("replay",), ("run",), ("replay", "001"), ("replay", "--workers", "2")):
            assert project.kit(*words).code == 3
        assert len(server.requests) == heard
        assert project.cassettes() == kept


@pytest.mark.parametrize("said", ["Hmm, hard to say.", "", "Yesterday", "**", '{"verdict": true}'])
def test_s2_46_12_a_judge_that_cannot_be_read_fails(tiny: TinyProject, said: str) -> None:
    """No first word of the two: the verdict is fail, when recorded and when replayed."""
    judge = {"name": "all", "when": {}, "answer": {"text": said}}
    tiny.write("fixtures/stub/judge.yaml", json.dumps({"model": "stub-judge", "rules": [judge]}))
    tiny.write("pyproject.toml", '[tool.kit]\njudge = "stub-judge"\n')
    critic = {"prompt": "Does it answer? Yes/No", "accept": "Yes"}
    tiny.scenario(
        expected={"outcome": "success", "final_response": {"contains_any": ["Paris"], "llm_critic": critic}}
    )
    for words in (("record", "--model", "stub"), ("replay",)):
        (result,) = results(tiny.kit(*words, "--json")).values()
        assert result["verdict"] == "fail"
        assert result["failures"][0].startswith("final_response.llm_critic")


def test_s2_46_13_run_changes_no_baseline(quiz: TinyProject) -> None:
    """Whatever it finds, in whichever mode; only `kit accept` writes there."""
    assert quiz.kit("accept", "--reason", "right").code == 0
    before = files(quiz.root / "baselines")
    assert before
    commands = (
        ("run",),
        ("run", "--mode", "live", "--model", "stub"),
        ("replay",),
        ("replay", "--workers", "2"),
        ("record", "--model", "stub"),
    )
    for answer in ("Lyon.", "It is Paris, or Rome, or Nice."):
        quiz.changed_agent(
            "return ask(turn.endpoint, messages)", f"ask(turn.endpoint, messages); return {answer!r}"
        )
        for words in commands:
            quiz.kit(*words)
            assert files(quiz.root / "baselines") == before


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_s2_46_14_the_twenty_scenarios_parse() -> None:
    """Twenty, ids unique and without gaps, security and error handling as many as the happy path (S2-27)."""
    (home,) = (loaded for loaded in load_suites(ROOT) if loaded.suite.name == "home")
    ids = [scenario.id for scenario in home.scenarios]
    assert len(set(ids)) == 20
    assert [name[:3] for name in ids] == [f"{number:03d}" for number in range(1, 21)]
    assert Counter(scenario.category for scenario in home.scenarios) == {
        "happy_path": 5,
        "security": 5,
        "error_handling": 5,
        "autonomy_approval": 2,
        "memory": 2,
        "multi_turn": 1,
    }


@pytest.mark.parametrize("command", ["replay", "run", "record", "accept"])
def test_s2_46_15_an_unknown_category_is_an_error(quiz: TinyProject, command: str) -> None:
    """Exit code 2 with the categories that exist, beside a known one too; nothing runs."""
    reason = ("--reason", "r") if command == "accept" else ()
    for only in (("--only", "securty"), ("--only", "happy_path", "--only", "securty")):
        ran = quiz.kit(command, *only, *reason)
        assert (ran.code, ran.out) == (2, "")
        assert "no suite has a category `securty`" in ran.err
        assert "categories: error_handling, happy_path" in ran.err
