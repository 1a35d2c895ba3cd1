"""An EvalReport at the terminal."""

from __future__ import annotations

import re

from kit.report.terminal import headline, render
from tests.builders import report, result
from tests.fakes.full_report import FULL

MIXED = report(
    result(cost_micro_usd=1500),
    result(
        "fail",
        "002_y",
        category="security",
        outcome="failure",
        failures=(
            "outcome: the run ended as failure,\nexpected success",
            "tools_called: fs_read was not called",
        ),
        cost_micro_usd=None,
        latency_ms=900,
        replicate=2,
    ),
    result(
        "error",
        "003_z",
        errors=("MISS  home/003_z\n\n  asked     POST /v1/chat/completions",),
        outcome=None,
        cost_micro_usd=None,
        latency_ms=None,
        model_calls=0,
        tool_calls=0,
    ),
    result("skip", "004_s", notices=("no judge is there",), outcome=None, variant="terse"),
    gate="block",
    gate_reasons=("002_y@2 was accepted as pass and fails", "003_z has no verdict, it ended in an error"),
)

GOLDEN = """\
home on m:1b, replay
  success_rate  1/2   (1 error, 1 skip)
  avg_cost      unknown (price known for 1/2)
  p95_latency   2.0 s (as recorded)

  verdict    scenario       category      outcome         cost    latency    calls
  pass       001_x          happy_path    success    $0.001500      2.0 s    2 model, 1 tool
  fail       002_y@2        security      failure      unknown     900 ms    2 model, 1 tool
  error      003_z          happy_path    -                  -          -    -
  skip       004_s.terse    happy_path    -                  -          -    -

  002_y@2 (fail)
    x outcome: the run ended as failure,
      expected success
    x tools_called: fs_read was not called

  003_z (error)
    ! MISS  home/003_z

        asked     POST /v1/chat/completions

  004_s.terse (skip)
    i no judge is there

  gate: block
    - 002_y@2 was accepted as pass and fails
    - 003_z has no verdict, it ended in an error"""


def test_golden_text() -> None:
    """Three numbers first (S2-05), then a line a run, then every reason, then the gate."""
    assert render(MIXED) == GOLDEN


def test_all_is_well() -> None:
    """A passing report has no reasons to read."""
    lines = render(report(result())).splitlines()
    assert lines[1] == "  success_rate  1/1"
    assert lines[2] == "  avg_cost      $0.000010"
    assert lines[-1] == "  gate: pass"
    assert not any(line.lstrip().startswith(("x ", "! ", "i ", "- ")) for line in lines)


def test_headline_without_any_executed_scenario() -> None:
    """X-05, X-06: unknown is not 0, and 0/0 stands as a count."""
    assert list(headline(report(result("error")).summary)) == [
        "success_rate  0/0   (1 error)",
        "avg_cost      unknown",
        "p95_latency   -",
    ]


def test_colours_only_when_asked() -> None:
    """What goes to a file or a pipe has no escape in it, and the words are the same."""
    coloured = render(MIXED, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b" not in render(MIXED)
    uncoloured = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in uncoloured.splitlines()] == GOLDEN.splitlines()


def test_long_ids_and_reasons_are_not_cut() -> None:
    """Nothing is replaced by an ellipsis: a reason that cannot be read is no reason."""
    long = "005_" + "a" * 100
    reason = "x" * 300
    text = render(report(result("fail", long, failures=(reason,))))
    assert "…" not in text
    assert f"{long} (fail)" in text
    assert f"    x {reason}" in text.splitlines()


def test_brackets_are_text() -> None:
    """What a model or a scenario says is never read as markup or as an emoji."""
    text = render(report(result("fail", category="[red]c[/red]", failures=("[bold]b[/bold] :smile:",))))
    assert "[red]c[/red]" in text
    assert "x [bold]b[/bold] :smile:" in text


def test_escapes_of_a_model_do_not_reach_the_terminal() -> None:
    """A failure quotes the agent; a control sequence in it must not clear the screen."""
    text = render(report(result("fail", failures=("it says \x1b[2J\x07",))))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert r"it says \x1b[2J\x07" in text


def test_numbers_stand_beside_those_of_the_baseline() -> None:
    """S2-30: what was accepted and what moved, over what both have."""
    assert render(FULL).splitlines()[1:4] == [
        "  success_rate  2/4   (2 errors, 1 skip)   baseline 2/3, unchanged",
        "  avg_cost      unknown (price known for 3/4)   baseline $0.000010, +$0.000003 (+30.0 %)",
        "  p95_latency   2.0 s (as recorded)   baseline 1.0 s, +1.0 s (+100.0 %)",
    ]


def test_what_was_never_recorded_is_told_once_at_the_end() -> None:
    """Twenty missing cassettes are one thing to do."""
    text = render(FULL)
    assert "nothing was recorded yet" not in text
    assert "  005_n (error)" not in text
    assert text.endswith(
        "\n\n  not recorded: 1 run of home on m:1b\n    005_n\n"
        "    recording takes about 1 × (900 in + 70 out) tokens, the mean of 4 recorded runs: "
        "about $0.001234, judges not counted\n"
        "    next: kit record home --missing --model m:1b"
    )
