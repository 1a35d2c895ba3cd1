"""Settings of a project: `[tool.kit]` in pyproject.toml, the environment, and the defaults.

Argument > environment (`KIT_MODEL`, `KIT_BASE_URL`, `KIT_JUDGE`) > pyproject.toml > default. Without
`[tool.kit]` the defaults hold; the root is then the folder kit runs in.

    [tool.kit]
    agent = "my_package.my_module:my_agent"     # default agent of the suites
    model = "gpt-oss:20b"                       # model under test
    base_url = "http://localhost:11434/v1"      # OpenAI-compatible endpoint
    judge = "qwen2.5:7b"                        # default judge model
    time_limit_s = 300                          # of one scenario
    record_in_ci = false                        # recording is refused where CI is set (decision 16)

    [tool.kit.tiers]                            # which model a tier means (decision 12)
    frontier = "gpt-oss:120b"                   # and intermediate, economy

    [tool.kit.models."gpt-oss:20b"]             # where and how one model is asked
    base_url = "http://gpu:8080/v1"
    api_key_env = "MY_KEY"                      # name of the variable that holds the key
    temperature = 0.0
    max_tokens = 512
    tiers = { frontier = "qwen2.5:7b" }         # tiers that differ for this model under test
    [tool.kit.aliases]                          # model asked = names under which it may answer (decision 7)
    "gpt-oss:20b" = ["gpt-oss-20b-mxfp4"]
    [tool.kit.prices]                           # per million tokens, in USD or in integer micro-USD
    "gpt-4o" = { input_usd = 2.5, output_usd = 10 }
    "my-model" = { input_micro_usd = 150000, output_micro_usd = 600000 }

    [tool.kit.replay]                           # side effects that may happen again in replay
    allow = ["write:~/.cache/x", "run:git status", "connect:127.0.0.1:5432"]

    [tool.kit.redaction]                        # rules of kit.redaction
    [tool.kit.gate]                             # thresholds of kit.gate; fractions are read as Decimal
    [tool.kit.drift]                            # severities of kit.baseline: prompt = "block"
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from kit.errors import ConfigError

Tier = Literal["frontier", "intermediate", "economy"]
ENVIRONMENT = {"model": "KIT_MODEL", "base_url": "KIT_BASE_URL", "judge": "KIT_JUDGE"}
_INTERNAL = frozenset({"root", "overrides"})
_PART = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_DOTTED = rf"(?:{_PART})(?:\s*\.\s*(?:{_PART}))*"
_KEY = re.compile(rf"\s*(?:\[\[?\s*(?P<table>{_DOTTED})\s*\]|(?P<key>{_DOTTED})\s*=)")

Name = Annotated[str, Field(min_length=1)]
_SHAPES = {  # nobody should have to read a pattern
    r"^https?://[^\s/]+\S*$": "must be like http://host:port/v1",
    r"^[\w.]+:[\w.]+$": "must be `package.module:function`",
    r"^(write|run|connect):\S.*$": "must be `write:PATH`, `run:COMMAND` or `connect:HOST:PORT`",
}
_URL, _AGENT, _EFFECT = _SHAPES
BaseUrl = Annotated[str, Field(pattern=_URL), AfterValidator(lambda url: url.rstrip("/"))]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TokenPrice(_Table):
    """Price of one model per million tokens, in USD or in integer micro-USD, never both."""

    input_usd: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)
    output_usd: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)
    input_micro_usd: StrictInt | None = Field(default=None, ge=0)
    output_micro_usd: StrictInt | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        given = self.model_fields_set
        if given not in ({"input_usd", "output_usd"}, {"input_micro_usd", "output_micro_usd"}):
            msg = "give input_usd and output_usd, or input_micro_usd and output_micro_usd"
            raise ValueError(msg)
        if any((price or 0) * 1_000_000 % 1 for price in (self.input_usd, self.output_usd)):
            msg = "prices in USD have at most six decimals"
            raise ValueError(msg)
        return self

    @property
    def micro_usd(self) -> tuple[int, int]:
        """(input, output) in integer micro-USD per million tokens."""
        if self.input_usd is not None and self.output_usd is not None:
            return int(self.input_usd * 1_000_000), int(self.output_usd * 1_000_000)
        return self.input_micro_usd or 0, self.output_micro_usd or 0


class ModelSettings(_Table):
    """Where and how one model is asked; None leaves it to the run."""

    base_url: BaseUrl | None = None
    api_key_env: Name | None = None
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    tiers: dict[Tier, Name] = Field(default_factory=dict)


class ReplaySettings(_Table):
    """What may happen again in replay."""

    allow: tuple[Annotated[str, Field(pattern=_EFFECT)], ...] = ()


class Settings(_Table):
    """Everything a project can configure. See the module's docstring for each key."""

    root: Path = Field(default_factory=Path.cwd, exclude=True)
    agent: Annotated[str, Field(pattern=_AGENT)] | None = None
    model: Name = "gpt-oss:20b"
    base_url: BaseUrl = "http://localhost:11434/v1"
    judge: Name | None = None
    time_limit_s: StrictInt = Field(default=300, ge=1)
    record_in_ci: StrictBool = False
    tiers: dict[Tier, Name] = Field(default_factory=dict)
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    aliases: dict[str, tuple[Name, ...]] = Field(default_factory=dict)
    prices: dict[str, TokenPrice] = Field(default_factory=dict)
    redaction: dict[str, Any] = Field(default_factory=dict)
    replay: ReplaySettings = ReplaySettings()
    gate: dict[str, Any] = Field(default_factory=dict)
    drift: dict[str, Any] = Field(default_factory=dict)
    overrides: frozenset[str] = Field(default=frozenset(), exclude=True)

    def model_settings(self, model: str) -> ModelSettings:
        """Settings of one model with its `base_url`.

        An address from arguments or the environment is that of the model under test; a judge keeps its own.
        """
        found = self.models.get(model, ModelSettings())
        is_overridden = "base_url" in self.overrides and model == self.model
        base_url = self.base_url if is_overridden else found.base_url or self.base_url
        return found.model_copy(update={"base_url": base_url})

    def judge_for(self, model: str, tier: str | None = None) -> str | None:
        """The model that judges answers of `model`; None where no judge is configured.

        Raises:
            ConfigError: the judge is the model under test (decision 12).
        """
        judge = self.judge
        if tier is not None and "judge" not in self.overrides:
            tiers = [*self.tiers.items(), *self.model_settings(model).tiers.items()]
            judge = dict[str, str](tiers).get(tier, self.judge)
        if judge == model:
            raise ConfigError(
                f"model {model} would judge its own answers",
                where="[tool.kit]",
                why="a judge must differ from the model under test (decision 12)",
                next_command="set judge or tiers in [tool.kit], or KIT_JUDGE, to another model",
            )
        return judge

    def price_table(self) -> dict[str, tuple[int, int]]:
        """(input, output) micro-USD per million tokens, by model, as `kit.trace.prices` takes them."""
        return {model: price.micro_usd for model, price in self.prices.items()}


