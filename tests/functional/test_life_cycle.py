"""How long a recording holds: inputs, age, what is recorded again, and what it may cost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kit.cassette.store import read
from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.repository import repository
from tests.fakes.templates import Templates
from tests.fakes.tiny_project import MODEL, STUB, TinyProject, tiny_project

READING = """
from pathlib import Path

HERE = Path(__file__).parent
AT_IMPORT = (HERE / "prompts" / "rules.jinja").read_text()


def reading(turn):
    rules = json.loads((HERE / "prompts" / "rules.json").read_text())
    with open(HERE / "prompts" / turn.message.split()[-1].strip("?"), "rb") as file:
        own = file.read().decode()
    system = f"{AT_IMPORT} {rules['style']}"
    said = {"role": "user", "content": turn.message}
    return ask(turn.endpoint, [{"role": "system", "content": system}, said])
"""
PRICES = f'\n[tool.kit.prices]\n"{MODEL}" = {{ input_usd = 1, output_usd = 2 }}\n'


def _reads(project: TinyProject) -> TinyProject:
    """The project with an agent that reads prompts: at import, in each run, and one a country."""
    project.agent("import json\n" + READING)
    project.suite(agent="tiny_agent:reading")
    project.write("prompts/rules.jinja", "Be brief.")
    project.write("prompts/rules.json", '{"style": "plain"}')
    project.write("prompts/France", "fr")
    project.write("prompts/Italy", "it")
    project.scenario("002_italy")
    return project


def _record_reading(root: Path) -> None:
    ran = _reads(tiny_project(root)).kit("record", "--model", "stub")
    assert ran.code == 0, ran.said


@pytest.fixture
def reading(tmp_path: Path, templates: Templates) -> TinyProject:
    """Two recorded scenarios whose agent reads prompts of the project."""
    templates.copy("reading", _record_reading, tmp_path)
    return TinyProject(tmp_path)


def _edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_header_names_every_file_that_the_agent_read(reading: TinyProject) -> None:
    """In any format, at import and in the run; not the module itself."""
    found = read(reading.cassette()).header.inputs
    assert sorted(found) == [
        "prompts/France",
        "prompts/rules.jinja",
        "prompts/rules.json",
        "scenarios/quiz/001_france.yaml",
    ]


def test_changed_file_is_said_before_the_run_and_fails_nothing(reading: TinyProject) -> None:
    """The agent reads it and says nothing of it to the model: a notice, and the one command that mends it."""
    reading.write("prompts/France", "changed")
    ran = reading.kit("replay")
    assert ran.code == 0
    first, second, third = ran.out.splitlines()[:3]
    assert first == "stale: 1 of 2 recordings (a notice: only a miss fails)"
    assert second == "  quiz/001_france on stub: changed since it was recorded: prompts/France"
    assert third == "  next: kit record 001_france --model stub"
    assert "i changed since it was recorded: prompts/France" in ran.out


def test_stale_takes_only_what_changed_and_mends_it(reading: TinyProject) -> None:
    """`kit record --stale`, and afterwards there is nothing left to do, which is no error."""
    before = reading.cassettes()
    reading.write("prompts/France", "changed")
    ran = reading.kit("record", "--stale", "--model", "stub")
    assert ran.code == 0
    assert "recorded cassettes/quiz/stub/001_france.yaml" in ran.out
    assert "002_italy" not in ran.out
    assert reading.cassettes()["quiz/stub/002_italy.yaml"] == before["quiz/stub/002_italy.yaml"]
    again = reading.kit("record", "--stale", "--model", "stub")
    assert (again.code, again.out) == (0, "nothing to record: no selected run is stale\n")
    assert "stale: " not in reading.kit("replay").out


def test_stale_takes_what_missed_in_the_last_replay(tiny: TinyProject) -> None:
    """An agent changed in its code changes no input; the miss is what speaks against the recording."""
    tiny.kit("record", "--model", "stub")
    assert "nothing to record" in tiny.kit("record", "--stale", "--model", "stub").out
    tiny.changed_agent("in one short sentence", "at length")
    assert tiny.kit("replay").code == 3
    assert (
        "recorded cassettes/quiz/stub/001_france.yaml" in tiny.kit("record", "--stale", "--model", "stub").out
    )
    assert "nothing to record" in tiny.kit("record", "--stale", "--model", "stub").out


def test_recording_expires_by_project_and_by_suite(tiny: TinyProject) -> None:
    """Never unless set; a suite's own limit wins; expiry is a notice like any other."""
    tiny.kit("record", "--model", "stub")
    path = tiny.cassette()
    day = path.read_text(encoding="utf-8").partition("recorded: '")[2][:10]
    _edited(path, f"recorded: '{day}", "recorded: '2026-01-01")
    assert "expired" not in tiny.kit("replay").out
    tiny.write("pyproject.toml", "[tool.kit.cassettes]\nexpires_days = 30\n")
    ran = tiny.kit("replay")
    assert ran.code == 0
    assert "quiz/001_france on stub: expired on 2026-01-31" in ran.out.splitlines()[1]
    tiny.suite(expires_days=100_000)
    assert "expired" not in tiny.kit("replay").out


