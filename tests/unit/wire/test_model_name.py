"""Whether the model that answered is the one that was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.model_name import base_name, is_same_model

ARN = "arn:aws:bedrock:us-east-1:1:inference-profile"


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-oss:20b", "gpt-oss:20b"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4.1-nano", "gpt-4.1-nano-2025-04-14"),
        ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5-latest", "claude-sonnet-4-5-20250929"),
        ("mistral-large-latest", "mistral-large-2411"),
        ("gpt-4", "gpt-4-0613"),
        ("command-r", "command-r-08-2024"),
        ("gemini-2.5-pro-preview", "gemini-2.5-pro-preview-05-06"),
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openrouter/openai/gpt-4o", "openai/gpt-4o"),
        ("gemini-2.5-flash", "models/gemini-2.5-flash"),
        ("llama3.2", "llama3.2:latest"),
    ],
)
def test_a_prefix_or_a_date_is_the_same_model(asked: str, answered: str) -> None:
    """Providers answer with a dated or prefixed name for the model that was asked."""
    assert is_same_model(asked, answered)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("gpt-oss:20b", "qwen2.5-coder:0.5b"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06"),
        ("google/gemini-2.0-flash-exp:free", "x-ai/grok-4"),
        ("meta-llama/llama-3.1-8b", "other/llama-3.1-8b"),
        ("claude-sonnet-4", "claude-sonnet-4-5"),
        ("claude-sonnet-4-0", "claude-sonnet-4-20250514"),
        ("gpt-4", "gpt-4-9999"),
        ("gpt-4o", ""),
        ("x/", "y/"),
    ],
)
def test_another_model_is_not_the_same(asked: str, answered: str) -> None:
    """Beginning alike is not enough, and neither are two dates or two providers."""
    assert not is_same_model(asked, answered)


def test_a_declared_alias_is_the_same_model_one_way() -> None:
    """A rename is honoured where the project declares it, and only from asked to answered."""
    aliases = {"claude-sonnet-4-0": ["claude-sonnet-4-20250514"]}
    assert is_same_model("claude-sonnet-4-0", "claude-sonnet-4-20250514", aliases)
    assert not is_same_model("claude-sonnet-4-20250514", "claude-sonnet-4-0", aliases)


@given(st.text(), st.text())
def test_any_two_names_can_be_compared(asked: str, answered: str) -> None:
    """A hostile name is another model, not a crash; without aliases the order does not matter."""
    assert is_same_model(asked, answered) == is_same_model(answered, asked)
    assert is_same_model(asked, asked)


@pytest.mark.parametrize(
    ("model", "base"),
    [
        ("openai/gpt-4o-2024-08-06", "gpt-4o"),
        ("mistral-large-latest", "mistral-large"),
        ("gpt-oss:20b", "gpt-oss:20b"),
    ],
)
def test_base_name_is_what_price_tables_say(model: str, base: str) -> None:
    """Prices are per model, not per snapshot or reseller."""
    assert base_name(model) == base


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"),
        ("anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        (f"{ARN}/us.anthropic.claude-3-7-sonnet-20250219-v1:0", "claude-3-7-sonnet-20250219"),
        ("openai.gpt-oss-20b-1:0", "gpt-oss-20b"),
        ("claude-sonnet-4@20250514", "claude-sonnet-4-20250514"),
        ("publishers/google/models/gemini-2.5-flash", "gemini-2.5-flash"),
        ("gemini-1.5-pro", "gemini-1.5-pro-002"),
        ("anthropic/claude-sonnet-4.6", "anthropic/claude-4.6-sonnet-20260217"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/llama-3.1-8b-instruct"),
        ("openai/gpt-oss-120b:cerebras", "openai/gpt-oss-120b"),
    ],
)
def test_what_clouds_and_routers_put_around_a_name_does_not_count(asked: str, answered: str) -> None:
    """Region, vendor and version of Bedrock, Vertex's `@`, a router's way, case and the order of words."""
    assert is_same_model(asked, answered)
    assert is_same_model(answered, asked)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("amazon.titan-embed-text-v1", "amazon.titan-embed-text-v2:0"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-20250514"),
        ("claude-sonnet-4-5", "claude-sonnet-5-4"),
        ("gpt-oss:20b", "gpt-oss:120b"),
        ("gemini-1.5-pro-001", "gemini-1.5-pro-002"),
        ("openai/gpt-4o:free", "openai/gpt-4o-mini"),
    ],
)
def test_what_tells_models_apart_still_does(asked: str, answered: str) -> None:
    """Versions of Titan, sizes, dates, and numbers in another order."""
    assert not is_same_model(asked, answered)
