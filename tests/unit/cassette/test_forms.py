"""What goes without saying about a body."""

from __future__ import annotations

from kit.cassette.forms import answer_type, request_type
from kit.cassette.marks import RawText


def test_the_usual_type_follows_from_the_form() -> None:
    """JSON shown as YAML is application/json, a stream is an event stream, raw text says its type itself."""
    assert request_type({"request": {"a": 1}}) == "application/json"
    assert request_type({"after": 1}) == "application/json"
    assert request_type({"request": RawText("a=b")}) is None
    assert request_type({}) is None
    assert answer_type({"answer": []}, {}) == "application/json"
    assert answer_type({"answer": {}}, {"stream": {}}) == "text/event-stream"
    assert answer_type({"answer": RawText("<html>")}, {}) is None
