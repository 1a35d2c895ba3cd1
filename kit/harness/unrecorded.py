"""What was never recorded, and what recording it would cost, told from the runs that were."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from kit.oracle.result import OracleResult
from kit.trace.prices import PER_TOKENS, Price


class Unrecorded(BaseModel):
    """Scenarios of one suite without a cassette for one model.

    Attributes:
        cells: which, as messages name them.
        runs: how many recorded runs the means are of; 0 where none counted its tokens.
        on_model: whether those runs are of the same model, else of others.
        prompt_tokens: of one run, the mean; None where nobody counted.
        completion_tokens: of one run, the mean; None where nobody counted.
        is_priced: whether the model's price is known.
        cost_micro_usd: of all cells together, without judges; None where price or tokens are unknown (X-05).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cells: tuple[str, ...]
    runs: int = 0
    on_model: bool = True
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    is_priced: bool = False
    cost_micro_usd: int | None = None


def estimate(
    cells: Sequence[str], own: Sequence[OracleResult], others: Sequence[OracleResult], price: Price | None
) -> Unrecorded | None:
    """What recording some cells would take; None where nothing is missing.

    Args:
        cells: without a cassette.
        own: results of the same suite and model.
        others: results of the suite on other models, for a model without any recording.
        price: of the model; None is unknown.
    """
    if not cells:
        return None
    counted, on_model = _counted(own), True
    if not counted:
        counted, on_model = _counted(others), False
    prompt = _mean([one for one, _ in counted])
    completion = _mean([one for _, one in counted])
    return Unrecorded(
        cells=tuple(cells),
        runs=len(counted),
        on_model=on_model,
        prompt_tokens=prompt,
        completion_tokens=completion,
        is_priced=price is not None,
        cost_micro_usd=_cost(len(cells), prompt, completion, price),
    )


def _counted(results: Sequence[OracleResult]) -> list[tuple[int, int]]:
    """Tokens of the runs whose model counted both."""
    return [
        (result.prompt_tokens, result.completion_tokens)
        for result in results
        if result.prompt_tokens is not None and result.completion_tokens is not None
    ]


def _mean(values: Sequence[int]) -> int | None:
    """Rounded up: an estimate of money errs on the dear side."""
    return -(-sum(values) // len(values)) if values else None


def _cost(count: int, prompt: int | None, completion: int | None, price: Price | None) -> int | None:
    if price is None:
        return None
    if price.is_free:
        return 0
    if prompt is None or completion is None:
        return None
    total = count * (prompt * price.input_micro_usd + completion * price.output_micro_usd)
    return -(-total // PER_TOKENS)
