"""Drift of answers as a person reads it."""

from __future__ import annotations

from pathlib import Path

from kit.baseline.answer_drift import AnswerDrift
from kit.report.verify import render_verified, summary
from kit.workflow.verify import Verified, VerifiedCall, VerifiedCassette


def verified(*calls: VerifiedCall) -> Verified:
    """One cassette with these calls."""
    return Verified((VerifiedCassette(Path("cassettes/a.yaml"), "m", "2026-01-02T03:04:05Z", calls),), 0)


def test_what_is_the_same_is_one_line() -> None:
    """Nobody reads through calls that did not drift."""
    text = render_verified(verified(VerifiedCall(1, AnswerDrift()), VerifiedCall(2, AnswerDrift())))
    assert text == ("cassettes/a.yaml (recorded 2026-01-02T03:04:05Z): as recorded\n\n2/2 answers the same")


def test_each_drift_names_its_call_and_kind() -> None:
    """And what was not sent says why; counts have their total."""
    found = verified(
        VerifiedCall(1, AnswerDrift()),
        VerifiedCall(3, AnswerDrift(("status 200 -> 503",), ("finish reason stop -> length",), ("a -> b",))),
        VerifiedCall(5, None, "it holds a masked secret"),
    )
    lines = render_verified(found).splitlines()
    assert lines[0].endswith("drifted")
    assert lines[1:5] == [
        "  call 3  shape      status 200 -> 503",
        "  call 3  behaviour  finish reason stop -> length",
        "  call 3  words      a -> b",
        "  call 5  not sent: it holds a masked secret",
    ]
    assert summary(found) == (
        "1/2 answers the same, 1/2 drifted in shape, 1/2 drifted in behaviour, 1/2 drifted in words; "
        "1 not sent"
    )
