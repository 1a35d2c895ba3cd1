"""Messages and answers of Bedrock's converse API."""

from __future__ import annotations

from typing import Any

import pytest

from kit.wire.converse_message import prompt_tokens, read_conversation, read_converse
from kit.wire.dialect import WireCall, WireMessage


def answer(*blocks: dict[str, Any], reason: str = "end_turn", **usage: int) -> dict[str, Any]:
    """A converse response."""
    return {
        "output": {"message": {"role": "assistant", "content": list(blocks)}},
        "stopReason": reason,
        "usage": usage,
    }


def test_a_conversation_is_told_in_messages() -> None:
    """The system prompt first, results on their own, the tools unpacked."""
    use = {"toolUseId": "t1", "name": "fs_read", "input": {"path": "/a"}}
    result = {"toolUseId": "t1", "content": [{"json": {"lines": 3}}], "status": "success"}
    request = read_conversation(
        {
            "system": [{"text": "be kind"}, {"cachePoint": {"type": "default"}}],
            "messages": [
                {"role": "user", "content": [{"text": "look"}]},
                {"role": "assistant", "content": [{"text": "Looking."}, {"toolUse": use}]},
                {"role": "user", "content": [{"toolResult": result}, {"text": "and?"}]},
            ],
            "toolConfig": {"tools": [{"toolSpec": {"name": "fs_read"}}], "toolChoice": {"auto": {}}},
            "inferenceConfig": {"temperature": 0},
        },
        "m",
    )
    assert request.messages == (
        WireMessage("system", "be kind"),
        WireMessage("user", "look"),
        WireMessage("assistant", "Looking.", (WireCall("t1", "fs_read", {"path": "/a"}, '{"path":"/a"}'),)),
        WireMessage("tool", '{"lines":3}', call_id="t1"),
        WireMessage("user", "and?"),
    )
    assert request.tools == ({"name": "fs_read"},)
    assert request.parameters == {"inferenceConfig": {"temperature": 0}, "toolChoice": {"auto": {}}}


def test_an_answer_is_read_in_its_blocks() -> None:
    """Thoughts, cited text, a call of the agent's and one of the server's."""
    read = read_converse(
        answer(
            {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
            {"reasoningContent": {"redactedContent": "x"}},
            {"citationsContent": {"content": [{"text": "Cited."}]}},
            {"toolUse": {"toolUseId": "s", "name": "code", "input": {"c": 1}, "type": "server_tool_use"}},
            {"toolResult": {"toolUseId": "s", "content": [{"json": {"out": 2}}]}},
            {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}},
            reason="tool_use",
            inputTokens=4,
            cacheReadInputTokens=10,
            outputTokens=6,
        )
    )
    assert (read.text, read.thinking, read.finish_reason) == ("Cited.", "hm", "tool_use")
    assert [(call.id, call.arguments) for call in read.tool_calls] == [("t", {})]
    assert [(call.name, call.result) for call in read.server_calls] == [("code", '[{"json":{"out":2}}]')]
    assert (read.prompt_tokens, read.completion_tokens) == (14, 6)


@pytest.mark.parametrize(
    ("reason", "refusal", "error"),
    [
        ("guardrail_intervened", "Sorry.", None),
        ("content_filtered", "Sorry.", None),
        ("malformed_tool_use", None, "unusable output of the model: malformed_tool_use"),
        ("max_tokens", None, None),
    ],
)
def test_the_reason_to_stop_tells_refusals_and_spoilt_calls(
    reason: str, refusal: str | None, error: str | None
) -> None:
    """A guardrail's own words are the refusal."""
    read = read_converse(answer({"text": "Sorry."}, reason=reason))
    assert (read.refusal, read.error, read.finish_reason) == (refusal, error, reason)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"message": "Too many requests"}, "Too many requests"),
        ({"Message": "no"}, "no"),
        ({"output": {}}, "answer has no message"),
        (3, "answer has no message"),
    ],
)
def test_a_failure_tells_its_reason(value: Any, error: str) -> None:
    """AWS spells its field either way."""
    assert read_converse(value).error == error


def test_nothing_counted_is_unknown() -> None:
    """None is never 0 (X-05)."""
    assert prompt_tokens({}) is None
    assert prompt_tokens({"inputTokens": 0}) == 0
