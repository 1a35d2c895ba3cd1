"""How much worse is too much: the table of S2-32, as `[tool.kit.gate]` may change it.

    [tool.kit.gate]
    success_rate_drop_block = 5         # percentage points; more blocks; "off" switches a rule off
    success_rate_drop_warn = 0
    success_rate_min = 0.85             # absolute, blocks below; off unless set
    avg_cost_block = 50                 # percent above the baseline
    avg_cost_warn = 20
    p95_latency_block = 50
    p95_latency_warn = 20
    missing = "block"                   # accepted and no longer run: block or warn
    no_baseline = "warn"                # block, warn or pass
    paths = ["my_agent/", "prompts/"]   # what the hooks replay for, instead of the usual folders

    [tool.kit.gate.categories.security] # scenarios that passed and fail now, counted from
    block = 1
    [tool.kit.gate.categories.error_handling]
    block = 2
    warn = 1

    [tool.kit.gate.models."qwen2.5-coder:1.5b"]
    success_rate_min = 0.5              # any rule above but `paths`, for one model

An error has no threshold: it proves nothing about the agent, so it blocks, and its exit code counts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from kit.errors import ConfigError
from kit.scenario.tree import did_you_mean

WHERE = "[tool.kit.gate]"
DEFAULT_PATHS = ("kit/", "scenarios/", "fixtures/", "cassettes/", "baselines/", "pyproject.toml")
_DEFAULT_MODELS: dict[str, dict[str, Any]] = {"stub": {"p95_latency_block": "off", "p95_latency_warn": "off"}}
"""The scripted model takes as long as the machine is busy: its latency says nothing about an agent."""

_WORDS = (
    ("Input should be", "must be"),
    ("a valid integer", "a whole number"),
    ("a valid dictionary", "a table"),
    ("a valid tuple", "an array"),
    ("a valid string", "text"),
)
_DEFAULT_CATEGORIES = {"security": {"block": 1}, "error_handling": {"block": 2, "warn": 1}}


def _off(value: Any) -> Any:
    return None if value == "off" else value


def _exact(value: Any) -> Any:
    """A share from TOML, exact: 0.85 is 17/20."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not 0 <= value <= 1:
        raise ValueError("must be a share from 0 to 1, such as 0.85")
    return Fraction(value)


