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
    kernel_guard = "all"                        # or "writes", "network", "none": docs/side-effects.md

    [tool.kit.cassettes]                        # the life of recordings; only a migrated one fails a run
    expires_days = 90                           # older ones are said to be stale; never, unless set
    migrated_expires_days = 30                  # a migrated one is refused on the day after: docs/migrate.md
    max_file_kb = 1024                          # larger files are named
    max_total_mb = 100                          # of cassettes/; above it the largest are named

    [tool.kit.golden]                           # the golden set
    suite = "golden"                            # whose scenarios are its cases
    seed = "my_package.my_module:seed"          # or a command: prepares cases, see docs/golden-set.md

    [tool.kit.redaction]                        # fields, patterns, allow: docs/secrets.md
    [tool.kit.gate]                             # thresholds of kit.gate; fractions are read as Decimal
    [tool.kit.drift]                            # severities of kit.baseline: prompt = "block"
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    model_validator,
)

from kit.errors import ConfigError

Tier = Literal["frontier", "intermediate", "economy"]

Name = Annotated[str, Field(min_length=1)]
SHAPES = {  # nobody should have to read a pattern
    r"^https?://[^\s/]+\S*$": "must be like http://host:port/v1",
    r"^[\w.]+:[\w.]+$": "must be `package.module:function`",
    r"^(write|run|connect|hedge):\S.*$": (
        "must be `write:PATH`, `run:COMMAND`, `connect:HOST:PORT` or `hedge:METHOD PATH`"
    ),
}
_URL, _AGENT, _EFFECT = SHAPES
BaseUrl = Annotated[str, Field(pattern=_URL), AfterValidator(lambda url: url.rstrip("/"))]


class Table(BaseModel):
    """A table of `[tool.kit]`: frozen, and a key nobody knows is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TokenPrice(Table):
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


class ModelSettings(Table):
    """Where and how one model is asked; None leaves it to the run."""

    base_url: BaseUrl | None = None
    api_key_env: Name | None = None
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    tiers: dict[Tier, Name] = Field(default_factory=dict)


class ReplaySettings(Table):
    """What may happen again in replay."""

    allow: tuple[Annotated[str, Field(pattern=_EFFECT)], ...] = ()
    kernel_guard: Literal["all", "writes", "network", "none"] = "all"


class CassetteSettings(Table):
    """How long recordings hold and how large they may grow; what is beyond is said.

    It fails nothing, but for a migrated recording that no longer holds.
    """

    expires_days: StrictInt | None = Field(default=None, ge=1)
    migrated_expires_days: StrictInt = Field(default=30, ge=1)
    max_file_kb: StrictInt = Field(default=1024, ge=1)
    max_total_mb: StrictInt = Field(default=100, ge=1)


class GoldenSettings(Table):
    """The golden set: its suite, and who prepares its cases in place of the suite's own."""

    suite: Name = "golden"
    seed: Name | None = None


class Settings(Table):
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
    cassettes: CassetteSettings = CassetteSettings()
    gate: dict[str, Any] = Field(default_factory=dict)
    drift: dict[str, Any] = Field(default_factory=dict)
    golden: GoldenSettings = GoldenSettings()
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
