"""Results and baselines in few words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.baseline.accepted import Acceptance
from kit.oracle.result import OracleResult
from tests import builders


def make_result(verdict: str = "pass", scenario: str = "001_x", **fields: Any) -> OracleResult:
    """A result of the home suite on model `m:1b`."""
    failures = ("outcome: the run ended as failure, expected success",) if verdict == "fail" else ()
    return builders.result(verdict, scenario, **{"failures": failures, **fields})


@pytest.fixture
def result() -> Callable[..., OracleResult]:
    """`make_result`, for tests."""
    return make_result


@pytest.fixture
def by_me() -> Acceptance:
    """An acceptance."""
    return Acceptance(reason="first look", owner="Roberto", date="2026-11-29")
