"""The only door to the real time and to real chance."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import clock
from tests.fakes.examples import costly

ZONES = st.timezones()


def test_now_is_aware_utc() -> None:
    """A moment without a zone would mean another thing on another machine."""
    before = dt.datetime.now(dt.UTC)
    now = clock.now()
    assert before <= now <= dt.datetime.now(dt.UTC)
    assert now.utcoffset() == dt.timedelta(0)


def test_monotonic_is_whole_milliseconds() -> None:
    """Durations are integers (decision 15) and never negative."""
    first, second = clock.monotonic_ms(), clock.monotonic_ms()
    assert isinstance(first, int)
    assert second >= first


def test_iso_is_utc_in_whole_seconds() -> None:
    """One moment has one text, whatever zone it came in."""
    rome = dt.timezone(dt.timedelta(hours=1))
    assert clock.iso(dt.datetime(2026, 11, 29, 22, 59, 34, 999_999, tzinfo=rome)) == "2026-11-29T21:59:34Z"


@costly(30)
@given(st.datetimes(dt.datetime(1971, 1, 1), dt.datetime(2200, 1, 1), timezones=ZONES))  # noqa: DTZ001
def test_parse_is_the_inverse_of_iso(moment: dt.datetime) -> None:
    """To the second, and always in UTC."""
    parsed = clock.parse_iso(clock.iso(moment))
    assert parsed == moment.astimezone(dt.UTC).replace(microsecond=0)
    assert parsed.tzinfo is dt.UTC
    assert clock.iso(parsed) == clock.iso(moment)


def test_other_zones_are_read_as_utc() -> None:
    """A header edited by hand may say `+01:00`."""
    assert clock.iso(clock.parse_iso("2026-11-29T22:59:34+01:00")) == "2026-11-29T21:59:34Z"


@pytest.mark.parametrize("text", ["2026-11-29T21:59:34", "2026-11-29", "yesterday", ""])
def test_no_instant(text: str) -> None:
    """A text without zone is refused like one that is no date."""
    with pytest.raises(ValueError):
        clock.parse_iso(text)


def test_fresh_ids_are_fresh() -> None:
    """Twelve hex digits, never twice."""
    ids = {clock.fresh_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(re.fullmatch("[0-9a-f]{12}", one) for one in ids)
