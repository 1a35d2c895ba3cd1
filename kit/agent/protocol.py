"""What an agent meets: one turn in, one reply out. It knows nothing of recording (S2, decision 1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

Autonomy = Literal["manual", "supervised", "autonomous"]


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where the run's model answers.

    Attributes:
        base_url: OpenAI-compatible, up to and with `/v1`, no slash at the end.
        model: tag to ask for.
        api_key: sent as bearer token; replay needs no real one.
        temperature: sampling temperature of this run.
        seed: seed of this run's sampling.
        timeout_s: seconds to wait for one answer; None is no limit.
        max_tokens: limit of one answer, in tokens.
    """

    base_url: str
    model: str
    api_key: str = "kit"
    temperature: float = 0.0
    seed: int = 1
    timeout_s: float | None = 300.0
    max_tokens: int = 512


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation so far, between user and agent only."""

    role: Literal["user", "assistant"]
    text: str


class Workspace(Protocol):
    """The throwaway folder of a run, spoken of in the scenario's own absolute paths."""

    @property
    def root(self) -> Path:
        """The real folder on this machine that stands for `/`."""
        ...

    @property
    def home(self) -> str:
        """The agent's working directory as the agent sees it, `/workspace`."""
        ...

    def resolve(self, path: str) -> Path:
        """The real path behind a path the agent sees (absolute, or relative to `home`).

        Raises:
            PermissionError: the path leaves the workspace (`..`, a link); it names only the path as given.
        """
        ...


class Reporter(Protocol):
    """Through which an agent tells what no boundary shows, and asks for approval."""

    def ask_approval(self, action: str, arguments: Mapping[str, Any] | None = None) -> bool:
        """Ask the user to approve `action`; the scenario answers, in order; exhausted is a denial."""
        ...

    def refusal(self, reason: str) -> None:
        """The agent refuses what it was asked."""
        ...

    def handoff(self, to: str) -> None:
        """The agent hands over to another agent."""
        ...

    def policy_violation(self, tool: str, reason: str, arguments: Mapping[str, Any] | None = None) -> None:
        """The agent's policy blocked a call."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent gets for one user message.

    Attributes:
        message: the user's message.
        history: earlier turns of this conversation, oldest first.
        workspace: the run's folder.
        tools: names of the tools it may use, in the scenario's order.
        autonomy: `manual` (ask before every call), `supervised` (before a call with an effect), `autonomous`.
        policy: name of the policy preset.
        endpoint: the model to use.
        report: to tell events and to ask for approval.
        channel: where the user speaks from, e.g. `cli:roberto`.
    """

    message: str
    history: tuple[Message, ...]
    workspace: Workspace
    tools: tuple[str, ...]
    autonomy: Autonomy
    policy: str
    endpoint: ModelEndpoint
    report: Reporter
    channel: str = "cli:eval"


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent returns for a turn; a plain `str` is a reply too.

    Attributes:
        text: what the user reads; empty counts as no answer (decision 19).
        detail: anything the agent wants to keep in the trace, JSON values.
    """

    text: str
    detail: dict[str, Any] = field(default_factory=dict)


AgentResult = Reply | str
Agent = Callable[[Turn], AgentResult | Awaitable[AgentResult]]
"""A plain callable, sync or async."""
