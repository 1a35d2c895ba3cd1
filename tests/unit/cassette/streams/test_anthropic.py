"""Events of Anthropic's messages API."""

from __future__ import annotations

import base64
import json

from tests.fakes.event_streams import EVENT, anthropic, edited, frame, message_of, padded, sse


def test_the_message_as_it_would_have_been_answered() -> None:
    """Blocks in order; arguments are the text that the pieces add up to."""
    message = message_of(sse(*anthropic()))
    thinking, text, call, empty = message.pop("content")
    assert message == {
        "id": "msg_1",
        "role": "assistant",
        "model": "c",
        "usage": {"input_tokens": 4, "output_tokens": 9},
        "stop_reason": "tool_use",
    }
    assert thinking == {"type": "thinking", "thinking": "Hmm, yes.", "signature": "c2ln" * 20}
    assert (text["text"], len(text["citations"])) == ("Paris", 1)
    assert call == {"type": "tool_use", "id": "toolu_1", "name": "look", "input": '{"city": "Paris"}'}
    assert empty["input"] == {}


def test_padding_is_no_template_of_its_own() -> None:
    """Servers pad events with blanks, so that their length tells nothing."""
    from kit.cassette.streams.read import read

    content = sse(*anthropic())
    found, plain = read(padded(content)), read(content)
    assert found is not None
    assert plain is not None
    assert found.message == plain.message
    assert len(found.row["events"]) == len(plain.row["events"])


def test_an_edit_is_cut_anew() -> None:
    """Of text and of arguments."""
    content = edited(sse(*anthropic()), "Hmm, yes.", "Hmm, perhaps.")
    assert message_of(content)["content"][0]["thinking"] == "Hmm, perhaps."


def test_an_error_in_a_stream() -> None:
    """Stands in the message."""
    content = sse(anthropic()[0], {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})
    assert message_of(content)["error"]["message"] == "busy"


def test_inside_the_frames_of_bedrock() -> None:
    """`invoke-with-response-stream`: the same events in base64, padded."""
    frames = [
        json.dumps({"bytes": base64.b64encode(json.dumps(event).encode()).decode(), "p": "abc"[: number % 4]})
        for number, event in enumerate(anthropic())
    ]
    content = b"".join(frame(text.replace('": ', '":', 1).encode(), EVENT) for text in frames)
    assert message_of(content)["content"][1]["text"] == "Paris"


def test_a_key_with_a_dot_has_no_name_in_a_row() -> None:
    """The message is shown all the same: what stands under such a key comes back from the events."""
    block = {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {"a.txt": "x" * 60}}
    start = {"type": "content_block_start", "index": 0, "content_block": block}
    events = [anthropic()[0], start, {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}]
    for content in (sse(*events), padded(sse(*events))):
        assert message_of(content)["content"] == [block]
