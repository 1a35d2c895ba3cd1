"""A report in a chat."""

from __future__ import annotations

from pathlib import Path

from kit.report.message import LONGEST, REASONS, render
from tests.builders import report, result
from tests.fakes.full_report import FULL

GOLDEN = (Path(__file__).parents[2] / "assets" / "full_message.txt").read_text(encoding="utf-8")


def test_golden_text() -> None:
    """The three numbers first, then the gate's reasons, then where the rest is."""
    assert render([FULL], "https://x/1") + "\n" == GOLDEN


def test_many_reasons_are_counted() -> None:
    """A chat is no report."""
    text = render([report(result(), gate="warn", gate_reasons=tuple("abcdefghijk"))])
    assert text.splitlines()[-1] == f"… and {11 - REASONS} more"


def test_never_longer_than_a_chat_takes_and_the_link_stays() -> None:
    """Long sentences are cut, and so is the whole."""
    reasons = ("long " * 200,) * REASONS
    made = report(result(), gate="warn", gate_reasons=reasons)
    text = render([made] * 9, "https://x/1")
    assert len(text) <= LONGEST
    assert text.endswith("…\n\nhttps://x/1")


def test_override_is_said() -> None:
    """The gate still says block."""
    assert render([report(result(), gate="block", overridden=True)]).startswith(
        "kit: home on m:1b, replay: block (overridden)\n"
    )
