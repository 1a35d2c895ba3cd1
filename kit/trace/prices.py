"""What a model call costs, in integers: micro-USD per million tokens (decision 15).

Only what is known stands in the table: the stub and models that run on one's own machine cost 0, explicitly.
Prices of hosted models change too often for a package; a project declares its own in `[tool.kit.prices]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from kit.trace.trace import Usage
from kit.wire.model_name import base_name

PER_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Integer micro-USD per million tokens."""

    input_micro_usd: int
    output_micro_usd: int

    @property
    def is_free(self) -> bool:
        """Whether a call costs nothing, however many tokens it took."""
        return self.input_micro_usd == self.output_micro_usd == 0


FREE = Price(0, 0)

STUBS = ("stub", "stub-judge")
"""Models whose answers are scripts of the project (decision 20)."""
LOCAL_FAMILIES = (
    "codellama",
    "deepseek-coder*",
    "deepseek-r1",
    "devstral",
    "gemma*",
    "gpt-oss",
    "granite*",
    "llama2",
    "llama3*",
    "mistral",
    "mistral-nemo",
    "mistral-small*",
    "mixtral",
    "phi3*",
    "phi4*",
    "qwen2*",
    "qwen3*",
    "smollm*",
    "tinyllama",
)
"""Models as Ollama tags them, `family:size`; hosted services name the same weights without a colon."""

LOCAL_NAMES = (
    "llama3", "llama3.1", "llama3.2", "llama3.3", "mistral", "mixtral", "gpt-oss", "qwen2.5-coder",
    "qwen2.5-coder-*b", "smollm2", "smollm2-*m",
)  # fmt: skip
"""Tags without a size (Ollama's latest), and the aliases llama.cpp is usually started with."""

HOSTED_ANYWAY = "*cloud"
"""Ollama's cloud models (`gpt-oss:120b-cloud`) have a colon and a bill."""


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model; a project's own come first.

    Attributes:
        declared: by tag, by name without provider and date, or by a pattern with `*`.
    """

    declared: Mapping[str, Price] = field(default_factory=dict)

    def price(self, model: str) -> Price | None:
        """The price of one model; None where it is unknown (X-05)."""
        for name in (model, base_name(model)):
            if name in self.declared:
                return self.declared[name]
        for pattern, price in self.declared.items():
            if fnmatchcase(model, pattern):
                return price
        return FREE if _is_local(model) else None


def price_table(declared: Mapping[str, tuple[int, int]]) -> PriceTable:
    """A table with a project's (input, output) micro-USD per million tokens in front of the built-in ones."""
    return PriceTable({model: Price(*pair) for model, pair in declared.items()})


def total_cost(priced: Iterable[tuple[Price | None, Usage]]) -> int | None:
    """Integer micro-USD of some calls together, rounded half up once; None where any part is unknown.

    A free model costs 0 even where it did not count its tokens.
    """
    total = 0
    for price, usage in priced:
        if price is None:
            return None
        if price.is_free:
            continue
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        total += (
            price.input_micro_usd * usage.prompt_tokens + price.output_micro_usd * usage.completion_tokens
        )
    return (total + PER_TOKENS // 2) // PER_TOKENS


def _is_local(model: str) -> bool:
    if model in STUBS:
        return True
    if fnmatchcase(model, HOSTED_ANYWAY):
        return False
    return any(fnmatchcase(model, f"{family}:*") for family in LOCAL_FAMILIES) or any(
        fnmatchcase(model, name) for name in LOCAL_NAMES
    )
