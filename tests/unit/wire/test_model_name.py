"""Whether the model that answered is the one that was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.model_name import base_name, is_same_model


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
