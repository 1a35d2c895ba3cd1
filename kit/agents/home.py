"""The home agent of S2, `kit.agents.home:agent`: ask the model, make its calls, until it answers in words."""

from __future__ import annotations

import httpx

from kit.agent.protocol import Reply, Turn
from kit.agents.arguments import ArgumentsError
from kit.agents.chat import AskedCall, ChatLine
from kit.agents.exchange import Given, Repeats, arguments_of, as_history
from kit.agents.prompt import opening
from kit.agents.toolbox import Toolbox

MAX_STEPS = 8
MAX_REPEATS = 2


class LimitError(RuntimeError):
    """The model did not come to an answer within the limits of a turn."""


async def agent(turn: Turn) -> Reply:
    """Answer one message of the user.

    Raises:
        LimitError: too many steps, or one call asked for again and again.
        ModelError: the model gave no usable answer.
        ValueError: the turn names a tool or a policy preset that this agent does not have.
    """
    # Each time-out of an exchange is the endpoint's; connecting must not take that long.
    timeout = httpx.Timeout(turn.endpoint.timeout_s, connect=min(10.0, turn.endpoint.timeout_s or 10.0))
    # Reading the certificates takes longer than all the rest of a replayed turn.
    verify = turn.endpoint.base_url.startswith("https:")
    async with httpx.AsyncClient(timeout=timeout, verify=verify) as client:
        line = ChatLine(turn.endpoint, client)
        return Reply(await _converse(turn, line, Toolbox(turn, line)))


async def _converse(turn: Turn, line: ChatLine, toolbox: Toolbox) -> str:
    messages = opening(turn)
    made = Repeats()
    for _ in range(MAX_STEPS):
        answer = await line.ask(messages, toolbox.schemas())
        if not answer.calls:
            return answer.text.strip()
        arguments = [arguments_of(call, answer) for call in answer.calls]
        messages.append(as_history(answer, arguments))
        for call, given in zip(answer.calls, arguments, strict=True):
            repeats = made.count(call, given)
            if repeats >= MAX_REPEATS:
                raise LimitError(
                    f"the model asked for the same call of {call.name} {repeats + 1} times in a row"
                )
            result = _already_made(call) if repeats else await _result(call, given, toolbox)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    raise LimitError(f"no answer within {MAX_STEPS} steps")


async def _result(call: AskedCall, given: Given, toolbox: Toolbox) -> str:
    if isinstance(given, ArgumentsError):
        return f"error: {given}"
    return await toolbox.call(call.name, given)


def _already_made(call: AskedCall) -> str:
    return f"error: this call of {call.name} was just made; its result is above. Answer the user with it."
