"""What GitHub Actions shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kit.gate.reason import Reason
from kit.report import github
from kit.report.github import SHOWN, SUMMARY_BYTES, annotate, silenced, summary
from tests.builders import report, result
from tests.fakes.full_report import FULL

GOLDEN = (Path(__file__).parents[2] / "assets" / "full_annotations.txt").read_text(encoding="utf-8")


def obeyed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner takes it apart: name, properties, message."""
    found = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
    assert found is not None, line
    properties = dict(pair.split("=", 1) for pair in found[2].split(","))
    restored = {key: unescaped(value) for key, value in properties.items()}
    return found[1], restored, unescaped(found[3])


def unescaped(text: str) -> str:
    """The runner's own order: the percent sign last."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def warned(*whats: str, **fields: Any) -> str:
    """Annotations of a run-wide warning each."""
    reasons = tuple(Reason("warn", "drift", what) for what in whats)
    return annotate([report(result(), gate="warn", gate_details=reasons, **fields)])


def test_golden_lines() -> None:
    """Blocking ones first, beside the scenario; what is gone beside its suite; what is not recorded once."""
    assert annotate([FULL], "sub/") + "\n" == GOLDEN


def test_the_runner_reads_back_what_was_written() -> None:
    """Percent signs, line ends, commas and colons survive; a text cannot become a command."""
    text = "100 % sure,\n::set-output name=x::y"
    name, properties, message = obeyed(warned(text, model="m:1b,x"))
    assert (name, properties["title"]) == ("warning", "kit: home on m:1b,x: drift")
    assert message == text
    assert "\n" not in warned(text)


def test_passing_gates_say_nothing() -> None:
    """Nobody annotates what is well."""
    assert annotate([report(result())]) == ""


def test_more_than_github_keeps_are_counted() -> None:
    """It drops what is too many without a word; kit says so."""
    lines = warned(*map(str, range(SHOWN + 3))).splitlines()
    assert len(lines) == SHOWN
    assert lines[-1] == "::warning title=kit::and 4 more%3A the summary of this step has all".replace(
        "%3A", ":"
    )
    assert len(warned(*map(str, range(SHOWN))).splitlines()) == SHOWN


def test_an_overridden_block_is_a_warning() -> None:
    """S2-37: it is told, and nobody has to look for an error."""
    reasons = (Reason("block", "avg_cost", "avg_cost rose"),)
    made = report(result(), gate="block", gate_details=reasons, overridden=True)
    assert annotate([made]).startswith("::warning ")


def test_summary_is_the_markdown_of_all_reports() -> None:
    """Without links, which would lead nowhere."""
    text = summary([FULL, report(result(), model="m:2b")])
    assert text.startswith("# home on m:1b: block\n")
    assert "\n\n# home on m:2b: pass\n" in text
    assert "](" not in text


def test_summary_is_cut_where_github_would_refuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a line, and it says so."""
    assert SUMMARY_BYTES < 2**20
    monkeypatch.setattr(github, "SUMMARY_BYTES", 2000)
    text = summary([report(result("fail", failures=("à" * 300,) * 12))])
    assert len(text.encode()) < 2200
    assert text.endswith("à`\n\nCut here: GitHub shows no longer summary. The whole of it is in report.md.\n")


def test_silenced() -> None:
    """The runner obeys nothing between the two lines."""
    assert silenced("::error::x", "t0ken") == "::stop-commands::t0ken\n::error::x\n::t0ken::"