def test_gate_and_hook_warn_and_never_block(reading: TinyProject) -> None:
    """A staged prompt is replayed for, since a recording names it; `--strict` stops a warning as always."""
    made = repository(reading.root)
    reading.write(".gitignore", "__pycache__/\n.kit/\n")
    assert reading.kit("accept", "--reason", "right").code == 0
    made.commit("A quiz")
    made.git("checkout", "-q", "-b", "work")
    reading.write("prompts/France", "changed")
    made.git("add", "-A")
    hooked = reading.kit("hook", "pre-commit")
    assert hooked.code == 0
    assert "kit: replayed for prompts/France" in hooked.out
    reason = "the recording of 001_france is stale: changed since it was recorded: prompts/France"
    assert f"gate: warn\n    - {reason}" in hooked.out
    made.commit("Change a prompt")
    gated = reading.kit("gate", "--base", "main")
    assert gated.code == 0, gated.said
    assert reason in gated.out
    assert reading.kit("gate", "--base", "main", "--strict").code == 1
    assert "gate: pass" in reading.kit("replay").out


def test_failed_takes_what_failed_when_it_was_recorded_or_ran_last(reading: TinyProject) -> None:
    """A verdict fail is a whole recording, and one may want another."""
    assert "no selected run is failed" in reading.kit("record", "--failed", "--model", "stub").out
    expected = {"outcome": "success", "final_response": {"contains_any": ["Milan"]}}
    reading.scenario("002_italy", expected=expected)
    reading.kit("replay")
    ran = reading.kit("record", "--failed", "--model", "stub")
    assert "recorded cassettes/quiz/stub/002_italy.yaml" in ran.out
    assert "001_france" not in ran.out


