"""Models that measure texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.wire.dialect import Dialect
from kit.wire.registry import recognise

BEDROCK = "https://bedrock-runtime.us-east-1.amazonaws.com/model"
GOOGLE = "https://generativelanguage.googleapis.com/v1beta/models"
CASES: tuple[tuple[str, str, dict[str, Any], list[str], dict[str, Any], int | None], ...] = (
    (
        "https://api.openai.com/v1/embeddings",
        "text-embedding-3-small",
        {"model": "text-embedding-3-small", "input": ["a", "b"]},
        ["a", "b"],
        {"data": [], "usage": {"prompt_tokens": 2, "total_tokens": 2}},
        2,
    ),
    (
        "https://api.voyageai.com/v1/embeddings",
        "voyage-4",
        {"model": "voyage-4", "input": "a"},
        ["a"],
        {"data": [], "usage": {"total_tokens": 3}},
        3,
    ),
    (
        "https://api.cohere.com/v2/embed",
        "embed-v4.0",
        {"model": "embed-v4.0", "texts": ["a"], "input_type": "search_query"},
        ["a"],
        {"embeddings": {}, "meta": {"billed_units": {"input_tokens": 4}}},
        4,
    ),
    (
        f"{GOOGLE}/gemini-embedding-001:batchEmbedContents",
        "gemini-embedding-001",
        {"requests": [{"content": {"parts": [{"text": "a"}]}, "model": "models/x"}]},
        ["a"],
        {"embeddings": [{"values": [0.1]}]},
        None,
    ),
    (
        "https://h/v1/projects/p/locations/l/publishers/google/models/text-embedding-005:predict",
        "text-embedding-005",
        {"instances": [{"content": "a", "task_type": "x"}]},
        ["a"],
        {"predictions": [{"embeddings": {"values": [], "statistics": {"token_count": 5}}}]},
        5,
    ),
    (
        f"{BEDROCK}/amazon.titan-embed-text-v2%3A0/invoke",
        "amazon.titan-embed-text-v2:0",
        {"inputText": "a", "normalize": True},
        ["a"],
        {"embedding": [0.1], "inputTextTokenCount": 6},
        6,
    ),
    (
        f"{BEDROCK}/arn%3Aaws%3Abedrock%3Aus%3A1%3Aapplication-inference-profile%2Fx/invoke",
        "arn:aws:bedrock:us:1:application-inference-profile/x",
        {"taskType": "SINGLE_EMBEDDING", "singleEmbeddingParams": {"text": {"value": "a"}}},
        ["a"],
        {"embeddings": []},
        None,
    ),
    (
        "http://localhost:11434/api/embed",
        "nomic",
        {"model": "nomic", "input": ["a"]},
        ["a"],
        {"embeddings": [[0.1]], "prompt_eval_count": 7},
        7,
    ),
    (
        "https://x.openai.azure.com/openai/deployments/d1/embeddings?api-version=1",
        "d1",
        {"input": "a"},
        ["a"],
        {"data": [], "usage": {"prompt_tokens": 1}},
        1,
    ),
)


def known(url: str, body: dict[str, Any]) -> Dialect:
    """The dialect of a request."""
    dialect = recognise("POST", url, json.dumps(body).encode())
    assert dialect is not None
    return dialect


@pytest.mark.parametrize(
    ("url", "model", "asked", "texts", "answer", "tokens"), CASES, ids=[case[1] for case in CASES]
)
def test_embeddings_of_every_provider_tell_model_texts_and_tokens(
    url: str, model: str, asked: dict[str, Any], texts: list[str], answer: dict[str, Any], tokens: int | None
) -> None:
    """An embedding writes nothing: 0 where anything is counted, unknown where nothing is (X-05)."""
    dialect = known(url, asked)
    assert dialect.kind == "embedding"
    request = dialect.read_request(json.dumps(asked).encode(), url)
    assert request.model == model
    assert [(message.role, message.text) for message in request.messages] == [("input", one) for one in texts]
    read = dialect.read_response(json.dumps(answer).encode(), "application/json")
    assert (read.prompt_tokens, read.completion_tokens) == (tokens, None if tokens is None else 0)
    assert (read.text, read.error) == (None, None)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://api.cohere.com/v2/rerank", "rerank"),
        (f"{BEDROCK}/cohere.rerank-v3-5%3A0/invoke", "rerank"),
        ("https://api.openai.com/v1/moderations", "moderation"),
    ],
)
def test_rankings_and_moderations_are_known_too(url: str, kind: str) -> None:
    """They are asked like embeddings."""
    asked = {"model": "m", "query": "q", "documents": ["a", {"text": "b"}]}
    dialect = known(url, asked)
    assert dialect.kind == kind
    request = dialect.read_request(json.dumps(asked).encode(), url)
    assert [message.text for message in request.messages] == ["q", "a", "b"]


def test_a_failure_tells_its_reason() -> None:
    """In the server's words."""
    dialect = known("https://api.openai.com/v1/embeddings", {})
    assert dialect.read_response(b'{"error":{"message":"no such model"}}', "").error == "no such model"
    assert dialect.read_request(b"{", "https://h/v1/embeddings").error is not None
    assert dialect.read_response(b"data: 1\n\n", "text/event-stream").error is None
