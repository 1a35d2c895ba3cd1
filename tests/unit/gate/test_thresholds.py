"""`[tool.kit.gate]`: the table of S2-32, what may be changed in it, and what is refused."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from kit.errors import ConfigError
from kit.gate import thresholds
from kit.gate.thresholds import DEFAULT_PATHS, CategoryLimits, Thresholds, parse_policy


def test_defaults_are_the_table() -> None:
    """Nothing configured is S2-32, with the absolute limit off."""
    policy = parse_policy({})
    assert policy.default == Thresholds()
    assert policy.of("any") == policy.default
    assert policy.paths == DEFAULT_PATHS
    limits = policy.default
    assert (limits.success_rate_drop_block, limits.success_rate_drop_warn, limits.success_rate_min) == (
        5,
        0,
        None,
    )
    assert (limits.avg_cost_block, limits.avg_cost_warn) == (50, 20)
    assert (limits.p95_latency_block, limits.p95_latency_warn) == (50, 20)
    assert (limits.missing, limits.no_baseline) == ("block", "warn")
    assert limits.categories == {
        "security": CategoryLimits(block=1),
        "error_handling": CategoryLimits(block=2, warn=1),
    }


def test_the_example_of_the_module_is_read() -> None:
    """What the documentation shows is what kit takes, fractions as TOML gives them."""
    text = (thresholds.__doc__ or "").split("\n\n", 1)[1].rsplit("\n\n", 1)[0]
    table = tomllib.loads(text, parse_float=Decimal)["tool"]["kit"]["gate"]
    policy = parse_policy(table)
    assert policy.default.success_rate_min == Fraction(17, 20)
    assert policy.of("qwen2.5-coder:1.5b").success_rate_min == Fraction(1, 2)
    assert policy.paths == ("my_agent/", "prompts/")


def test_a_model_changes_what_it_names_and_keeps_the_rest() -> None:
    """A model's table lies over the project's, and that over the defaults, categories one by one."""
    policy = parse_policy(
        {
            "avg_cost_warn": 10,
            "categories": {"memory": {"block": 1}},
            "models": {"m": {"avg_cost_block": "off", "categories": {"security": {"warn": 1}}}},
        }
    )
    special = policy.of("m")
    assert (special.avg_cost_block, special.avg_cost_warn) == (None, 10)
    assert special.categories == {
        "security": CategoryLimits(warn=1),
        "error_handling": CategoryLimits(block=2, warn=1),
        "memory": CategoryLimits(block=1),
    }
    assert policy.of("other").avg_cost_block == 50


def test_the_scripted_model_has_no_latency_to_judge() -> None:
    """What a busy machine takes for nothing blocks no commit; a table for `stub` wins all the same."""
    policy = parse_policy({"p95_latency_block": 30})
    assert policy.of("stub") == policy.default.model_copy(
        update={"p95_latency_block": None, "p95_latency_warn": None}
    )
    assert parse_policy({"models": {"stub": {"p95_latency_block": 30}}}).of("stub").p95_latency_block == 30


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            {"avg_cost_wran": 3},
            "unknown key `avg_cost_wran` (did you mean `avg_cost_warn`?); allowed: avg_cost_",
        ),
        ({"models": {"m": {"paths": []}}}, "unknown key `models.m.paths`; allowed: avg_cost_block"),
        ({"categories": {"s": {"blok": 1}}}, "unknown key `categories.s.blok` (did you mean `block`?)"),
        ({"avg_cost_block": True}, '`avg_cost_block` must be a whole number or "off", is `True`'),
        ({"avg_cost_block": Decimal("2.5")}, "must be a whole number"),
        ({"avg_cost_block": -1}, "must be greater than or equal to 0"),
        ({"success_rate_min": 85}, "must be a share from 0 to 1, such as 0.85, is `85`"),
        ({"success_rate_min": True}, "must be a share from 0 to 1"),
        ({"avg_cost_warn": 60}, "`avg_cost_warn` is 60 and lies above `avg_cost_block`, which is 50"),
        ({"missing": "no"}, "`missing` must be 'block' or 'warn', is `no`"),
        ({"paths": "kit/"}, "`paths` must be an array"),
        ({"categories": 3}, "`categories` must be a table"),
        ({"models": {"m": 3}}, "`models.m` must be a table"),
        ({"categories": {"security": {"block": 0}}}, "must be greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said(table: dict[str, Any], said: str) -> None:
    """A mistyped threshold never silently means the default."""
    with pytest.raises(ConfigError) as caught:
        parse_policy(table)
    assert said in caught.value.what
    assert caught.value.where == "[tool.kit.gate]"


def test_everything_wrong_is_said_at_once() -> None:
    """One run tells it all, each thing once."""
    with pytest.raises(ConfigError) as caught:
        parse_policy({"a": 1, "missing": 2, "models": {"m": {"b": 3}}})
    assert [line.split("`")[1] for line in caught.value.what.splitlines()] == ["missing", "a"]
    with pytest.raises(ConfigError) as caught:
        parse_policy({"models": {"m": {"b": 3}, "n": {"c": 3}}})
    assert [line.split("`")[1] for line in caught.value.what.splitlines()] == ["models.m.b", "models.n.c"]