_Problem = tuple[tuple[str | int, ...], str]
_TABLES: dict[str, type[_Table]] = {"models": ModelSettings, "prices": TokenPrice, "replay": ReplaySettings}


def load(
    start: Path,
    *,
    arguments: Mapping[str, str | None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """The settings that hold in a folder.

    Args:
        start: folder kit runs in; `[tool.kit]` is looked for upwards, up to a repository's root.
        arguments: values from the command line by key (`model`, `base_url`, `judge`, …); None is not given.
        environ: the environment; that of the process where left out.

    Raises:
        ConfigError: `[tool.kit]` is wrong; lists every problem with file and line.
    """
    start = start.resolve()
    environ = os.environ if environ is None else environ
    path, text, table = _find(start)
    given = {key: value for key, value in (arguments or {}).items() if value}
    from_environment = {key: environ[name] for key, name in ENVIRONMENT.items() if environ.get(name)}
    overrides = from_environment | given
    values = {**table, **overrides, "root": path.parent if path else start, "overrides": frozenset(overrides)}
    problems: list[_Problem] = [((name,), _unknown((name,))) for name in sorted(_INTERNAL & table.keys())]
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        problems += [_problem(detail) for detail in error.errors()]
    else:
        if not problems:
            return settings
    problems.sort(key=lambda problem: _line_of(text, ("tool", "kit", *problem[0])))
    sources = {key: ENVIRONMENT[key] for key in from_environment} | {
        key: f"--{key.replace('_', '-')}" for key in given
    }
    shown = "pyproject.toml" if path and path.parent == start else str(path)
    (where, what), *more = [
        (sources.get(str(keys[0])) or f"{shown}:{_line_of(text, ('tool', 'kit', *keys))}", what)
        for keys, what in problems
    ]
    raise ConfigError("\n".join([what, *(f"{place}: {other}" for place, other in more)]), where=where)


def _find(start: Path) -> tuple[Path | None, str, dict[str, Any]]:
    """The pyproject.toml that configures kit, its text and its `[tool.kit]`."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            text, table = _read(path)
            if table is not None:
                return path, text, table
        if (folder / ".git").exists():
            break
    return None, "", {}


def _read(path: Path) -> tuple[str, dict[str, Any] | None]:
    """Text and `[tool.kit]` of one file; None where the file does not speak of kit."""
    try:
        text = path.read_text(encoding="utf-8")
        if "kit" not in text:
            return text, None
        tool = tomllib.loads(text, parse_float=Decimal).get("tool", {})
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", where=str(path)) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = f":{place.group(1)}" if place else ""
        what = str(error).replace(place.group(), "") if place else str(error)
        raise ConfigError(f"is not TOML: {what}", where=f"{path}{line}") from error
    table = tool.get("kit") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError("`tool.kit` must be a table", where=f"{path}:{_line_of(text, ('tool', 'kit'))}")
    return text, table


def _problem(detail: ErrorDetails) -> _Problem:
    """Where in `[tool.kit]` something is wrong, and what, from one error of pydantic."""
    keys = tuple(key for key in detail["loc"] if key != "[key]")
    if detail["type"] == "extra_forbidden" or "[key]" in detail["loc"]:
        return keys, _unknown(keys)
    what = _SHAPES.get(detail.get("ctx", {}).get("pattern", ""), detail["msg"])
    what = what.removeprefix("Value error, ").replace("Input should", "should")
    got = "" if isinstance(detail["input"], dict) else f" (got {str(detail['input'])!r})"
    return keys, f"`{'.'.join(map(str, keys))}`: {what}{got}"


def _unknown(keys: tuple[str | int, ...]) -> str:
    """An unknown key, the likeliest meant, and what is allowed there."""
    *above, key = map(str, keys)
    if above and above[-1] == "tiers":
        allowed = list(get_args(Tier))
    else:
        table = _TABLES[above[0]] if above else Settings
        allowed = sorted(table.model_fields.keys() - _INTERNAL)
    close = difflib.get_close_matches(key, allowed, n=1)
    hint = f"; did you mean `{close[0]}`?" if close else ""
    return f"unknown key `{'.'.join([*above, key])}`{hint} (allowed: {', '.join(allowed)})"


def _line_of(text: str, keys: tuple[str | int, ...]) -> int:
    """Line of the TOML text that sets `keys`, or the nearest table around it."""
    best = (0, 1)
    table: tuple[str, ...] = ()
    is_inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        found = None if is_inside else _KEY.match(line)
        is_inside ^= (line.count('"""') + line.count("'''")) % 2 == 1
        if found is None:
            continue
        path = tuple(part.strip("\"'") for part in re.findall(_PART, found["table"] or found["key"]))
        if found["table"]:
            table, path = path, ()
        path = table + path
        if path == keys[: len(path)] and len(path) > best[0]:
            best = (len(path), number)
    return best[1]
