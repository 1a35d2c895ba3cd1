"""Accepted runs, changed agents, other models: what differs is named, as its user types it."""

from __future__ import annotations

import json
import subprocess

from tests.fakes.tiny_project import TinyProject


def git(tiny: TinyProject, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=tiny.root,
        check=True,
        capture_output=True,
    )


def accepted(tiny: TinyProject) -> None:
    assert tiny.kit("record", "--model", "stub").code == 0
    wrote = tiny.kit("accept", "--reason", "right")
    assert wrote.code == 0
    assert "wrote baselines/quiz/stub/001_france.trace.yaml" in wrote.out


def test_an_accepted_trace_is_readable_and_has_the_prompt_once(tiny: TinyProject) -> None:
    """What a reviewer sees beside the verdict; accepting again changes no byte."""
    accepted(tiny)
    path = tiny.root / "baselines/quiz/stub/001_france.trace.yaml"
    text = path.read_text("utf-8")
    for line in ("    text: You answer in one short sentence.", "- kind: answer", "  text: It is Paris."):
        assert f"\n{line}\n" in text
    assert "1 baseline unchanged" in tiny.kit("accept", "--reason", "again").out
    assert path.read_text("utf-8") == text


def test_a_new_prompt_is_named_after_recording_it(tiny: TinyProject) -> None:
    """Replay tells it beside the verdict, kit diff tells it of any two runs, accept before it is written."""
    accepted(tiny)
    assert tiny.kit("diff").code == 0
    tiny.changed_agent("one short sentence", "one brief sentence")
    assert tiny.kit("record", "--model", "stub").code == 0
    sentence = "system prompt: «You answer in one ‹short› sentence.» → «You answer in one ‹brief› sentence.»"
    replayed = tiny.kit("replay")
    assert replayed.code == 0
    assert f"      warn   prompt          {sentence}" in replayed.out
    assert "gate: warn" in replayed.out
    (report,) = json.loads(tiny.kit("replay", "--json").out)
    assert [one["severity"] for one in report["drift"] if one["kind"] == "prompt"] == ["warn"]
    told = tiny.kit("diff")
    assert told.code == 0
    assert f"  warn   prompt          {sentence}" in told.out
    assert f"prompt: {sentence}" in tiny.kit("accept", "--reason", "shorter", "--dry-run").out
    tiny.write("pyproject.toml", '[tool.kit.drift]\nprompt = "block"\n')
    assert (tiny.kit("diff").code, tiny.kit("replay").code) == (1, 1)


def test_replay_against_another_ref(tiny: TinyProject) -> None:
    """What got worse against the branch, whatever was accepted since; a wrong ref says which exist."""
    accepted(tiny)
    git(tiny, "init", "-q", "-b", "main")
    git(tiny, "add", "baselines", "cassettes")
    git(tiny, "commit", "-q", "-m", "one")
    tiny.changed_agent("return ask(turn.endpoint, messages)", "ask(turn.endpoint, messages); return 'Lyon.'")
    assert tiny.kit("accept", "--reason", "we like Lyon").code == 0
    assert tiny.kit("replay").code == 0
    against = tiny.kit("replay", "--against", "main")
    assert against.code == 1
    assert "against main: worse: 001_france" in against.out
    assert "info   final answer    the answer: «‹It is Paris›.» → «‹Lyon›.»" in against.out
    refs = tiny.kit("diff", "baseline@main", "baseline")
    assert refs.code == 1
    assert "block  verdict         pass → fail" in refs.out
    wrong = tiny.kit("replay", "--against", "mian")
    assert (wrong.code, wrong.out) == (2, "")
    assert "`mian` names no commit" in wrong.err
    assert "there are main" in wrong.err


def test_two_models_are_compared_scenario_by_scenario(tiny: TinyProject) -> None:
    """The model swap: another model's cassettes, replayed with the same agent."""
    accepted(tiny)
    text = tiny.cassette().read_text("utf-8")
    other = text.replace("model: stub", "model: other").replace("It is Paris.", "It is Lyon.")
    tiny.write("cassettes/quiz/other/001_france.yaml", other)
    swapped = tiny.kit("diff", "--model", "stub", "--model", "other")
    assert swapped.code == 1
    assert "quiz/001_france on stub → other" in swapped.out
    assert "info   final answer    the answer: «It is ‹Paris›.» → «It is ‹Lyon›.»" in swapped.out
    assert "answers, before" not in swapped.out
