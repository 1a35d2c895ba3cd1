"""The passes of each model over time."""

from __future__ import annotations

import dataclasses
import datetime as dt

from kit.gate.floor import Floor
from kit.golden.trend import trends
from tests.unit.golden.test_passes import WHEN, one_pass

LATER = WHEN + dt.timedelta(hours=1)
TWO = one_pass("hit", "hit")
ONE = dataclasses.replace(one_pass("hit", "no_verdict"), when=LATER, number=2)
OTHER = dataclasses.replace(one_pass("miss", "blocked"), model="a")


def test_models_are_never_pooled() -> None:
    """Each has its own passes, oldest first, and its own floor (decision 20)."""
    a, m = trends([ONE, OTHER, TWO], {"m": Floor(1, 2)})
    assert (a.model, a.passes, a.floor) == ("a", (OTHER,), None)
    assert (m.model, m.passes, m.floor) == ("m", (TWO, ONE), Floor(1, 2))
    assert (m.least, m.most) == (ONE, TWO)


def test_cases_are_counted_by_how_they_ended() -> None:
    """As people read it."""
    (m,) = trends([ONE, TWO], {})
    assert m.cases() == {"rf-0": {"hit": 2}, "rf-1": {"hit": 1, "no_verdict": 1}}
    (a,) = trends([OTHER], {})
    assert a.cases()["rf-1"] == {"blocked(infra)": 1}


def test_nothing_measured_has_no_trend() -> None:
    """A floor alone is none."""
    assert trends([], {"m": Floor(1, 6)}) == ()
