"""One scenario as its file says it (S2-38); what it expects is in `expected`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, model_validator

from kit.scenario.expected import (
    AgentPath,
    ArgumentCondition,
    Count,
    Expected,
    FileExpected,
    FinalResponse,
    LlmCritic,
    MemoryExpected,
    StateConditions,
    Strictly,
    Text,
    TextConditions,
    ToolCalled,
    ToolsCalled,
)
from kit.scenario.faults import Fault

__all__ = [
    "ArgumentCondition",
    "Count",
    "Expected",
    "Fault",
    "FileExpected",
    "FinalResponse",
    "Fixture",
    "LlmCritic",
    "MemoryExpected",
    "Scenario",
    "Setup",
    "StateConditions",
    "TextConditions",
    "ToolCalled",
    "ToolsCalled",
    "Turn",
]


def _decision(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in {"approve", "deny"}:
        return value == "approve"
    raise ValueError("must be `approve`, `deny`, true or false")


Approval = Annotated[bool, BeforeValidator(_decision)]


class Fixture(Strictly):
    """A file or folder that lies in the workspace before the run.

    Attributes:
        path: where the agent sees it.
        content_fixture: what is copied there, relative to the project's root.
    """

    path: AgentPath
    content_fixture: Text


class Setup(Strictly):
    """The world a scenario starts from.

    Attributes:
        autonomy: how much the agent may do without asking.
        available_tools: names of the tools it may use; may be empty.
        channel: where the user speaks from.
        workspace_state: `minimal` holds SOUL.md and IDENTITY.md, `empty` nothing.
        policy_preset: name of the agent's policy.
        fixtures: copied into the workspace.
        approvals: the user's answers in order; exhausted is a denial (decision 18).
        memory: what the agent remembers at the start, by name.
        faults: what goes wrong on purpose; of several that are about one call, the first counts.
    """

    autonomy: Literal["manual", "supervised", "autonomous"]
    available_tools: tuple[Text, ...]
    channel: Text = "cli:eval"
    workspace_state: Literal["minimal", "empty"] = "minimal"
    policy_preset: Text = "default"
    fixtures: tuple[Fixture, ...] = ()
    approvals: tuple[Approval, ...] = ()
    memory: Mapping[
        Annotated[str, Strict(), Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")], Annotated[str, Strict()]
    ] = Field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    @model_validator(mode="after")
    def _without_twins(self) -> Setup:
        for name, values in (
            ("available_tools", self.available_tools),
            ("fixtures", tuple(fixture.path for fixture in self.fixtures)),
            ("faults", tuple(fault.call for fault in self.faults)),
        ):
            twins = sorted({value for value in values if values.count(value) > 1})
            if twins:
                raise ValueError(f"`{name}` must not name {', '.join(twins)} twice")
        return self


class Turn(Strictly):
    """One item of the conversation: what the user says, or what the agent's last reply must contain.

    Attributes:
        user: the user's message; None where this is a condition.
        expected_agent_partial: text that the reply before it contains; None where this is a message.
    """

    user: Text | None = None
    expected_agent_partial: Text | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Turn:
        if (self.user is None) == (self.expected_agent_partial is None):
            raise ValueError("must be either `user: text` or `expected_agent_partial: text`")
        return self


class Scenario(Strictly):
    """One test case: a world, a conversation, and what must be true afterwards.

    Attributes:
        id: the file's stem.
        category: a word of the suite.
        description: one sentence for reports.
        setup: the world it starts from.
        conversation: at least one turn, the first is the user's.
        expected: the conditions.
        reason: why the scenario exists (S2-25).
        origin: link to the failure it was made from (S2-25).
    """

    id: Text
    category: Text
    description: Text
    setup: Setup
    conversation: Annotated[tuple[Turn, ...], Field(min_length=1)]
    expected: Expected
    reason: Text | None = None
    origin: Text | None = None

    @model_validator(mode="after")
    def _user_speaks_first(self) -> Scenario:
        if self.conversation[0].user is None:
            raise ValueError("`conversation` must begin with a `user` turn")
        return self

    @model_validator(mode="after")
    def _judge_is_not_alone(self) -> Scenario:
        final = self.expected.final_response
        if final is not None and final.llm_critic is not None and not self.has_deterministic_condition:
            raise ValueError(
                "`llm_critic` must not be the only oracle besides `outcome`: add one that needs no model, "
                "e.g. `tools_called` or `final_response.contains_any` (cost and latency limits do not count)"
            )
        return self

    @property
    def has_deterministic_condition(self) -> bool:
        """Whether something besides outcome, limits and judge looks at what the agent did (S2-23)."""
        expected = self.expected
        final = expected.final_response
        return (
            any(turn.expected_agent_partial is not None for turn in self.conversation)
            or any(
                condition is not None
                for condition in (
                    expected.verdict,
                    expected.approvals_requested,
                    expected.tools_called,
                    expected.tools_not_called,
                    expected.files,
                    expected.memory,
                )
            )
            or (final is not None and final.has_text_condition)
        )

    @property
    def user_messages(self) -> tuple[str, ...]:
        """What the user says, in order."""
        return tuple(turn.user for turn in self.conversation if turn.user is not None)
