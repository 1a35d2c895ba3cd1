"""The user's rules are checked when they are read."""

from __future__ import annotations

from typing import Any

import pytest

from kit.errors import ConfigError
from kit.redaction.rule import (
    DEFAULT_RULES,
    is_secret_field,
    is_telling,
    is_token_field,
    parse_rules,
    plain_name,
)


def test_rules_are_read() -> None:
    """Fields are compared in one spelling and told in the user's own."""
    rules = parse_rules({"fields": ["X-Badge"], "patterns": ["A+"]})
    assert dict(rules.fields) == {"x_badge": "X-Badge"}
    assert rules.names() == ('field "X-Badge"', 'pattern "A+"')
    assert parse_rules({}) == DEFAULT_RULES


@pytest.mark.parametrize(
    ("mapping", "named"),
    [
        ({"patterns": ["("]}, 'patterns "("'),
        ({"patterns": ["a*"]}, 'patterns "a*"'),
        ({"patterns": "sk-"}, "`patterns`"),
        ({"fields": [""]}, "`fields`"),
        ({"fields": [1]}, "`fields`"),
        ({"field": ["x"]}, '"field"'),
    ],
)
def test_an_invalid_rule_is_an_error_that_names_it(mapping: dict[str, Any], named: str) -> None:
    """A rule that would be dropped in silence lets its secret pass."""
    with pytest.raises(ConfigError) as caught:
        parse_rules(mapping)
    assert named in str(caught.value)
    assert "[tool.kit.redaction]" in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "apiKey",
        "x-api-key",
        "API_KEY",
        "userPassword",
        "client_secret",
        "githubApiToken",
        "AWS_SECRET_ACCESS_KEY",
        "Set-Cookie",
    ],
)
def test_secret_fields(name: str) -> None:
    """Whatever the spelling."""
    assert is_secret_field(name)


@pytest.mark.parametrize(
    "name",
    [
        "max_tokens",
        "total_tokens",
        "token_count",
        "id",
        "created",
        "page_token",
        "keyword",
        "secretary",
        "public_key",
        "cookies_enabled",
    ],
)
def test_other_fields(name: str) -> None:
    """Counts, ids and words that only contain one."""
    assert not is_secret_field(name)


def test_one_spelling_for_all() -> None:
    """Case, dashes, dots and camel case do not count."""
    assert {plain_name(name) for name in ("X-Api-Key", "xApiKey", "x_api_key", "x.api.key")} == {"x_api_key"}


def test_words_are_not_masked_everywhere() -> None:
    """A password that is a plain word is masked in its field only."""
    assert not is_telling("password")
    assert not is_telling("a1")
    assert is_telling("hunter22")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "DB_PASSWORD", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY"])
def test_a_name_of_the_environment_that_says_what_it_holds_needs_no_look(name: str) -> None:
    """Its value is a secret even if it is short and plain; a mere `…_TOKEN` must look like one."""
    assert is_secret_field(name)
    assert not is_token_field(name)
    assert is_token_field("SERVICE_TOKEN")
