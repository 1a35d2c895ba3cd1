"""Lanes of HTTP requests."""

from __future__ import annotations

import pytest

from kit.cassette.interaction import HttpRequest
from kit.recording.lanes import lane_of


@pytest.mark.parametrize(
    ("url", "lane"),
    [
        ("http://h/v1/chat/completions", "model"),
        ("http://mine/ask", "model"),
        ("http://h/prices.json", "other"),
    ],
)
def test_a_dialect_or_a_declared_address_makes_a_model_call(url: str, lane: str) -> None:
    """All other traffic is of lane `other`."""
    assert lane_of(HttpRequest("POST", url, (), b"{}"), "", ("http://mine/",)) == lane
