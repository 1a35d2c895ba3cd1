"""Findings, failures and crashes are three things."""

from __future__ import annotations

import dataclasses

import pytest

from kit.oracle.finding import Finding, OracleCrash, crashes, failures

HOLDS = Finding("outcome", ok=True, reason="it holds")
FAILS = Finding("memory", ok=False, reason="it does not", step=3)
CRASH = OracleCrash("files", ok=False, reason="it broke", exit_code=4)


def test_failures_leave_out_crashes() -> None:
    """A broken check is never told as a condition that does not hold."""
    assert failures((HOLDS, FAILS, CRASH)) == ("it does not",)
    assert crashes((HOLDS, FAILS, CRASH)) == (CRASH,)


def test_findings_are_frozen() -> None:
    """Nobody changes a finding afterwards."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        HOLDS.ok = False  # type: ignore[misc]
