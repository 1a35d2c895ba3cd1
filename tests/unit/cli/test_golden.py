"""`kit golden` on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.cli.main import main
from tests.fakes.golden_project import GoldenProject
from tests.fakes.repository import repository
from tests.fakes.stub_project import StubProject
from tests.unit.cli.conftest import Ran

Kit = Callable[..., Ran]


@pytest.fixture
def golden(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoldenProject]:
    """A golden set in the project that `kit` is called in."""
    monkeypatch.delenv("GOLDEN_SET_QA_MODEL", raising=False)
    yield GoldenProject(project.root)


def test_a_live_run_prints_banner_cases_and_floor(golden: GoldenProject, kit: Kit) -> None:
    """All six together, whatever came of them (S4-07, S4-28)."""
    golden.floor(2)
    ran = kit("golden", "--model", "stub")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("NOT deterministic")
    at = lines.index("stub, pass 1 (live): 2/6")
    assert [line.split()[0] for line in lines[at + 1 : at + 7]] == [f"rf-{letter}" for letter in "abcdef"]
    assert lines[at + 7] == "  floor: 2/6 holds the floor 2/6 of stub"


def test_exit_codes(golden: GoldenProject, kit: Kit) -> None:
    """Below the floor 1, usage and files 2, nothing recorded 3 (decision 14)."""
    golden.floor(3)
    assert kit("golden", "--model", "stub").code == 1
    assert kit("golden", "--mode", "replay").code == 3
    assert kit("golden", "--mode", "replay", "--keep").code == 2
    assert kit("golden", "--mode", "replay", "--seed", "x").code == 2
    assert kit("golden", "--mode", "replay", "--seed", "").code == 2
    logged = kit("golden", "--log")
    assert logged.code == 2
    assert "next: kit golden --mode replay --log" in logged.err
    assert kit("golden", "--passes", "0").code == 2
    golden.floor(7)
    assert kit("golden", "--model", "stub").code == 2


def test_f10_an_unreachable_backend_is_exit_code_4(golden: GoldenProject, kit: Kit) -> None:
    """Neither a pass nor a miss; the default model is the source's."""
    golden.floor(1, model="qwen2.5-coder:latest")
    ran = kit("golden", "--base-url", "http://127.0.0.1:9/v1")
    assert ran.code == 4
    assert "ollama pull qwen2.5-coder:latest" in ran.err
    assert "pass 1" not in ran.out


def test_keep_and_replay(golden: GoldenProject, kit: Kit) -> None:
    """The replay says nothing of being live."""
    golden.floor(2)
    kept = kit("golden", "--model", "stub", "--keep", "--passes", "2")
    assert kept.out.count("recorded cassettes/golden/stub/") == 12
    ran = kit("golden", "--mode", "replay", "--log")
    assert ran.code == 0
    assert "NOT deterministic" not in ran.out
    assert "stub: 2/6, 2/6; least 2/6" in ran.out
    assert "history: 2 passes appended" in ran.out


def test_history_and_trend(golden: GoldenProject, kit: Kit, tmp_path: Path) -> None:
    """Text, and a drawing where one is asked for."""
    for command in ("history", "trend"):
        assert kit("golden", command).out == "no pass was logged yet\n"
    kit("golden", "--model", "stub", "--keep")
    kit("golden", "--mode", "replay", "--log")
    assert "stub  pass 1  recorded  2/6" in kit("golden", "history").out
    target = tmp_path / "trend.svg"
    ran = kit("golden", "trend", "--svg", str(target))
    assert ran.out.startswith("stub: 2/6 (least 2/6, most 2/6, no floor)\n")
    golden.floor(4, model="other:1b")
    assert kit("golden", "trend").out.endswith("\n\nno pass was logged of other:1b (floor 4/6)\n")
    assert target.read_text("utf-8").startswith("<svg ")
    ran = kit("golden", "trend", "--svg", str(tmp_path / "gone" / "trend.svg"))
    assert ran.code == 4
    assert "the trend cannot be drawn: No such file or directory" in ran.err


def test_check_floor(golden: GoldenProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names what came down; only --strict makes it an error, as lowering is a person's decision (S4-27)."""
    made = repository(golden.root)
    made.commit("none")
    golden.floor(4)
    ran = kit("golden", "check-floor", "--against", "HEAD", "--strict")
    assert ran.code == 0
    assert ran.out.startswith("golden: there is no floor file at HEAD, so nothing to compare\n")
    made.commit("floor")
    ran = kit("golden", "check-floor", "--against", "HEAD", "--strict")
    assert (ran.code, ran.out) == (0, "no floor is lower than at HEAD (1 files)\n")
    golden.floor(3)
    ran = kit("golden", "check-floor", "--against", "HEAD")
    assert (ran.code, ran.out) == (0, "golden: stub: the floor 4/6 was lowered to 3/6\n")
    assert kit("golden", "check-floor", "--against", "HEAD", "--strict").code == 1
    assert kit("golden", "check-floor").code == 2


@pytest.mark.parametrize("words", [("replay",), ("record", "--model", "stub"), ("run", "--mode", "live")])
def test_plain_commands_never_play_the_golden_set(
    golden: GoldenProject, kit: Kit, words: tuple[str, ...]
) -> None:
    """Only its name does, or `kit golden` (S4-05)."""
    golden.scenario()
    golden.record()
    ran = kit(*words)
    assert "golden" not in ran.out + ran.err
    assert not (golden.root / "cassettes/golden").exists()


def test_help_does_not_run(golden: GoldenProject, capsys: pytest.CaptureFixture[str]) -> None:
    """And names the commands below."""
    with pytest.raises(SystemExit) as stop:
        main(["golden", "--help"])
    assert stop.value.code == 0
    shown: Any = capsys.readouterr().out
    assert all(word in shown for word in ("check-floor", "history", "trend", "--passes"))
