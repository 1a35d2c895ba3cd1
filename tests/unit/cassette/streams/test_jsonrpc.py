"""JSON-RPC in a stream."""

from __future__ import annotations

from kit.cassette.streams.read import read
from tests.fakes.event_streams import message_of, sse

RESULT = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "x" * 200}]}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}


def test_one_message_is_the_message() -> None:
    """And the row says only that it is written whole."""
    content = sse(RESULT)
    assert message_of(content) == RESULT
    found = read(content)
    assert found is not None
    assert "values" in found.row
    assert "xxx" not in str(found.row)


def test_several_messages_are_a_list() -> None:
    """A progress and a result do not add up."""
    assert message_of(sse(NOTE, RESULT)) == {"messages": [NOTE, RESULT]}
