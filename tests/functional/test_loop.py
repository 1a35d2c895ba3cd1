"""Record, replay, accept, change, replay: the loop as its user types it, in a project of a few files."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from tests.fakes.model_server import ModelServer, completion, reply
from tests.fakes.tiny_project import MODEL, TinyProject


def test_the_installed_command_goes_all_the_way_round(tiny: TinyProject) -> None:
    """Nothing recorded, record, replay, accept, and the gate passes; two of them in own processes."""
    nothing = tiny.kit("replay")
    assert nothing.code == 3
    assert "nothing is recorded for quiz" in nothing.err
    assert "next: kit record --model gpt-oss:20b" in nothing.err

    recorded = tiny.installed_kit("record", "--model", "stub")
    assert recorded.code == 0
    assert "recorded cassettes/quiz/stub/001_france.yaml" in recorded.out
    assert "It is Paris." in tiny.cassette().read_text("utf-8")

    fresh = tiny.installed_kit("replay")
    assert fresh.code == 0
    assert "quiz on stub, replay" in fresh.out
    assert "success_rate  1/1" in fresh.out
    assert "gate: warn" in fresh.out
    assert "nothing of this suite and model was accepted yet" in fresh.out
    assert "next: kit accept --reason" in fresh.out

    accepted = tiny.kit("accept", "--reason", "Paris is right")
    assert accepted.code == 0
    assert "verdict: pass" in accepted.out
    assert "wrote baselines/quiz/stub/001_france.yaml" in accepted.out

    passed = tiny.kit("replay")
    assert passed.code == 0
    assert "gate: pass" in passed.out


def recorded_and_accepted(tiny: TinyProject) -> dict[str, bytes]:
    assert tiny.kit("record", "--model", "stub").code == 0
    assert tiny.kit("accept", "--reason", "right").code == 0
    return tiny.cassettes()


def test_an_agent_that_got_worse_blocks(tiny: TinyProject) -> None:
    """The same requests and another answer: the condition that no longer holds is named, exit code 1."""
    before = recorded_and_accepted(tiny)
    tiny.changed_agent("return ask(turn.endpoint, messages)", "ask(turn.endpoint, messages); return 'Lyon.'")
    worse = tiny.kit("replay")
    assert worse.code == 1
    assert "gate: block" in worse.out
    assert "001_france was accepted as pass and fails" in worse.out
    assert "the answer does not contain 'Paris'; it says «Lyon.»" in worse.out
    assert tiny.cassettes() == before


def test_one_changed_word_of_the_prompt_needs_recording(tiny: TinyProject) -> None:
    """Replay goes on and says what changed, and what to type; nothing is accepted of it (decision 6)."""
    before = recorded_and_accepted(tiny)
    tiny.changed_agent("one short sentence", "one brief sentence")
    missed = tiny.kit("replay")
    assert missed.code == 3
    for text in (
        "needs recording: 1 of 1 request differs from what was recorded",
        "changed   system prompt",
        "messages[0].content",
        "recorded  You answer in one ‹short› sentence.",
        "now       You answer in one ‹brief› sentence.",
        "next      kit record --model stub 001_france",
        "conditional, on the old answers: both conditions hold",
    ):
        assert text in missed.out
    assert "success_rate  0/0   (1 error)" in missed.out
    assert "no model call was captured" not in missed.out
    refused = tiny.kit("accept", "--reason", "looks fine")
    assert refused.code == 3
    assert "verdict error says nothing about the agent and is not accepted" in refused.out
    assert "wrote" not in refused.out
    assert refused.err == "kit: what ended in an error is not accepted; `kit replay` says why\n"
    assert tiny.cassettes() == before


def test_two_replays_print_the_same_json(tiny: TinyProject) -> None:
    """The same bytes but for the time (S2-46 1), and their traces are the same bytes altogether."""
    tiny.scenario("002_italy")
    recorded_and_accepted(tiny)
    first, second = tiny.kit("replay", "--json"), tiny.kit("replay", "--json")
    assert (first.code, first.err) == (0, "")
    assert without_time(first.out) == without_time(second.out)
    (report,) = json.loads(first.out)
    assert [one["verdict"] for one in report["scenarios"]] == ["pass", "pass"]
    made = (tiny.root / ".kit" / "reports").iterdir()
    reports = sorted(made, key=lambda folder: folder.stat().st_mtime_ns)[-2:]
    one, other = (report_files(folder) for folder in reports)
    assert one == other
    assert "quiz/stub/traces/001_france.jsonl" in one


def without_time(text: str) -> str:
    return re.sub(r'"timestamp": ?"[^"]*"', '"timestamp": ""', text)


def report_files(folder: Path) -> dict[str, str]:
    """All that a replay leaves, but for journals and times."""
    return {
        path.relative_to(folder).as_posix(): without_time(path.read_text("utf-8"))
        for path in folder.rglob("*")
        if path.is_file() and "journals" not in path.parts
    }


def test_replay_asks_nobody(served: TinyProject, model: ModelServer) -> None:
    """The server hears nothing of a replay, neither a question nor for the list of its models (S2-46 2)."""
    assert served.kit("record").code == 0
    heard = len(model.requests)
    assert heard > 0
    assert served.kit("replay").code == 0
    assert len(model.requests) == heard


def test_the_same_answers_change_nothing_that_is_reviewed(tiny: TinyProject) -> None:
    """Recorded again, git shows lines of header and volatile block only, and the command says so."""
    recorded_and_accepted(tiny)
    git(tiny.root, "init", "-q")
    git(tiny.root, "add", "cassettes")
    again = tiny.kit("record", "--model", "stub")
    assert again.code == 0
    assert "recorded cassettes/quiz/stub/001_france.yaml (the same answers as before)" in again.out
    lines = tiny.cassette().read_text("utf-8").splitlines()
    calls, volatile = lines.index("calls:") + 1, lines.index("volatile:") + 1
    hunks = re.findall(
        r"^@@ -\S+ \+(\d+)", git(tiny.root, "diff", "--unified=0", "--", "cassettes"), re.MULTILINE
    )
    assert hunks
    assert [line for line in map(int, hunks) if calls <= line <= volatile] == []


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_another_answer_is_told_as_a_change(served: TinyProject, model: ModelServer) -> None:
    """Recording does not say «the same» of what is not."""
    assert served.kit("record").code == 0
    model.answers["v1_chat_completions"] = reply(body=completion("Paris, of course.", model=MODEL))
    again = served.kit("record")
    assert again.code == 0
    assert "the same answers" not in again.out
    assert "Paris, of course." in served.cassette(model=MODEL).read_text("utf-8")


def test_a_recording_is_shown_to_a_person(tiny: TinyProject) -> None:
    """Who spoke, what was said, what it cost."""
    recorded_and_accepted(tiny)
    shown = tiny.kit("show", "cassettes/quiz/stub/001_france.yaml")
    assert shown.code == 0
    for text in (
        "cassette  quiz/001_france",
        "model     stub",
        "What is the capital of France?",
        "It is Paris.",
    ):
        assert text in shown.out
    missing = tiny.kit("show", "cassettes/quiz/stub/002_italy.yaml")
    assert missing.code == 3
    assert "cassettes/quiz/stub/002_italy.yaml: nothing was recorded yet" in missing.err


def test_missing_records_only_what_is_missing(tiny: TinyProject) -> None:
    """A new scenario is recorded, the old cassette stays as it is; then there is nothing left to do."""
    before = recorded_and_accepted(tiny)
    tiny.scenario("002_italy")
    incomplete = tiny.kit("replay")
    assert incomplete.code == 3
    assert "not recorded: 1 run of quiz on stub\n    002_italy\n" in incomplete.out
    assert "next: kit record quiz --missing --model stub" in incomplete.out
    assert tiny.kit("record", "quiz", "--missing", "--model", "stub").code == 0
    after = tiny.cassettes()
    assert sorted(after.keys() - before.keys()) == ["quiz/stub/002_italy.yaml"]
    assert {path: after[path] for path in before} == before
    done = tiny.kit("record", "--model", "stub", "--missing")
    assert done.code == 0
    assert "nothing to record: every selected scenario has a cassette" in done.out


def test_live_runs_keep_nothing(tiny: TinyProject) -> None:
    """`kit run --mode live` asks the model and leaves cassettes and baselines alone (decision 16)."""
    ran = tiny.kit("run", "--mode", "live", "--model", "stub")
    assert ran.code == 0
    assert "quiz on stub, live" in ran.out
    assert tiny.cassettes() == {}
    assert not (tiny.root / "baselines").exists()
