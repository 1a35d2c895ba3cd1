"""The trace of one run: everything an oracle may look at, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["success", "refused", "needs_approval", "error_handled", "failure"]
StepKind = Literal["user", "model_call", "tool_call", "event", "sleep", "answer", "http"]
Mode = Literal["replay", "live"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the model counted them; None where it did not say (None is never 0, X-05)."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A tool call that a model asked for; `arguments` is the JSON, or None where `raw` does not parse."""

    id: str | None
    name: str
    arguments: dict[str, Any] | None
    raw: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked with, apart from the conversation; calls that ask alike share one.

    Attributes:
        prompt: (role, text) of the system prompt and of what else the agent said of its own before the
            model's first answer; the user's turns are left out.
        tools: schemas of the tools offered, as sent.
        parameters: everything else (`temperature`, `seed`, …), JSON values.
    """

    prompt: tuple[tuple[str, str], ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One item of a trace.

    Attributes:
        index: 0, 1, … in the trace.
        kind: `user` (a turn of the scenario), `model_call`, `tool_call`, `event` (reported by the agent),
            `sleep`, `answer` (the agent's reply to a turn), `http` (what is neither a model's work nor a
            tool's call; no oracle, baseline or latency looks at it).
        started_ms: on the run's virtual clock.
        ended_ms: on the run's virtual clock.
        text: the user's message, the model's text (a refusal where it said nothing else), the answer; for an
            event its kind; of plain HTTP what kit knows it to be.
        name: tool name, model that answered, event kind, or method and URL.
        arguments: of a tool call or the detail of an event.
        result: of a tool call, a JSON value.
        failure: how the step went wrong (`http 500`, `ReadTimeout: …`, `FileNotFoundError: …`), else None.
        requested: tool calls that a model call asked for; not those that its server ran itself.
        finish_reason: of a model call.
        usage: of a model call.
        interaction: number of the interaction it comes from, if any.
        asked: of a model call, what the model was asked with; None where no dialect knows the request.
        fault: what the scenario let go wrong with it on purpose, else None.
        is_injected: the fault came instead of the model or the tool: neither was really called.
    """

    index: int
    kind: StepKind
    started_ms: int = 0
    ended_ms: int = 0
    text: str | None = None
    name: str | None = None
    arguments: dict[str, Any] | None = None
    result: Any = None
    failure: str | None = None
    requested: tuple[RequestedCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    interaction: int | None = None
    asked: Asked | None = None
    fault: str | None = None
    is_injected: bool = False


@dataclass(frozen=True, slots=True)
class ExecutionTrace:
    """All steps of one run, with what was derived from them (S2-43).

    Attributes:
        scenario_id: id of the scenario.
        model: tag of the model asked.
        mode: `replay` or `live`.
        steps: in order of start.
        outcome: decision 19.
        final_response: the last turn's reply; None where the agent gave none.
        replies: the reply to each user turn, in order; shorter than the turns where the run ended early.
        usage: sums; None where any model call did not say.
        cost_micro_usd: integer micro-USD; None where a price is unknown.
        latency_ms: the run's virtual clock at its end (lanes model and tool, judge excluded).
        failure: how the agent itself failed (exception, limit, no answer), else None.
        files: text of each file of the workspace after the run, by the agent's path; None for a binary.
        files_before: the same before the run.
        memory: the agent's memory after the run.
    """

    scenario_id: str
    model: str
    mode: Mode
    steps: tuple[Step, ...]
    outcome: Outcome
    final_response: str | None
    replies: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_micro_usd: int | None = None
    latency_ms: int = 0
    failure: str | None = None
    files: Mapping[str, str | None] = field(default_factory=dict)
    files_before: Mapping[str, str | None] = field(default_factory=dict)
    memory: Mapping[str, str] = field(default_factory=dict)

    def tool_calls(self) -> tuple[Step, ...]:
        """The tool calls that were really made, in order."""
        return tuple(step for step in self.steps if step.kind == "tool_call")

    def events(self, kind: str) -> tuple[Step, ...]:
        """The events of one kind, in order."""
        return tuple(step for step in self.steps if step.kind == "event" and step.name == kind)