def test_budget_stops_before_the_run_that_would_pass_it(served: TinyProject) -> None:
    """Spent and expected cost count; what is left goes on with --resume, which knows the plan."""
    with (served.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(PRICES)
    for number in ("002", "003", "004"):
        served.scenario(f"{number}_france")
    ran = served.kit("record", "--max-cost", "0.000017")
    assert ran.code == 130
    assert "interrupted" not in ran.err
    done = [name for name in served.cassettes() if name.endswith(".yaml")]
    assert 0 < len(done) < 4
    assert "of $0.000017; stopped, since quiz/" in ran.out
    left = "1 of the planned runs is" if len(done) == 3 else f"{4 - len(done)} of the planned runs are"
    assert f"{left} not recorded\n  next: kit record --resume --max-cost 0.000017\n" in ran.out
    before = served.cassettes()
    went_on = served.kit("record", "--resume")
    assert went_on.code == 0
    assert f"going on: {len(done)} runs are recorded, {4 - len(done)} are left" in went_on.out
    after = served.cassettes()
    assert len(after) == 4
    assert {name: after[name] for name in before} == before
    assert served.kit("record", "--resume").code == 2


def test_budget_needs_a_price(served: TinyProject) -> None:
    """An unknown price is no price of 0: nothing is asked."""
    ran = served.kit("record", "--max-cost", "1")
    assert ran.code == 2
    assert f"the price of {MODEL} is unknown" in ran.err
    assert not served.cassettes()
    assert served.kit("record", "--max-cost", "one").code == 2


def test_killed_recording_goes_on_where_it_was(tmp_path: Path, model: ModelServer) -> None:
    """Replicates and workers included: what is recorded stays, what is missing is recorded."""
    project = tiny_project(tmp_path, model.url)
    project.agent(
        "import os, signal\n\n\ndef dying(turn):\n"
        "    mark = os.path.join(os.path.dirname(__file__), 'asked')\n"
        "    with open(mark, 'a') as file:\n        file.write('x')\n"
        "    if os.path.getsize(mark) == 3 and os.environ.get('DIES'):\n"
        "        os.kill(os.getppid() if os.environ['DIES'] == 'parent' else os.getpid(), signal.SIGKILL)\n"
        "    return agent(turn)\n"
    )
    project.suite(agent="tiny_agent:dying")
    killed = subprocess.run(
        [sys.executable, "-c", "from kit.cli.main import main; main()", "record", "--repeat", "4"],
        cwd=project.root,
        env={**os.environ, "DIES": "self"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert killed.returncode == -9
    before = {name: text for name, text in project.cassettes().items() if name.endswith(".yaml")}
    assert sorted(before) == ["quiz/tiny-1b/001_france.yaml", "quiz/tiny-1b/001_france@2.yaml"]
    ran = project.kit("record", "--resume", "--workers", "2")
    assert ran.code == 0, ran.said
    after = project.cassettes()
    assert sorted(name for name in after if name.endswith(".yaml")) == [
        *sorted(before),
        "quiz/tiny-1b/001_france@3.yaml",
        "quiz/tiny-1b/001_france@4.yaml",
    ]
    assert {name: after[name] for name in before} == before


def test_options_that_contradict_are_refused(tiny: TinyProject) -> None:
    """Exit code 2, and nothing is recorded."""
    for words in (
        ("--resume", "--stale"),
        ("--resume", "001_france"),
        ("--judge-only", "--missing"),
        ("--stale", "--", "python", "x.py"),
        ("--only", "nothing_like_it"),
    ):
        assert tiny.kit("record", *words).code == 2, words
    assert not tiny.cassettes()


JUDGE = {
    "model": "stub-judge",
    "rules": [{"name": "yes", "when": {"user": {"contains": "Paris"}}, "answer": {"text": "Yes\nit is."}}],
}


def _judged(prompt: str) -> dict[str, object]:
    critic = {"prompt": prompt + "\n{final_response}", "accept": "Yes"}
    return {"outcome": "success", "final_response": {"contains_any": ["Paris"], "llm_critic": critic}}


def test_judge_alone_is_asked_again(tiny: TinyProject) -> None:
    """Decision 12: a changed rubric misses in the judge's cassette; the agent's recording stays as it is."""
    with (tiny.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[tool.kit.tiers]\nfrontier = "stub-judge"\n')
    tiny.write("fixtures/stub/judge.yaml", json.dumps(JUDGE))
    tiny.scenario(expected=_judged("Is it right? Yes/No"))
    assert tiny.kit("record", "--model", "stub").code == 0
    before = tiny.cassettes()
    tiny.scenario(expected=_judged("Is it right and polite? Yes/No"))
    stale = tiny.kit("replay")
    assert stale.code == 3
    assert "kit record --judge-only --model stub 001_france" in stale.out
    ran = tiny.kit("record", "--judge-only", "--model", "stub")
    assert ran.code == 0, ran.said
    assert "recorded cassettes/quiz/stub/001_france.judge.yaml" in ran.out
    after = tiny.cassettes()
    assert after["quiz/stub/001_france.yaml"] == before["quiz/stub/001_france.yaml"]
    assert b"and polite" in after["quiz/stub/001_france.judge.yaml"]
    assert tiny.kit("replay").code == 0
    tiny.scenario("001_france")
    assert "no selected scenario has a critic" in tiny.kit("record", "--judge-only", "--model", "stub").out


def test_judge_is_not_paid_where_the_agent_missed(tiny: TinyProject) -> None:
    """An answer that may be none is judged by nobody, and what lies there stays."""
    with (tiny.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[tool.kit.tiers]\nfrontier = "stub-judge"\n')
    tiny.write("fixtures/stub/judge.yaml", json.dumps(JUDGE))
    tiny.scenario(expected=_judged("Is it right? Yes/No"))
    tiny.kit("record", "--model", "stub")
    before = tiny.cassettes()
    tiny.changed_agent("in one short sentence", "at length")
    ran = tiny.kit("record", "--judge-only", "--model", "stub")
    assert ran.code == 3
    assert tiny.cassettes() == before


def test_tape_of_a_program_knows_what_it_read(tmp_path: Path) -> None:
    """The child writes it down; a change is said before the program starts and fails nothing."""
    project = TinyProject(tmp_path)
    project.write("pyproject.toml", "[tool.kit]\n")
    project.write("prompt.toml", 'text = "hello"')
    project.write(
        "program.py",
        "import os, tomllib, httpx\n"
        "read = tomllib.loads(open('prompt.toml').read())\n"
        "open('out.txt', 'w').write('x'); open('out.txt').read()\n"
        "body = {'model': 'stub', 'messages': [{'role': 'user', 'content': 'hello'}]}\n"
        "httpx.post(os.environ['MODEL_URL'] + '/v1/chat/completions', json=body, timeout=20)\n",
    )
    with serving(v1_chat_completions=reply(body=completion("hi", model="stub"))) as server:
        project.environ["MODEL_URL"] = server.url
        ran = project.kit_with_program("record", "--", sys.executable, "program.py")
    assert ran.code == 0, ran.said
    assert list(read(tmp_path / "cassettes" / "tapes" / "program.yaml").header.inputs) == ["prompt.toml"]
    project.write("prompt.toml", 'text = "other"')
    again = project.kit_with_program("replay", "--", sys.executable, "program.py")
    assert again.code == 0, again.said
    assert again.err.startswith(
        "stale (a notice: only a miss fails): changed since it was recorded: prompt.toml"
    )


def test_largest_recordings_are_named_beyond_the_budget(tiny: TinyProject) -> None:
    """A warning in what record prints; no failure."""
    tiny.write("pyproject.toml", "[tool.kit.cassettes]\nmax_file_kb = 1\nmax_total_mb = 1\n")
    assert STUB["model"] == "stub"
    tiny.write("cassettes/quiz/stub/old.yaml", yaml.safe_dump({"x": "y" * 1_100_000}))
    ran = tiny.kit("record", "--model", "stub")
    assert ran.code == 0
    assert "recordings larger than 1 kB (max_file_kb): cassettes/quiz/stub/old.yaml (1.0 MB)" in ran.out
    assert "cassettes/ takes 1.1 MB, more than 1 MB (max_total_mb); the largest:" in ran.out
