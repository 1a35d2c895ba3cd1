"""Calls and rows as interactions again."""

from __future__ import annotations

import pytest

from kit.cassette.emit import dumps
from kit.cassette.load import loads
from kit.errors import CassetteInvalid
from tests.fakes.cassettes import tool_run

TEXT = dumps(tool_run())


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("- call: 2\n", "- call: 1\n", "call 1 stands behind call 1"),
        ("- call: 3\n", "- call: 4\n", "volatile lacks the key '4'"),
        ("  status: 200\n", "  status: ok\n", "status must be an integer, not text"),
        ("  after: 1\n", "  after: 9\n", "after: 9 names no earlier call"),
        ("  after: 1\n", "  after: 1\n  to: POST /\n", "says no `to`"),
        ("  after: 1\n", "  after: 1\n  keep: 9\n", "keep: 9, but call 1 has 2 messages"),
        ("  changed: {stream: true}\n", "  changed: {messages: []}\n", "changed cannot hold messages"),
        ("!answer 1", "!answer 8", "!answer 8 names no earlier message"),
        ("!result 2", "!result 8", "!result 8 names no earlier call"),
        ("tool_call_id: !id call-1", "tool_call_id: !id call-7", "!id call-7 is not in the table"),
        ("  executed: true\n", "  executed: yes\n", "executed must be true or false, not text"),
        ("  executed: true\n", "  lane: fast\n", "'fast' is no lane; allowed: model, tool, other"),
        ("  executed: true\n", "  excuted: true\n", "does not know the key 'excuted'; allowed: call, tool"),
        ("    streamed:\n", "    said:\n", "under the one key `streamed`"),
        ('"ms": [1000, 1900]', '"ms": [1000]', "ms must be [start, end]"),
        ('"at": "http', '"et": "http', "row 1 does not know the key 'et'; allowed: ms, under, at"),
        ('"at": "http://127.0.0.1:8080", ', "", "the first call must say `at`"),
    ],
)
def test_a_wrong_edit_is_refused_with_its_line(old: str, new: str, what: str) -> None:
    """The message says the line, what is wrong, and what would be allowed."""
    assert TEXT.count(old) >= 1
    edited = TEXT.replace(old, new, 1)
    with pytest.raises(CassetteInvalid) as caught:
        loads(edited, "c.yaml")
    assert what in caught.value.what
    path, _, line = str(caught.value.where).partition(":")
    assert path == "c.yaml"
    assert 0 < int(line) <= edited.count("\n")


def test_an_edited_answer_is_what_the_agent_gets() -> None:
    """Who corrects an answer by hand gets it in replay, and the cassette says that it was edited."""
    found = loads(
        TEXT.replace("ERROR disk full'", "ERROR disk FULL up'").replace(
            "completion_tokens: 8", "completion_tokens: 9"
        )
    )
    assert found.edited
    assert b'"completion_tokens":9' in found.interactions[0].response.body  # type: ignore[union-attr]
    assert b" FULL up" in found.interactions[2].response.body  # type: ignore[union-attr]
    assert found.interactions[2].response.chunks == ()  # type: ignore[union-attr]
