"""Several things wrong at once: 70 > 2 > 4 > 3 > 1 (decision 14)."""

from __future__ import annotations

from typing import Any

import pytest

from kit.oracle.check import check
from tests.fakes.model_server import ModelServer, completion, in_turn, reply
from tests.fakes.tiny_project import MODEL, TinyProject

CHAT = "v1_chat_completions"


@pytest.fixture
def two(tiny: TinyProject) -> TinyProject:
    """Two scenarios, recorded and accepted as pass."""
    tiny.scenario("002_italy")
    assert tiny.kit("record", "--model", "stub").code == 0
    assert tiny.kit("accept", "--reason", "right").code == 0
    return tiny


def lying(two: TinyProject) -> None:
    """An agent that got worse, without asking anything else."""
    two.changed_agent("return ask(turn.endpoint, messages)", "ask(turn.endpoint, messages); return 'Lyon.'")


def test_a_regression_is_one(two: TinyProject) -> None:
    """Both scenarios got worse; each is named."""
    lying(two)
    ran = two.kit("replay")
    assert ran.code == 1
    assert "001_france was accepted as pass and fails" in ran.out
    assert "002_italy was accepted as pass and fails" in ran.out


def test_a_cassette_counts_before_a_regression(two: TinyProject) -> None:
    """One got worse, one has no cassette any more: 3, and both are told."""
    lying(two)
    two.cassette("002_italy").unlink()
    ran = two.kit("replay")
    assert ran.code == 3
    assert "001_france was accepted as pass and fails" in ran.out
    assert "not recorded: 1 run of quiz on stub\n    002_italy\n" in ran.out


def test_the_environment_counts_before_a_cassette(served: TinyProject, model: ModelServer) -> None:
    """One agent asks nothing, for the other the server fails: 4, and both are told."""
    served.scenario("002_italy")
    served.agent(
        "\nusual = agent\ndef agent(turn):\n    return 'Rome' if 'Italy' in turn.message else usual(turn)\n"
    )
    model.answers[CHAT] = reply(503, b"{}")
    ran = served.kit("record")
    assert ran.code == 4
    assert "the model server failed the run" in ran.out
    assert "no model call was captured" in ran.out


def test_usage_counts_before_the_environment(served: TinyProject) -> None:
    """A broken scenario and a server that is away: 2, for the scenario is looked at first."""
    served.write("scenarios/quiz/001_france.yaml", "")
    assert served.kit("record", "--base-url", "http://127.0.0.1:9/v1").code == 2


def test_a_bug_counts_before_all_and_costs_the_others_nothing(
    served: TinyProject, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug that one scenario meets is told with its log; the other is recorded, what was asked is kept."""
    served.scenario("002_italy")
    model.answers[CHAT] = in_turn(
        *(reply(body=completion(text, model=MODEL)) for text in ("It is Paris.", "It is Rome."))
    )

    def broken(scenario: Any, *rest: Any, **more: Any) -> Any:
        if scenario.id == "001_france":
            raise ZeroDivisionError("oh")
        return check(scenario, *rest, **more)

    monkeypatch.setattr("kit.harness.cell.check", broken)
    ran = served.kit("record")
    assert ran.code == 70
    assert "a bug in kit, not in your agent: ZeroDivisionError: oh" in ran.out
    assert "next: report it with .kit/reports/" in ran.out
    (log,) = (served.root / ".kit" / "reports").rglob("bug-*.log")
    assert "Traceback" in log.read_text("utf-8")
    assert sorted(served.cassettes()) == [
        "quiz/tiny-1b/001_france.yaml.partial",
        "quiz/tiny-1b/002_italy.yaml",
    ]


def test_a_failure_that_nobody_accepted_is_a_warning(two: TinyProject) -> None:
    """Without a baseline a failing scenario warns: exit code 0."""
    lying(two)
    (two.root / "baselines").rename(two.root / "elsewhere")
    ran = two.kit("replay")
    assert ran.code == 0
    assert "gate: warn" in ran.out
    assert "001_france is new and fails" in ran.out
