"""The conversation of a run: each user message goes to the agent, sync or async, and its reply is kept."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kit.agent.protocol import Agent, Message, Reply, Turn
from kit.errors import KitError, ReplayStop, TimeLimit
from kit.run.blame import describe
from kit.run.limit import time_limit
from kit.run.reporter import RunClock
from kit.trace.run_facts import Said

if TYPE_CHECKING:
    from kit.redaction.redactor import Redactor


@dataclass(slots=True)
class Talk:
    """How a conversation went.

    Attributes:
        turns: the user's messages that the agent got.
        replies: what it answered.
        failure: how the agent itself failed, else None.
        fault: an error of kit, of the cassette or of the world that ended the conversation, else None.
        notices: what a person should know.
    """

    turns: list[Said] = field(default_factory=list)
    replies: list[Said] = field(default_factory=list)
    failure: str | None = None
    fault: KitError | ReplayStop | None = None
    notices: list[str] = field(default_factory=list)

    def hide_secrets(self, redactor: Redactor) -> None:
        """Once the run is over: masks in what was said what is masked in the recording."""
        self.turns = [replace(said, text=redactor.text(said.text)) for said in self.turns]
        self.replies = [replace(said, text=redactor.text(said.text)) for said in self.replies]
        self.failure = self.failure and redactor.text(self.failure)

    def history(self) -> tuple[Message, ...]:
        """What was said so far, as an agent gets it."""
        pairs = zip(self.turns, self.replies, strict=False)
        return tuple(
            message
            for said, reply in pairs
            for message in (Message("user", said.text), Message("assistant", reply.text))
        )


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
        # Not entered: an agent that awaits nothing needs no event loop.
        with time_limit(limit_s) as over, contextlib.closing(asyncio.Runner()) as runner:
            talk.notices.extend([over.notice] if over.notice else [])
            for message in messages:
                _one_turn(talk, runner, agent, turn(message, talk.history()), clock)
                if talk.failure:
                    break
    except TimeLimit as late:
        talk.failure = str(late)
    except (KitError, ReplayStop) as fault:
        talk.fault = fault
    except BaseException as fault:
        # Whatever an agent raises is its outcome and not the end of kit (S2-44).
        if isinstance(fault, KeyboardInterrupt) or _holds(fault, KeyboardInterrupt):
            raise KeyboardInterrupt from fault
        talk.failure = describe(fault, project_root)
    if over is not None and over.is_over:
        talk.failure = over.text
    if talk.failure is None and talk.fault is None and not talk.replies[-1].text.strip():
        talk.failure = "the agent gave no answer to the last turn: its reply is empty"
    return talk


def _one_turn(talk: Talk, runner: asyncio.Runner, agent: Agent, turn: Turn, clock: RunClock) -> None:
    talk.turns.append(Said(turn.message, clock.now_ms(), clock.started()))
    result: Any = agent(turn)
    if inspect.isawaitable(result):
        result = runner.run(_awaited(result))
    reply = Reply(result) if isinstance(result, str) else result
    if isinstance(reply, Reply) and isinstance(reply.text, str):
        talk.replies.append(Said(reply.text, clock.now_ms(), clock.started()))
        return
    given = "nothing" if result is None else f"a {type(result).__name__}"
    number = len(talk.turns)
    talk.failure = f"the agent returned {given} for turn {number}: it must return a str or a kit.Reply"


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _holds(fault: BaseException, kind: type[BaseException]) -> bool:
    return isinstance(fault, BaseExceptionGroup) and fault.subgroup(kind) is not None
