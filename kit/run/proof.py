"""Proof of interception (decision 7): a run that was not what its cassette says is an error, never a pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kit.cassette.interaction import HttpRequest, Interaction
from kit.errors import EXIT_CASSETTE, EXIT_ENVIRONMENT, EXIT_OK
from kit.recording.options import SessionMode, SessionResult
from kit.recording.patching import CLIENTS
from kit.run.model_fault import model_fault
from kit.trace.plain_http import unknown_traffic
from kit.trace.trace import Step
from kit.wire.model_name import is_same_model
from kit.wire.registry import recognise

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Proof:
    """What speaks against a run.

    Attributes:
        errors: each makes the verdict `error`.
        notices: what a person should know.
        exit_code: of the errors, 4 (environment) before 3 (cassette) by decision 14; 0 without any.
    """

    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    exit_code: int = EXIT_OK


def prove(
    session: SessionResult,
    steps: Sequence[Step],
    mode: SessionMode,
    failure: str | None,
    aliases: Mapping[str, Collection[str]] | None = None,
) -> Proof:
    """Check that everything crossed the recorded boundary and that the right model answered.

    Where the agent itself failed in replay, what it did not get to is no error of the cassette but a notice:
    the verdict is then the agent's. In record it stays one, so that a crash never replaces a good cassette by
    an empty one.

    Args:
        session: what became of the session.
        steps: the trace's.
        mode: of the session.
        failure: how the agent itself failed, else None.
        aliases: model asked → names under which it may answer.
    """
    errors = [*session.misses, *session.side_effects, *session.escapes]
    notices = [*session.notices, *filter(None, [unknown_traffic(session.interactions)])]
    is_excused = mode == "replay" and (failure is not None or bool(errors))
    left = _left_over(session.leftovers)
    unseen = None if _has_injected_call(session) else _nothing_captured(session.interactions, failure)
    # After a miss it is plain why nothing more was asked: saying so would only hide the miss.
    if not (errors and (is_excused or session.misses)):
        for text in filter(None, (left, unseen)):
            (notices if is_excused else errors).append(text)
    if session.divergences:
        # Loaded only where a run diverged.
        from kit.cassette.render_divergence import render_divergences

        requests = sum(interaction.lane == "model" for interaction in session.interactions)
        errors.append(render_divergences(session.divergences, requests))
    wrong_model = other_models(session.interactions, steps, mode, aliases)
    errors.extend(wrong_model)
    fault = model_fault(steps, failure) if mode == "record" else None
    errors.extend([fault] if fault else [])
    # While recording it is the server that fails or answers as another model: the world, not the cassette.
    is_worldly = mode == "record" and bool(wrong_model or fault)
    code = EXIT_ENVIRONMENT if is_worldly else EXIT_CASSETTE
    return Proof(tuple(errors), tuple(notices), code if errors else EXIT_OK)


def _left_over(leftovers: tuple[Interaction, ...]) -> str | None:
    if not leftovers:
        return None
    named = ", ".join(_named(interaction) for interaction in leftovers[:_SHOWN])
    more = f" and {len(leftovers) - _SHOWN} more" if len(leftovers) > _SHOWN else ""
    count = len(leftovers)
    noun = "interaction was" if count == 1 else "interactions were"
    return (
        f"{count} recorded {noun} never played: {named}{more}; the agent no longer asks for all it asked for"
    )


def _named(interaction: Interaction) -> str:
    request = interaction.request
    if isinstance(request, HttpRequest):
        return f"{interaction.number} ({request.method} {request.url})"
    return f"{interaction.number} (tool {request.name})"


def _has_injected_call(session: SessionResult) -> bool:
    """Whether a fault came instead of a model's answer: it was kit that stood in the way."""
    return any(one.interaction.lane == "model" and not one.is_real for one in session.faults)


def _nothing_captured(interactions: tuple[Interaction, ...], failure: str | None) -> str | None:
    if any(interaction.lane == "model" for interaction in interactions):
        return None
    if failure is not None:
        return f"no model call was captured, since the agent failed before it made one: {failure}"
    return (
        "no model call was captured: the agent asks no model, or asks it through a client that kit does not "
        f"intercept (kit intercepts {CLIENTS})"
    )


def other_models(
    interactions: tuple[Interaction, ...],
    steps: Sequence[Step],
    mode: SessionMode,
    aliases: Mapping[str, Collection[str]] | None,
) -> list[str]:
    """Answers of a model other than the one that was asked, a sentence for each pair (decision 7)."""
    by_number = {interaction.number: interaction for interaction in interactions}
    looked_at: set[str] = set()
    texts: dict[tuple[str, str], str] = {}
    for step in steps:
        if step.kind != "model_call" or not step.name or step.interaction not in by_number:
            continue
        if mode == "replay" and step.name in looked_at:
            # Each call was looked at in record; reading every request of a long conversation is quadratic.
            continue
        looked_at.add(step.name)
        wanted = _asked(by_number[step.interaction])
        if wanted is not None and not is_same_model(wanted, step.name, aliases):
            texts.setdefault(
                (wanted, step.name),
                f"the model `{step.name}` answered interaction {step.interaction}, asked was `{wanted}`: "
                "where both are the same, declare it in [tool.kit.aliases]",
            )
    return list(texts.values())


def _asked(interaction: Interaction) -> str | None:
    request = interaction.request
    if not isinstance(request, HttpRequest):
        return None
    dialect = recognise(request.method, request.url, request.body)
    return dialect.read_request(request.body, request.url).model if dialect else None
