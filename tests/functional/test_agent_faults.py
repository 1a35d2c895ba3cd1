"""Agents that fail, hang, say nothing, cheat, or ask other than recorded: whose fault it is, what is kept."""

from __future__ import annotations

import pytest

from tests.fakes.tiny_project import AGENT, TinyProject

USUAL = "\nusual = agent\n"
ABOVE = AGENT.count("\n")
"""Lines of the agent's file above what a test adds."""
FAULTS = {
    "raises": (
        USUAL + "def agent(turn):\n    usual(turn)\n    raise ValueError('no such city')\n",
        f"ValueError: no such city (tiny_agent.py:{ABOVE + 5})",
    ),
    "leaves the process": (
        USUAL + "def agent(turn):\n    usual(turn)\n    raise SystemExit(3)\n",
        f"SystemExit: 3 (tiny_agent.py:{ABOVE + 5})",
    ),
    "returns nothing": (
        USUAL + "def agent(turn):\n    usual(turn)\n",
        "the agent returned nothing for turn 1: it must return a str or a kit.Reply",
    ),
    "gives an empty answer": (
        USUAL + "def agent(turn):\n    usual(turn)\n    return ' '\n",
        "the agent gave no answer to the last turn",
    ),
    "hangs in a loop": (
        USUAL + "def agent(turn):\n    usual(turn)\n    while True: pass\n",
        "the time limit of 0.3 s is over",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_agent_that_fails_is_a_failing_scenario(tiny: TinyProject, name: str) -> None:
    """Verdict fail and outcome failure, with the line; first a warning, and once accepted as pass a block."""
    text, said = FAULTS[name]
    tiny.suite(time_limit_s=0.3)
    assert tiny.kit("record", "--model", "stub").code == 0
    before = tiny.cassettes()
    tiny.agent(text)
    failed = tiny.kit("replay")
    assert failed.code == 0
    assert "fail       001_france    happy_path    failure" in failed.out
    assert f"the run ended as failure, expected success ({said}" in failed.out
    assert "gate: warn" in failed.out

    tiny.agent("")
    assert tiny.kit("accept", "--reason", "right").code == 0
    tiny.agent(text)
    blocked = tiny.kit("replay")
    assert blocked.code == 1
    assert "001_france was accepted as pass and fails" in blocked.out
    assert said in blocked.out
    assert tiny.cassettes() == before


def test_a_failing_agent_is_recorded_as_it_failed(tiny: TinyProject) -> None:
    """A verdict `fail` is a complete recording (decision 9), and replays to the same verdict."""
    text, said = FAULTS["raises"]
    tiny.agent(text)
    recorded = tiny.kit("record", "--model", "stub")
    assert recorded.code == 0
    assert f"  fail: outcome: the run ended as failure, expected success ({said})" in recorded.out
    assert "recorded cassettes/quiz/stub/001_france.yaml" in recorded.out
    replayed = tiny.kit("replay")
    assert replayed.code == 0
    assert said in replayed.out


def test_an_agent_that_sleeps_for_an_hour_is_stopped_live_and_not_in_replay(tiny: TinyProject) -> None:
    """Live, real seconds count; in replay the hour is over at once (decision 17)."""
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.suite(time_limit_s=0.3)
    tiny.agent(
        USUAL
        + "import time\ndef agent(turn):\n    said = usual(turn)\n    time.sleep(3600)\n    return said\n"
    )
    live = tiny.kit("run", "--mode", "live", "--model", "stub")
    assert "(the time limit of 0.3 s is over)" in live.out
    tiny.suite(time_limit_s=20)
    tiny.agent(
        USUAL
        + "import time\ndef agent(turn):\n    said = usual(turn)\n    time.sleep(3600)\n    return said\n"
    )
    replayed = tiny.kit("replay")
    assert replayed.code == 0
    assert "success_rate  1/1" in replayed.out


def test_an_agent_that_fails_before_it_asks_replaces_no_recording(tiny: TinyProject) -> None:
    """Nothing was captured, so nothing is kept; the message says why nothing was."""
    assert tiny.kit("record", "--model", "stub").code == 0
    before = tiny.cassettes()
    tiny.agent("\ndef agent(turn):\n    raise ValueError('no such city')\n")
    recorded = tiny.kit("record", "--model", "stub")
    assert recorded.code == 3
    assert "no model call was captured, since the agent failed before it made one" in recorded.out
    assert f"ValueError: no such city (tiny_agent.py:{ABOVE + 3})" in recorded.out
    assert "kept nothing of quiz/001_france on stub" in recorded.out
    assert tiny.cassettes() == before


def test_a_swallowed_miss_is_still_an_error(tiny: TinyProject) -> None:
    """An agent that catches everything and says «Paris» passes nothing."""
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.agent(
        USUAL
        + "import dataclasses\n\ndef agent(turn):\n    turn = dataclasses.replace(turn, message='Rhyme.')\n"
        + "    try:\n        return usual(turn)\n"
        + "    except BaseException:\n        return 'It is Paris.'\n"
    )
    missed = tiny.kit("replay")
    assert missed.code == 3
    assert "success_rate  0/0   (1 error)" in missed.out
    assert "MISS  quiz/001_france on stub, step 1" in missed.out
    assert "now       ‹Rhyme.›" in missed.out


def test_an_agent_that_asks_no_model_proves_nothing(tiny: TinyProject) -> None:
    """The right answer out of nowhere is no pass, neither recorded nor replayed (decision 7)."""
    tiny.agent("\ndef agent(turn):\n    return 'It is Paris.'\n")
    recorded = tiny.kit("record", "--model", "stub")
    assert recorded.code == 3
    assert "no model call was captured" in recorded.out
    assert "kit intercepts httpx, httpx2, urllib3 (requests, boto3), aiohttp and http.client" in recorded.out
    assert tiny.cassettes() == {}
    tiny.agent("")
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.agent("\ndef agent(turn):\n    return 'It is Paris.'\n")
    replayed = tiny.kit("replay")
    assert replayed.code == 3
    assert "1 recorded interaction was never played: 1 (POST http" in replayed.out
    assert "no model call was captured" in replayed.out
    assert "next: kit record --model stub 001_france, if the change is meant" in replayed.out


def test_an_agent_that_asks_less_leaves_recorded_calls_over(tiny: TinyProject) -> None:
    """What was recorded and is not asked for any more is an error that names it."""
    tiny.agent(USUAL + "def agent(turn):\n    usual(turn)\n    return usual(turn)\n")
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.agent("")
    replayed = tiny.kit("replay")
    assert replayed.code == 3
    assert "1 recorded interaction was never played: 2 (POST http" in replayed.out
    assert "the agent no longer asks for all it asked for" in replayed.out
    assert "next: kit record --model stub 001_france" in replayed.out


def test_an_agent_that_asks_more_gets_no_answer_twice(tiny: TinyProject) -> None:
    """The recorded answer is played once; the second time it is an extra call."""
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.agent(USUAL + "def agent(turn):\n    usual(turn)\n    return usual(turn)\n")
    replayed = tiny.kit("replay")
    assert replayed.code == 3
    for text in (
        "step 2: this request was recorded once and is asked once more",
        "changed   extra call",
        "each recorded answer is played once",
        "next      kit record --model stub 001_france",
    ):
        assert text in replayed.out


def test_a_side_effect_is_not_repeated(tiny: TinyProject) -> None:
    """Replay stops the agent before it runs a program again, and names the line."""
    tiny.agent(
        USUAL
        + "import subprocess\ndef agent(turn):\n    said = usual(turn)\n    subprocess.run(['true'])\n"
        + "    return said\n"
    )
    assert tiny.kit("record", "--model", "stub").code == 0
    replayed = tiny.kit("replay")
    assert replayed.code == 3
    assert f"tiny_agent.py:{ABOVE + 6} would run `true`: a side effect is not repeated" in replayed.out
    assert "001_france (error)" in replayed.out
    assert 'next: if it is harmless, add "run:true" to allow in [tool.kit.replay]' in replayed.out
    settings = tiny.root / "pyproject.toml"
    settings.write_text(settings.read_text("utf-8") + '[tool.kit.replay]\nallow = ["run:true"]\n', "utf-8")
    assert tiny.kit("replay").code == 0
