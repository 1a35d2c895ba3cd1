"""Bodies behind invoke, each in its vendor's form."""

from __future__ import annotations

from typing import Any

import pytest

from kit.wire.bedrock_vendor import join_vendor_chunks, read_vendor_answer, read_vendor_request

METRICS = {"amazon-bedrock-invocationMetrics": {"inputTokenCount": 5, "outputTokenCount": 7}}


@pytest.mark.parametrize(
    ("value", "roles"),
    [
        (
            {"anthropic_version": "x", "system": "s", "messages": [{"role": "user", "content": "hi"}]},
            ["system", "user"],
        ),
        (
            {"system": [{"text": "s"}], "messages": [{"role": "user", "content": [{"text": "hi"}]}]},
            ["system", "user"],
        ),
        ({"messages": [{"role": "user", "content": "hi"}], "max_tokens": 3}, ["user"]),
        ({"message": "hi", "chat_history": [{"role": "CHATBOT", "message": "yo"}]}, ["assistant", "user"]),
        ({"prompt": "hi", "temperature": 0}, ["user"]),
        ({"inputText": "hi", "textGenerationConfig": {}}, ["user"]),
    ],
    ids=["anthropic", "nova", "openai", "cohere", "llama", "titan"],
)
def test_a_request_is_read_in_its_vendors_form(value: dict[str, Any], roles: list[str]) -> None:
    """Whoever made the model, the question is the last message."""
    request = read_vendor_request(value, "m")
    assert [message.role for message in request.messages] == roles
    assert request.messages[-1].text == "hi"
    assert request.model == "m"


@pytest.mark.parametrize(
    ("value", "reason", "tokens"),
    [
        (
            {
                "type": "message",
                "content": [{"type": "text", "text": "hi"}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 5, "output_tokens": 7},
            },
            "end_turn",
            (5, 7),
        ),
        (
            {
                "output": {"message": {"content": [{"text": "hi"}]}},
                "stopReason": "end_turn",
                "usage": {"inputTokens": 5, "outputTokens": 7},
            },
            "end_turn",
            (5, 7),
        ),
        (
            {
                "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 7},
            },
            "stop",
            (5, 7),
        ),
        (
            {
                "inputTextTokenCount": 5,
                "results": [{"outputText": "hi", "tokenCount": 7, "completionReason": "FINISH"}],
            },
            "FINISH",
            (5, 7),
        ),
        (
            {
                "generation": "hi",
                "prompt_token_count": 5,
                "generation_token_count": 7,
                "stop_reason": "stop",
            },
            "stop",
            (5, 7),
        ),
        ({"outputs": [{"text": "hi", "stop_reason": "stop"}]}, "stop", (None, None)),
        ({"choices": [{"text": "hi", "stop_reason": "stop"}]}, "stop", (None, None)),
        ({"text": "hi", "generation_id": "g", "finish_reason": "COMPLETE"}, "COMPLETE", (None, None)),
        ({"generations": [{"text": "hi", "finish_reason": "COMPLETE"}]}, "COMPLETE", (None, None)),
        (
            {"completions": [{"data": {"text": "hi"}, "finishReason": {"reason": "endoftext"}}]},
            "endoftext",
            (None, None),
        ),
    ],
    ids=[
        "anthropic",
        "nova",
        "openai",
        "titan",
        "llama",
        "mistral",
        "deepseek",
        "command-r",
        "command",
        "ai21",
    ],
)
def test_an_answer_is_read_in_its_vendors_form(value: Any, reason: str, tokens: tuple[Any, Any]) -> None:
    """Text, reason and tokens, where the vendor counts them in the body."""
    answer = read_vendor_answer(value)
    assert (answer.text, answer.finish_reason, answer.error) == ("hi", reason, None)
    assert (answer.prompt_tokens, answer.completion_tokens) == tokens


@pytest.mark.parametrize(
    "chunks",
    [
        [
            {"type": "message_start", "message": {"usage": {"input_tokens": 5}}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
        ],
        [
            {"messageStart": {"role": "assistant"}},
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "hi"}}},
            {"messageStop": {"stopReason": "end_turn"}},
            {"metadata": {"usage": {"inputTokens": 5, "outputTokens": 7}}},
        ],
        [
            {"choices": [{"index": 0, "delta": {"content": "hi"}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], **METRICS},
        ],
        [{"outputText": "h"}, {"outputText": "i", "completionReason": "FINISH", **METRICS}],
        [{"generation": "h"}, {"generation": "i", "stop_reason": "stop", **METRICS}],
        [{"outputs": [{"text": "h"}]}, {"outputs": [{"text": "i", "stop_reason": "stop"}], **METRICS}],
        [
            {"event_type": "text-generation", "text": "hi"},
            {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"text": "hi"}, **METRICS},
        ],
    ],
    ids=["anthropic", "nova", "openai", "titan", "llama", "mistral", "cohere"],
)
def test_chunks_become_an_answer_in_their_vendors_form(chunks: list[Any]) -> None:
    """Text, a reason to stop and the tokens that Bedrock counts at the end."""
    answer = join_vendor_chunks(chunks)
    assert (answer.text, answer.error, answer.broken) == ("hi", None, False)
    assert answer.finish_reason is not None
    if "event_type" not in chunks[0]:
        assert (answer.prompt_tokens, answer.completion_tokens) == (5, 7)


@pytest.mark.parametrize("chunks", [[], [{"generation": "h"}], [3]])
def test_chunks_without_an_end_are_broken(chunks: list[Any]) -> None:
    """Nothing is made up for them."""
    assert join_vendor_chunks(chunks).broken


def test_an_embedding_behind_a_nameless_profile_is_no_error() -> None:
    """An ARN does not say what its model does; the answer does."""
    answer = read_vendor_answer({"embedding": [0.1], "inputTextTokenCount": 4})
    assert (answer.error, answer.prompt_tokens, answer.completion_tokens) == (None, 4, 0)
