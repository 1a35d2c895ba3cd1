"""What of an interaction's bodies is JSON."""

from __future__ import annotations

from kit.cassette.readable import FOLDED, Levels, parse_bodies
from tests.fakes.cassettes import call, tool


def test_bodies_are_parsed_once_where_they_are_json() -> None:
    """Binary, empty and broken bodies, and calls of tools, have no JSON."""
    parsed = parse_bodies([call(1, b'{"a":1}', b"[1, 2]"), call(2, b"", b"\xff\xfe"), tool(3, "x")])
    request, response = parsed[0]
    assert request is not None
    assert response is not None
    assert (request.value, request.hint) == ({"a": 1}, {})
    assert (response.value, response.hint) == ([1, 2], {"style": "spaced"})
    assert parsed[1:] == [(None, None), (None, None)]


def test_everything_begins_at_its_most_readable() -> None:
    """The writer steps down only where it has to."""
    assert Levels() == Levels(FOLDED, FOLDED)
