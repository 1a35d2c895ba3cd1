"""An EvalReport in Markdown."""

from __future__ import annotations

from pathlib import Path

from kit.harness.eval_report import DriftRecord
from kit.oracle.result import Conditional, FindingRecord
from kit.report.markdown import MOST_DRIFT, render
from tests.builders import report, result
from tests.fakes.full_report import FULL

GOLDEN = (Path(__file__).parents[2] / "assets" / "full_report.md").read_text(encoding="utf-8")


def test_golden_text() -> None:
    """S2-30: header, three numbers, reasons, what fell, what rose, tables, drift; each thing once."""
    assert render(FULL) == GOLDEN


def test_all_is_well() -> None:
    """Nothing but the header, the numbers and the tables."""
    text = render(report(result(), baseline_diff={}))
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == ["# home on m:1b: pass", "## By category", "## By scenario"]
    assert text.index("success_rate") < text.index("## By category")


def test_links_only_where_they_lead_somewhere() -> None:
    """The summary of a step lies nowhere near the traces."""
    assert "](traces/" in render(FULL)
    assert "](" not in render(FULL, has_traces=False)


def test_override_is_said_in_the_report() -> None:
    """S2-37: the gate still says block, and who reads it learns that it was passed."""
    text = render(report(result("fail"), gate="block", overridden=True))
    assert "gate **block**" in text
    assert "**Overridden:** the block was passed with a stated reason" in text


def test_what_a_model_says_stays_text() -> None:
    """No heading, image, mention or cell of its own, in no section."""
    evil = "# pwn\n| a | b |\n![x](http://e/)<script>@octocat```"
    lines = render(
        report(
            result("fail", failures=(evil,), notices=(evil,)),
            result("error", "002_y", errors=(evil,)),
            gate="block",
            gate_reasons=(evil,),
        )
    ).splitlines()
    fenced = [number for number, line in enumerate(lines) if line.startswith("````")]
    outside = [line for number, line in enumerate(lines) if not fenced[0] < number < fenced[1]]
    assert not [line for line in outside if line.startswith(("# pwn", "| a |", "!["))]
    assert any(line.startswith("- **block**: \\# pwn \\| a \\| b \\|") for line in outside)
    assert sum("```` # pwn | a | b |" in line for line in outside) == 2


def test_conditional_findings_stand_under_the_error() -> None:
    """Decision 6: what the conditions say on the old answers."""
    finding = FindingRecord(oracle="outcome", ok=False, reason="outcome: failure")
    conditional = Conditional(divergences=(), findings=(finding,))
    text = render(report(result("error", errors=("needs recording",), conditional=conditional)))
    assert "needs recording\n```\n\n```text\nconditional, on the old answers: " in text


def test_many_differences_are_counted() -> None:
    """A reader gets the heaviest; report.json has all."""
    drift = [
        DriftRecord(cell="001_x", kind="prompt", severity="info", sentence=f"s{number}")
        for number in range(MOST_DRIFT + 2)
    ]
    heavy = DriftRecord(cell="001_x", kind="trajectory", severity="block", sentence="gone")
    text = render(report(result(), baseline_diff={}, drift=(*drift, heavy)))
    assert "- block, trajectory: gone\n- info, prompt: s0\n" in text
    assert "- … and 3 more differences (report.json has all)" in text
