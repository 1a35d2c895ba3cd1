"""Which dialect a request speaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.registry import recognise


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1/chat/completions",
        "https://api.deepseek.com/chat/completions",
        "https://api.mistral.ai/v1/chat/completions#stream",
        "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
        "https://host/v1/chat/completions/",
    ],
)
def test_chat_completions_are_known_by_their_path(url: str) -> None:
    """Any host may serve the dialect."""
    dialect = recognise("post", url, b'{"model":')
    assert dialect is not None
    assert dialect.name == "openai_chat"


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("GET", "http://localhost:11434/v1/chat/completions"),
        ("GET", "http://localhost:11434/v1/completions"),
        ("POST", "http://localhost/v1/models?x=/chat/completions"),
        ("POST", "http://localhost/v1/mychat/completions"),
        ("POST", "http://[::1/v1/chat/completions"),
        ("POST", ""),
    ],
)
def test_other_traffic_is_no_model_call(method: str, url: str) -> None:
    """Only the path decides, and an unreadable URL is no model call."""
    assert recognise(method, url) is None


@given(st.text(max_size=10), st.text(max_size=80), st.binary(max_size=20))
def test_nothing_raises(method: str, url: str, body: bytes) -> None:
    """The recording asks for every request, so a hostile one must not crash it."""
    recognise(method, url, body)
