"""What stands around models: recognised, and no more read than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.by_address import ByAddress
from kit.wire.dialects import DIALECTS
from kit.wire.registry import recognise

GOOGLE = "https://generativelanguage.googleapis.com"
VERTEX = "https://aiplatform.googleapis.com/v1/projects/p/locations/l"


@pytest.mark.parametrize(
    ("method", "url", "kind"),
    [
        ("POST", "https://api.anthropic.com/v1/messages/count_tokens?beta=true", "count"),
        ("POST", f"{VERTEX}/publishers/anthropic/models/count-tokens:rawPredict", "count"),
        ("POST", f"{GOOGLE}/v1beta/models/gemini-2.5-flash:countTokens", "count"),
        ("POST", "https://api.openai.com/v1/responses/input_tokens", "count"),
        ("POST", "https://bedrock-runtime.us-east-1.amazonaws.com/model/m%3A0/count-tokens", "count"),
        ("POST", "https://api.openai.com/v1/files", "files"),
        ("GET", "https://api.openai.com/v1/containers/c/files/f/content", "files"),
        ("DELETE", f"{GOOGLE}/v1beta/cachedContents/x", "files"),
        ("POST", f"{VERTEX}/cachedContents", "files"),
        ("POST", f"{GOOGLE}/upload/v1beta/fileSearchStores/s:uploadToFileSearchStore?upload_id=1", "files"),
        ("POST", "https://api.openai.com/v1/vector_stores", "files"),
        ("POST", "https://api.openai.com/v1/conversations", "files"),
        ("DELETE", "https://api.openai.com/v1/responses/resp_1", "files"),
        ("POST", "https://api.openai.com/v1/responses/resp_1/cancel", "files"),
        ("POST", "https://api.anthropic.com/v1/messages/batches", "batch"),
        ("GET", "https://api.openai.com/v1/batches/b1", "batch"),
        ("POST", f"{GOOGLE}/v1beta/models/gemini-2.5-flash:batchGenerateContent", "batch"),
        ("POST", "https://api.openai.com/v1/images/generations", "media"),
        ("POST", "https://api.openai.com/v1/audio/transcriptions", "media"),
        ("POST", f"{VERTEX}/publishers/google/models/imagen-4:predict", "media"),
        ("POST", "https://x.openai.azure.com/openai/v1/realtime/calls?webrtcfilter=on", "realtime"),
        ("POST", "https://api.openai.com/v1/live/calls", "realtime"),
        ("GET", "https://bedrock.us-east-1.amazonaws.com/inference-profiles/p", "catalogue"),
        ("GET", "https://us-south.ml.cloud.ibm.com/ml/v1/foundation_model_specs?version=1", "catalogue"),
        ("PATCH", "https://api.elevenlabs.io/v1/convai/tools/tool_1", "realtime"),
        ("POST", "https://api.elevenlabs.io/v1/text-to-speech/v1/stream", "media"),
        ("POST", "https://api.openai.com/v1/threads/t/runs", "files"),
        ("GET", "https://api.openai.com/v1/assistants", "files"),
        ("POST", "https://api.openai.com/v1/realtime/client_secrets", "realtime"),
        ("GET", "http://localhost:11434/api/tags", "catalogue"),
        ("POST", "http://localhost:11434/api/show", "catalogue"),
        ("GET", "https://openrouter.ai/api/v1/models", "catalogue"),
        ("GET", "https://us.inference.heroku.com/available-models", "catalogue"),
        ("GET", "https://huggingface.co/api/models/meta-llama/Llama-3.1-8B?expand=x", "catalogue"),
        ("GET", "https://www.googleapis.com/drive/v3/files/f", None),
        ("POST", "https://api.tavily.com/search", None),
        ("POST", "https://oauth2.googleapis.com/token", None),
        ("GET", "https://www.w3.org/dummy.pdf", None),
    ],
)
def test_an_exchange_is_known_by_its_address(method: str, url: str, kind: str | None) -> None:
    """And what is no provider's is not."""
    dialect = recognise(method, url)
    assert (dialect.kind if dialect else None) == kind


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (b'{"input_tokens":23}', 23),
        (b'{"inputTokens":0}', 0),
        (b'{"totalTokens":12,"promptTokensDetails":[]}', 12),
        (b'{"tokens":[1,2,3],"token_strings":["a","b","c"]}', 3),
        (b"{}", None),
        (b"", None),
    ],
)
def test_a_count_tells_how_many_tokens(body: bytes, count: int | None) -> None:
    """Under whichever name, zero included (X-05)."""
    dialect = recognise("POST", "https://h/v1/messages/count_tokens")
    assert dialect is not None
    assert dialect.read_response(body, "application/json").prompt_tokens == count


def test_a_picture_counts_what_it_took() -> None:
    """Of media the server counts both ways."""
    dialect = recognise("POST", "https://h/v1/images/generations")
    assert dialect is not None
    answer = dialect.read_response(b'{"data":[],"usage":{"input_tokens":5,"output_tokens":7}}', "")
    assert (answer.prompt_tokens, answer.completion_tokens) == (5, 7)


def test_the_model_is_told_where_one_is_named() -> None:
    """In the body, or in the address."""
    dialect = recognise("POST", f"{GOOGLE}/v1beta/cachedContents")
    assert dialect is not None
    assert dialect.read_request(b'{"model":"models/gemini-2.5-flash"}').model == "gemini-2.5-flash"
    count = recognise("POST", "https://h/model/us.amazon.nova-pro-v1%3A0/count-tokens")
    assert count is not None
    url = "https://h/model/us.amazon.nova-pro-v1%3A0/count-tokens"
    assert count.read_request(b"{}", url).model == "us.amazon.nova-pro-v1:0"


def test_a_failure_tells_its_reason() -> None:
    """A deleted file is none."""
    dialect = recognise("POST", "https://api.openai.com/v1/files")
    assert dialect is not None
    assert dialect.read_response(b'{"error":{"message":"too big"}}', "").error == "too big"
    assert dialect.read_response(b'{"id":"f","type":"file_deleted"}', "").error is None
    assert dialect.read_response(b"%PDF-1.7", "application/pdf").error is None


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a client or a server sent."""
    for dialect in DIALECTS:
        if isinstance(dialect, ByAddress):
            dialect.read_request(body, "x")
            dialect.read_response(body, "", streamed=streamed)
