"""What a model said in a run."""

from __future__ import annotations

import json
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.golden.answers import answers_digest

JSON = (("content-type", "application/json"),)


def call(text: str, seed: int = 1, url: str = "http://m/v1/chat/completions", **fields: Any) -> Interaction:
    """A model call that is answered so."""
    asked = json.dumps({"messages": [], "seed": seed}).encode()
    body = {"choices": [{"message": {"role": "assistant", "content": text}}], **fields}
    response = HttpResponse(200, JSON, json.dumps(body).encode())
    return Interaction(1, "model", HttpRequest("POST", url, JSON, asked), response, 0, 5)


TOOL = Interaction(2, "tool", ToolRequest("t"), ToolResponse("now"), 5, 6)


def test_seed_id_and_usage_do_not_count() -> None:
    """Two samples are the same where the model said the same."""
    first = answers_digest([[call("a"), TOOL]])
    assert first == answers_digest([[call("a", seed=2, id="x", usage={"prompt_tokens": 9})]])
    assert first != answers_digest([[call("b")]])
    assert first != answers_digest([[call("a"), call("a")]])


def test_what_no_dialect_reads_counts_by_its_bytes() -> None:
    """Another answer of an unknown API is another sample."""
    url = "http://m/other"
    assert answers_digest([[call("a", url=url)]]) != answers_digest([[call("b", url=url)]])
