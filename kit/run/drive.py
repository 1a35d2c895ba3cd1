"""The conversation of a run: each user message goes to the agent, sync or async, and its reply is kept."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit.agent.protocol import Agent, Message, Reply, Turn
from kit.errors import KitError, ReplayStop, TimeLimit
from kit.run.blame import describe
from kit.run.limit import time_limit
from kit.run.reporter import RunClock


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said between user and agent.

    Attributes:
        role: who said it.
        text: what was said.
        at_ms: the run's virtual clock.
        after: number of the interaction that had started last.
        detail: what the agent keeps beside its reply.
    """

    role: str
    text: str
    at_ms: int
    after: int
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Talk:
    """How a conversation went.

    Attributes:
        utterances: in order.
        failure: how the agent itself failed, else None.
        fault: an error of kit, of the cassette or of the world that ended the conversation, else None.
        notices: what a person should know.
    """

    utterances: list[Utterance] = field(default_factory=list)
    failure: str | None = None
    fault: KitError | ReplayStop | None = None
    notices: list[str] = field(default_factory=list)

    @property
    def replies(self) -> tuple[str, ...]:
        """What the agent answered, in order."""
        return tuple(said.text for said in self.utterances if said.role == "assistant")


def converse(
    agent: Agent,
    messages: Sequence[str],
    turn: Callable[[str, tuple[Message, ...]], Turn],
    clock: RunClock,
    project_root: Path,
    limit_s: float | None = None,
) -> Talk:
    """Drive an agent through all user messages, or until it fails.

    Args:
        agent: what is driven; all its turns run in one event loop if it is async.
        messages: the user's, in order.
        turn: makes a turn of a message and the history before it.
        clock: the run's.
        project_root: what the agent's files are named from in messages.
        limit_s: real seconds for the whole conversation.
    """
    talk = Talk()
    over = None
    try:
        with time_limit(limit_s) as over, asyncio.Runner() as runner:
            talk.notices.extend([over.notice] if over.notice else [])
            for message in messages:
                _one_turn(talk, runner, agent, turn(message, _history(talk)), clock)
                if talk.failure:
                    break
    except TimeLimit as late:
        talk.failure = str(late)
    except (KitError, ReplayStop) as fault:
        talk.fault = fault
    except BaseException as fault:  # noqa: BLE001 - whatever an agent raises is its outcome, not kit's end (S2-44)
        if isinstance(fault, KeyboardInterrupt) or _holds(fault, KeyboardInterrupt):
            raise KeyboardInterrupt from fault
        talk.failure = describe(fault, project_root)
    if over is not None and over.is_over:
        talk.failure = over.text
    return talk


def _one_turn(talk: Talk, runner: asyncio.Runner, agent: Agent, turn: Turn, clock: RunClock) -> None:
    talk.utterances.append(Utterance("user", turn.message, clock.now_ms(), clock.started()))
    result: Any = agent(turn)
    if inspect.isawaitable(result):
        result = runner.run(_awaited(result))
    reply = Reply(result) if isinstance(result, str) else result
    number = len(talk.replies) + 1
    if not isinstance(reply, Reply) or not isinstance(reply.text, str):
        given = "nothing" if result is None else f"a {type(result).__name__}"
        talk.failure = f"the agent returned {given} for turn {number}: it must return a str or a kit.Reply"
        return
    said = Utterance("assistant", reply.text, clock.now_ms(), clock.started(), reply.detail)
    talk.utterances.append(said)


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _history(talk: Talk) -> tuple[Message, ...]:
    return tuple(
        Message("user" if said.role == "user" else "assistant", said.text) for said in talk.utterances
    )


def _holds(fault: BaseException, kind: type[BaseException]) -> bool:
    return isinstance(fault, BaseExceptionGroup) and fault.subgroup(kind) is not None
