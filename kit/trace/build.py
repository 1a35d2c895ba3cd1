"""One run's facts, become its trace."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from kit.trace.faults import as_met, marked, with_real_usage
from kit.trace.model_call import ModelCall, model_calls
from kit.trace.prices import Price, PriceTable, total_cost
from kit.trace.run_facts import RunFacts
from kit.trace.steps import build_steps
from kit.trace.trace import ExecutionTrace, Usage
from kit.wire.model_name import is_same_model


def build_trace(
    facts: RunFacts,
    prices: PriceTable | None = None,
    aliases: Mapping[str, Collection[str]] | None = None,
) -> ExecutionTrace:
    """The trace of a run, the same for the same facts, with what is derived from them: usage, cost, latency.

    Args:
        facts: of the run.
        prices: the project's prices; the built-in table where left out.
        aliases: declared names of models (`[tool.kit.aliases]`), so that a renamed answer finds its price.
    """
    calls = model_calls(facts.interactions)
    counted = [call for call in calls if call.is_counted]
    table = prices or PriceTable()
    met = as_met(facts.interactions, facts.faults)
    seen = with_real_usage(model_calls(met), calls) if facts.faults else calls
    steps = build_steps(dataclasses.replace(facts, interactions=met), seen)
    if facts.faults:
        steps = marked(steps, facts.interactions, facts.faults)
    replies = tuple(reply.text for reply in facts.replies)
    return ExecutionTrace(
        scenario_id=facts.scenario_id,
        model=facts.model,
        mode=facts.mode,
        steps=steps,
        outcome=facts.outcome,
        final_response=_final_response(facts, replies),
        replies=replies,
        usage=sum_usage(
            [Usage(call.answer.prompt_tokens, call.answer.completion_tokens) for call in counted]
        ),
        cost_micro_usd=total_cost(
            (
                _price(call, facts.model, table, aliases),
                Usage(call.answer.prompt_tokens, call.answer.completion_tokens),
            )
            for call in counted
        ),
        latency_ms=max((step.ended_ms for step in steps if step.kind != "http"), default=0)
        if facts.ended_ms is None
        else facts.ended_ms,
        failure=facts.failure,
        files=facts.files,
        files_before=facts.files_before,
        memory=facts.memory,
    )


def sum_usage(usages: Sequence[Usage]) -> Usage:
    """Tokens of some calls together; None where any call did not say, 0 where there was no call (X-05)."""
    prompt = [usage.prompt_tokens for usage in usages]
    completion = [usage.completion_tokens for usage in usages]
    return Usage(_sum(prompt), _sum(completion))


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _final_response(facts: RunFacts, replies: tuple[str, ...]) -> str | None:
    """The reply to the last turn; a turn without reply, or with an empty one, has none (decision 19)."""
    if len(replies) < max(len(facts.turns), 1) or not replies[-1].strip():
        return None
    return replies[-1]


def _price(
    call: ModelCall, asked: str, table: PriceTable, aliases: Mapping[str, Collection[str]] | None
) -> Price | None:
    """The price of the model that answered, known by its own name or by the one it was asked under."""
    model = call.model() or asked
    price = table.price(model)
    if price is None and is_same_model(asked, model, aliases):
        return table.price(asked)
    return price
