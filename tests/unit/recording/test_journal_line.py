"""Lines of the journal."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.recording.journal_line import from_line, interaction_line, read_interaction, to_line

HTTP = Interaction(
    1,
    "model",
    HttpRequest("POST", "http://x/", (("a", "b"),), b'{"n": 1}'),
    HttpResponse(200, (("c", "d"),), b"\xff\x00", (1, 1), "ReadError: torn"),
    0,
    7,
)
TOOL = Interaction(
    2, "tool", ToolRequest("t", {"z": 10**40}), ToolResponse("\ud800", None, executed=True), 7, 8
)


@pytest.mark.parametrize("interaction", [HTTP, TOOL])
def test_an_interaction_comes_back_as_it_was(interaction: Interaction) -> None:
    """Bytes that are no text, integers beyond 64 bits and lone surrogates included."""
    line = to_line({"interaction": interaction_line(interaction)})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert read_interaction(from_line(line)["interaction"]) == interaction


def test_where_it_was_asked_comes_back() -> None:
    """Equality leaves it out: it is how a run went, not what crossed its boundary."""
    asked = replace(TOOL, under=7, job=(3, 12))
    found = read_interaction(from_line(to_line({"interaction": interaction_line(asked)}))["interaction"])
    assert (found.under, found.job) == (7, (3, 12))


@pytest.mark.parametrize(
    "line", [b"", b"\x00\x00\x00", b'{"a": 1', b"[1]", b" {", b"null", b" " + b"[" * 99_999]
)
def test_what_is_no_line_is_told_as_such(line: bytes) -> None:
    """One kind of error, whatever a crash has left."""
    with pytest.raises(ValueError):
        from_line(line)


def _spoilt(changes: dict[str, Any]) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(json.dumps(interaction_line(HTTP)))
    return line | changes


@pytest.mark.parametrize(
    "changes",
    [
        {"number": "1"},
        {"lane": "elsewhere"},
        {"job": ["1"]},
        {"job": 1},
        {"started_ms": None},
        {"http": ["POST", "http://x/", []]},
        {"http": ["POST", 7, [], {"text": ""}]},
        {"http": ["POST", "http://x/", [["a"]], {"text": ""}]},
        {"http": ["POST", "http://x/", [["a", 1]], {"text": ""}]},
        {"http": ["POST", "http://x/", [], {"base64": "?"}]},
        {"answer": [200, [], {"text": ""}, ["1"], None]},
        {"answer": ["200", [], {"text": ""}, [], None]},
        {"answer": [200, [], {"text": ""}, [], 5]},
    ],
)
def test_a_damaged_interaction_is_refused(changes: dict[str, Any]) -> None:
    """A value of another kind never reaches a cassette."""
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        read_interaction(_spoilt(changes))
