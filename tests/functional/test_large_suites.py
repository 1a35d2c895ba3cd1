"""Workers, shards and changes: however a suite is divided, the whole comes out the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.templates import Templates
from tests.fakes.tiny_project import AGENT, KIT, Ran, TinyProject, tiny_project

IDS = ("001_france", "002_italy", "003_france", "004_italy", "005_france")
USUAL = "\nusual = agent\n"


def make_five(root: Path) -> TinyProject:
    tiny = tiny_project(root)
    for identifier in IDS:
        tiny.scenario(identifier)
    tiny.scenario("005_france", expected={"outcome": "success", "final_response": {"contains_any": ["Nice"]}})
    assert tiny.kit("record", "--model", "stub").code == 0
    assert tiny.kit("accept", "--reason", "right").code == 0
    return tiny


@pytest.fixture
def five(tmp_path: Path, templates: Templates) -> TinyProject:
    """Five scenarios, recorded and accepted; the last one fails."""
    templates.copy("five", make_five, tmp_path)
    return TinyProject(tmp_path)


def plain(text: str) -> str:
    """A report without what differs from run to run."""
    return re.sub(r'"timestamp": ?"[^"]*"', '"timestamp": ""', text)


def folder_of(ran: Ran, tiny: TinyProject) -> Path:
    found = re.search(r"traces and report.json: (\S+)", ran.out)
    assert found is not None, ran.said
    return tiny.root / found[1]


def report(folder: Path) -> str:
    return plain((folder / "quiz" / "stub" / "report.json").read_text("utf-8"))


def traces(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "quiz/stub/traces").iterdir())}


def test_workers_change_no_byte_of_a_report(five: TinyProject) -> None:
    """Each run has a process of its own; the report, its order and the traces are those of one process."""
    alone, together = five.kit("replay"), five.kit("replay", "--workers", "3")
    assert (alone.code, together.code) == (0, 0)
    one, other = folder_of(alone, five), folder_of(together, five)
    assert report(one) == report(other)
    assert traces(one) == traces(other)
    assert alone.out.replace(one.name, "") == together.out.replace(other.name, "")


def test_workers_record_what_one_process_records(tiny: TinyProject) -> None:
    """Live runs may share the model server too; each cassette holds its own scenario."""
    tiny.scenario("002_italy")
    recorded = tiny.kit("record", "--model", "stub", "--workers", "2")
    assert recorded.code == 0, recorded.said
    assert sorted(tiny.cassettes()) == ["quiz/stub/001_france.yaml", "quiz/stub/002_italy.yaml"]
    assert b"It is Rome." in tiny.cassettes()["quiz/stub/002_italy.yaml"]
    assert "quiz/002_italy on stub …" in recorded.out
    assert tiny.kit("replay").code == 0


def test_a_worker_that_dies_costs_only_its_own_run(five: TinyProject) -> None:
    """An agent that ends its process is an error of that scenario, and the others are judged."""
    five.agent(
        USUAL
        + "import os\ndef agent(turn):\n    if 'Italy' in turn.message:\n        os._exit(7)\n"
        + "    return usual(turn)\n"
    )
    ran = five.kit("replay", "--workers", "2")
    assert ran.code == 4
    assert "the process of this run ended with exit code 7 before the run was over" in ran.out
    assert "pass       001_france" in ran.out
    assert "success_rate  2/3   (2 errors)" in ran.out


def test_a_miss_in_a_worker_is_explained(five: TinyProject) -> None:
    """What a run says reaches the report from its process, whole."""
    five.changed_agent("one short sentence", "one brief sentence")
    alone, together = five.kit("replay"), five.kit("replay", "--workers", "2")
    assert (alone.code, together.code) == (3, 3)
    assert "‹brief›" in together.out
    assert report(folder_of(alone, five)) == report(folder_of(together, five))


def test_ctrl_c_ends_all_workers_and_keeps_what_they_recorded(tiny: TinyProject) -> None:
    """The agents were asked and sit; one signal to kit, and nothing runs on, each recording kept beside."""
    tiny.scenario("002_italy")
    tiny.agent(
        USUAL
        + "import os, pathlib, time\ndef agent(turn):\n    usual(turn)\n"
        + "    pathlib.Path(os.environ['ASKED'], str(os.getpid())).touch()\n    time.sleep(60)\n"
    )
    tiny.write("asked/.keep", "")
    asked = tiny.root / "asked"
    command = [str(KIT), "record", "--model", "stub", "--workers", "2"]
    kit = subprocess.Popen(
        command,
        cwd=tiny.root,
        env={**os.environ, "ASKED": str(asked)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_for(lambda: len(list(asked.glob("[0-9]*"))) == 2)
        kit.send_signal(signal.SIGINT)
        said, _ = kit.communicate(timeout=60)
    finally:
        kit.kill()
    assert kit.returncode == 130
    assert "kit: interrupted" in said
    for name in ("001_france", "002_italy"):
        assert f"kept cassettes/quiz/stub/{name}.yaml.partial: the run was interrupted" in said
    assert sorted(tiny.cassettes()) == [
        "quiz/stub/001_france.yaml.partial",
        "quiz/stub/002_italy.yaml.partial",
    ]
    for pid in (int(path.name) for path in asked.glob("[0-9]*")):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def shards(tiny: TinyProject, count: int) -> list[Path]:
    """The report folders of all shards."""
    return [
        folder_of(tiny.kit("replay", "--shard", f"{number}/{count}"), tiny) for number in range(1, count + 1)
    ]


def test_merged_shards_are_the_whole_run(five: TinyProject) -> None:
    """Report, traces, gate and exit code are those of the run without shards."""
    five.changed_agent("return ask(turn.endpoint, messages)", "ask(turn.endpoint, messages); return 'Rome'")
    whole = five.kit("replay")
    assert whole.code == 1
    merged = five.kit("merge", *map(str, reversed(shards(five, 3))))
    assert merged.code == 1, merged.said
    one, other = folder_of(whole, five), folder_of(merged, five)
    assert report(one) == report(other)
    assert traces(one) == traces(other)


def test_a_shard_runs_its_part_and_says_so(five: TinyProject) -> None:
    """Each scenario is in one shard and stays there when another one comes."""
    before = [set(cells(folder)) for folder in shards(five, 2)]
    assert set.union(*before) == {f"quiz/stub/{name}.yaml" for name in IDS}
    assert sum(map(len, before)) == len(IDS)
    five.scenario("000_france")
    assert five.kit("record", "--model", "stub", "000_france").code == 0
    after = [set(cells(folder)) for folder in shards(five, 2)]
    assert all(old <= new for old, new in zip(before, after, strict=True))
    assert "of 6 runs; kit merge joins them" in five.kit("replay", "--shard", "1/2").out


def cells(folder: Path) -> list[str]:
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["cell"] for line in lines[1:]]


def test_merge_refuses_what_is_no_whole(five: TinyProject) -> None:
    """A missing shard, one given twice, one of another plan, one cut short: exit code 2 and no report."""
    first, second = map(str, shards(five, 2))
    missing = five.kit("merge", first)
    assert missing.code == 2
    assert "no results of shard 2/2 are among these" in missing.err
    doubled = five.kit("merge", first, second, second)
    assert doubled.code == 2
    assert "these cells have two results" in doubled.err
    other = five.kit("replay", "--shard", "2/2", "001", "002")
    strange = five.kit("merge", first, str(folder_of(other, five)))
    assert strange.code == 2
    assert "is of another run than" in strange.err
    cut = Path(second, "results.jsonl")
    cut.write_bytes(cut.read_bytes()[:-3])
    assert "cut short" in five.kit("merge", first, second).err
    assert "there are no results at nowhere" in five.kit("merge", "nowhere").err


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/0"])
def test_a_shard_that_is_none_is_refused(five: TinyProject, text: str) -> None:
    """Exit code 2 before anything runs."""
    refused = five.kit("replay", "--shard", text)
    assert refused.code == 2
    assert f"`{text}` is no shard" in refused.err


def git(tiny: TinyProject, *words: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=tiny.root, capture_output=True, check=True)


def make_committed(root: Path) -> None:
    five = make_five(root)
    five.write("helper_of_nobody.py", "VALUE = 1\n")
    five.write("tiny_words.py", "SYSTEM = 1\n")
    five.agent("\nimport tiny_words\n")
    git(five, "init", "-q", "-b", "main")
    git(five, "add", ".")
    git(five, "commit", "-q", "-m", "all")


@pytest.fixture
def committed(tmp_path: Path, templates: Templates) -> TinyProject:
    """The five scenarios in a repository, whose branch is `main`."""
    templates.copy("five committed", make_committed, tmp_path)
    return TinyProject(tmp_path)


CHANGES = {
    "scenario": ("scenarios/quiz/002_italy.yaml", ["002_italy"], "their scenarios changed"),
    "cassette": ("cassettes/quiz/stub/003_france.yaml", ["003_france"], "their cassettes changed"),
    "baseline": ("baselines/quiz/stub/004_italy.yaml", ["004_italy"], "their baselines changed"),
    "suite": ("scenarios/quiz/suite.yaml", list(IDS), "their suite.yaml changed"),
    "agent": ("tiny_agent.py", list(IDS), "their agent imports tiny_agent.py"),
    "imported": ("tiny_words.py", list(IDS), "their agent imports tiny_words.py"),
    "settings": ("pyproject.toml", list(IDS), "pyproject.toml changed"),
    "unknown": ("prompts/system.txt", list(IDS), "nobody can say who reads prompts/system.txt"),
    "foreign module": ("helper_of_nobody.py", [], "modules that no agent imports"),
    "readme": ("README.md", [], "read by no run"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_runs_what_a_change_can_affect(committed: TinyProject, name: str) -> None:
    """And says why the rest was left out; what nobody can place makes everything run."""
    path, wanted, said = CHANGES[name]
    file = committed.root / path
    content = file.read_bytes() if file.exists() else b""
    committed.write(path, content + b"\n# changed\n")
    ran = committed.kit("replay", "--changed", "main")
    for identifier in IDS:
        assert (re.search(rf"(pass|fail|error) +{identifier}", ran.out) is not None) == (identifier in wanted)
    assert f"changed since main: {len(wanted)} of 5 runs can be affected" in ran.out
    assert said in ran.out
    if 0 < len(wanted) < len(IDS):
        assert f"left out {5 - len(wanted)}: nothing they read changed" in ran.out


def test_nothing_changed_is_nothing_to_run(committed: TinyProject) -> None:
    """Exit code 0 with the reason; a ref that does not exist is none."""
    ran = committed.kit("replay", "--changed", "main")
    assert ran.code == 0
    assert "changed since main: 0 of 5 runs can be affected" in ran.out
    assert "left out 5: nothing they read changed" in ran.out
    wrong = committed.kit("replay", "--changed", "mian")
    assert wrong.code == 2
    assert "`mian` names no commit" in wrong.err


def test_what_is_not_recorded_runs_whatever_changed(committed: TinyProject) -> None:
    """A missing cassette is an error that no other change hides."""
    (committed.root / "cassettes/quiz/stub/003_france.yaml").unlink()
    git(committed, "commit", "-q", "-a", "-m", "lost")
    ran = committed.kit("replay", "--changed", "main")
    assert ran.code == 3
    assert "run 1: it has no cassette" in ran.out


def test_an_agent_that_imports_at_run_time_runs_for_any_module(committed: TinyProject) -> None:
    """Nobody can say which modules it loads."""
    committed.agent(
        "\nimport importlib, tiny_words\n\ndef later(name):\n    return importlib.import_module(name)\n"
    )
    git(committed, "commit", "-q", "-a", "-m", "late")
    committed.write("helper_of_nobody.py", "VALUE = 2\n")
    ran = committed.kit("replay", "--changed", "main")
    line = AGENT.count("\n") + 5
    assert f"helper_of_nobody.py changed, and tiny_agent.py:{line} decides at run time" in ran.out
    assert "5 of 5 runs" in ran.out


def test_a_program_behind_dashes_is_not_divided(tiny: TinyProject) -> None:
    """`--workers`, `--shard` and `--changed` are for scenarios."""
    for words in (("--workers", "2"), ("--shard", "1/2"), ("--changed", "main")):
        refused = tiny.kit("replay", *words, "--", sys.executable, "-c", "pass")
        assert refused.code == 2
        assert "a program behind `--` is one run" in refused.err