Kind = TypeVar("Kind", bound=BaseModel)
Whole = Annotated[Annotated[int, Strict(), Field(ge=0)] | None, BeforeValidator(_off)]
"""Whole points or percent; None is a rule switched off."""
Count = Annotated[Annotated[int, Strict(), Field(ge=1)] | None, BeforeValidator(_off)]
Share = Annotated[Annotated[Fraction, BeforeValidator(_exact)] | None, BeforeValidator(_off)]
PathText = Annotated[str, Strict(), Field(min_length=1)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class CategoryLimits(_Table):
    """How many scenarios of one category may fall from pass to fail.

    Attributes:
        block: as many, or more, block.
        warn: as many, or more, warn.
    """

    block: Count = None
    warn: Count = None


class Thresholds(_Table):
    """The rules for one model; comparisons are strict, so what is equal to a limit stays on the milder side.

    Attributes:
        success_rate_drop_block: percentage points the rate may fall before it blocks.
        success_rate_drop_warn: the same for a warning; 0 is any drop.
        success_rate_min: the rate below which it blocks whatever the baseline says.
        avg_cost_block: percent the average cost may rise.
        avg_cost_warn: the same for a warning.
        p95_latency_block: percent the recorded latency may rise.
        p95_latency_warn: the same for a warning.
        missing: what a scenario does that was accepted and no longer runs.
        no_baseline: what a run does of which nothing was ever accepted.
        categories: what scenarios that passed and fail now do, by category.
    """

    success_rate_drop_block: Whole = 5
    success_rate_drop_warn: Whole = 0
    success_rate_min: Share = None
    avg_cost_block: Whole = 50
    avg_cost_warn: Whole = 20
    p95_latency_block: Whole = 50
    p95_latency_warn: Whole = 20
    missing: Literal["block", "warn"] = "block"
    no_baseline: Literal["block", "warn", "pass"] = "warn"
    categories: dict[str, CategoryLimits] = Field(
        default_factory=lambda: {
            name: CategoryLimits.model_validate(limits) for name, limits in _DEFAULT_CATEGORIES.items()
        }
    )

    @model_validator(mode="after")
    def _a_warning_comes_first(self) -> Thresholds:
        for name in ("success_rate_drop", "avg_cost", "p95_latency"):
            block, warn = getattr(self, f"{name}_block"), getattr(self, f"{name}_warn")
            if block is not None and warn is not None and warn > block:
                msg = f"`{name}_warn` is {warn} and lies above `{name}_block`, which is {block}"
                raise ValueError(msg)
        return self


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that `[tool.kit.gate]` says.

    Attributes:
        default: the rules for models that have none of their own.
        models: the rules of the others, by tag.
        paths: what the hooks replay for; a name with `/` at its end is a folder, others may hold `*`.
    """

    default: Thresholds = field(default_factory=Thresholds)
    models: Mapping[str, Thresholds] = field(default_factory=dict)
    paths: tuple[str, ...] = DEFAULT_PATHS

    def of(self, model: str) -> Thresholds:
        """The rules that hold for a model."""
        return self.models.get(model, self.default)


class _Written(_Table):
    """What stands beside the rules in the table."""

    models: dict[str, dict[str, Any]] = Field(default_factory=dict)
    paths: tuple[PathText, ...] = DEFAULT_PATHS


def parse_policy(table: Mapping[str, Any]) -> Policy:
    """The policy of a project: `[tool.kit.gate]` over the defaults, a model's own table over both.

    Args:
        table: as `Settings.gate` holds it, fractions as Decimal.

    Raises:
        ConfigError: an unknown key or a bad value, all of them at once, with what is allowed.
    """
    beside = {key: value for key, value in table.items() if key in _Written.model_fields}
    rules = {key: value for key, value in table.items() if key not in beside}
    written = _validated(_Written, beside, ())
    problems: list[str] = []
    parsed: dict[str | None, Thresholds] = {}
    tables: dict[str | None, dict[str, Any]] = {None: {}}
    for name in {**_DEFAULT_MODELS, **written.models}:
        tables[name] = _DEFAULT_MODELS.get(name, {}) | written.models.get(name, {})
    for model, own in tables.items():
        try:
            parsed[model] = _validated(Thresholds, _over(rules, own), ("models", model) if model else ())
        except ConfigError as error:
            problems += [line for line in error.what.splitlines() if line not in problems]
            if model is None:
                break  # every model's table stands on these
    if problems:
        raise ConfigError("\n".join(problems), where=WHERE)
    default = parsed.pop(None)
    return Policy(default, {str(model): limits for model, limits in parsed.items()}, written.paths)


def _over(rules: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """One table over another; categories that neither names keep their default."""
    layers = [table.get("categories", {}) for table in (rules, own)]
    merged = {**rules, **own}
    if all(isinstance(layer, Mapping) for layer in layers):
        merged["categories"] = {**_DEFAULT_CATEGORIES, **layers[0], **layers[1]}
    return merged


def _validated(kind: type[Kind], values: Mapping[str, Any], above: tuple[str, ...]) -> Kind:
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        lines = [_sentence(detail, above) for detail in error.errors()]
        raise ConfigError("\n".join(dict.fromkeys(lines)), where=WHERE) from None


def _sentence(detail: ErrorDetails, above: tuple[str, ...]) -> str:
    path = (*above, *(str(part) for part in detail["loc"]))
    if detail["type"] == "extra_forbidden":
        return _unknown(path)
    what = detail["msg"].removeprefix("Value error, ")
    for pydantic, plain in _WORDS:
        what = what.replace(pydantic, plain)
    if not path:
        return what
    off = ' or "off"' if detail["type"] in {"int_type", "greater_than_equal"} else ""
    return f"`{'.'.join(path)}` {what}{off}, is `{detail['input']}`"


def _unknown(path: tuple[str, ...]) -> str:
    *_, key = path
    if "categories" in path:
        allowed = sorted(CategoryLimits.model_fields)
    else:
        beside = () if "models" in path else _Written.model_fields
        allowed = sorted([*Thresholds.model_fields, *beside])
    return f"unknown key `{'.'.join(path)}`{did_you_mean(key, allowed)}; allowed: {', '.join(allowed)}"
