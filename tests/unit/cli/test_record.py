"""`kit record`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.model_server import serving
from tests.fakes.stub_project import StubProject
from tests.fakes.wrapped_program import ASK

Kit = Callable[..., Any]


def test_scenarios(project: StubProject, kit: Kit) -> None:
    """Progress, the report, then what was kept and where the rest lies."""
    project.scenario()
    ran = kit("record")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:3] == ["home/001_x on stub …", "  pass", "home on stub, live"]
    assert lines[-2] == "recorded cassettes/home/stub/001_x.yaml"
    assert lines[-1].startswith("traces and report.json: .kit/reports/")


def test_options_choose_what_is_recorded(project: StubProject, kit: Kit) -> None:
    """`--only`, `--repeat` and `--missing` narrow or widen the plan."""
    project.scenario()
    project.scenario("002_y", category="security")
    assert (
        "recorded cassettes/home/stub/002_y@2.yaml"
        in kit("record", "--only", "security", "--repeat", "2").out
    )
    assert not project.cassette().exists()
    out = kit("record", "--missing").out
    assert "recorded cassettes/home/stub/001_x.yaml" in out
    assert "002_y" not in out
    assert "nothing to record" in kit("record", "--missing").out


def test_model_base_url_and_agent(project: StubProject, kit: Kit) -> None:
    """A model under an address of one's own, with another agent than the configured one."""
    project.scenario(says="echo")
    with serving() as server:
        words = (
            "--model",
            "m:1b",
            "--base-url",
            f"{server.url}/v1",
            "--agent",
            "tests.fakes.agents:asks_politely",
        )
        ran = kit("record", *words)
    # The server answers as `stub`: a cassette under another model's name would be a lie (decision 20).
    assert ran.code == 4
    assert "the model `stub` answered" in ran.out
    assert not project.cassette(model="m:1b").exists()
    assert b"please: hello" in server.requests[-1][1]


def test_resume_asks_where_the_plan_asked(
    project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address is part of the plan, as its model is; what is told now, also as a variable, counts more."""
    project.scenario()
    assert kit("record", "--model", "m:1b", "--base-url", "http://127.0.0.1:9/v1").code == 4
    assert "no model server answers at http://127.0.0.1:9/v1" in kit("record", "--resume").err
    assert "at http://127.0.0.1:8/v1" in kit("record", "--resume", "--base-url", "http://127.0.0.1:8/v1").err
    monkeypatch.setenv("KIT_BASE_URL", "http://127.0.0.1:7/v1")
    assert "at http://127.0.0.1:7/v1" in kit("record", "--resume").err


@pytest.mark.parametrize(
    ("words", "said", "then"),
    [
        (("--workers", "2", "--", "x"), "divide scenarios", "kit record -- python my_agent.py"),
        (("--stale", "--", "x"), "so --stale cannot", "kit record -- python my_agent.py"),
        (
            ("--judge-only", "--missing", "--resume"),
            "so --missing and --resume cannot",
            "kit record --judge-only",
        ),
        (("--resume", "--failed"), "so --failed cannot", "kit record --resume"),
        (("--resume", "001"), "without a selection of its own", "kit record --resume"),
    ],
)
def test_words_that_exclude_each_other(
    project: StubProject, kit: Kit, words: tuple[str, ...], said: str, then: str
) -> None:
    """Exit code 2, and a command that can be."""
    ran = kit("record", *words)
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.endswith(f"\n  next: {then}\n")


def test_json(project: StubProject, kit: Kit) -> None:
    """Nothing but the JSON stands on stdout."""
    project.scenario()
    (report,) = json.loads(kit("record", "--json").out)
    assert (report["mode"], report["scenarios"][0]["verdict"]) == ("live", "pass")


def test_ci(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16: exit code 2."""
    project.scenario()
    monkeypatch.setenv("CI", "true")
    ran = kit("record")
    assert ran.code == 2
    assert ran.err.startswith("kit: kit record is refused where CI is set")


def test_program(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything behind `--` is the program's; the tape is named after it."""
    project.write("my_agent.py", ASK + 'import sys\nassert sys.argv[1:] == ["--model", "x"]\nask("one")')
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        ran = kit("record", "--", sys.executable, "my_agent.py", "--model", "x")
    assert (ran.code, ran.err) == (0, "")
    assert "--- my_agent, recorded" in ran.out
    assert "1 model call, 0 tool calls" in ran.out
    assert (project.root / "cassettes/tapes/my_agent.yaml").exists()


def test_ctrl_c(project: StubProject, kit: Kit) -> None:
    """Exit code 130, and where the answers lie that were already paid for."""
    project.scenario()
    ran = kit("record", "--agent", "tests.fakes.agents:is_interrupted")
    assert ran.code == 130
    assert ran.err.endswith("kit: interrupted\n")
    assert "cassettes/home/stub/001_x.yaml.partial" in ran.out + ran.err
    assert ran.out.endswith("1 of the planned runs is not recorded\n  next: kit record --resume\n")
    assert not project.cassette().exists()
