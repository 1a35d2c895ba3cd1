"""Agents for tests of whole runs; a scenario names them as `tests.fakes.agents:<name>`."""

from __future__ import annotations

import httpx

from kit.agent.protocol import Turn


def asks(turn: Turn) -> str:
    """Answers with what the model says to the user's message."""
    return _ask(turn, turn.message)


def asks_politely(turn: Turn) -> str:
    """The same agent with another prompt: none of its requests was recorded."""
    return _ask(turn, f"please: {turn.message}")


def asks_twice(turn: Turn) -> str:
    """Asks once more than `asks`."""
    return _ask(turn, turn.message) + _ask(turn, "again")


def asks_warmly(turn: Turn) -> str:
    """The same agent with another parameter."""
    return _ask(turn, turn.message, temperature=0.5)


def asks_nobody(turn: Turn) -> str:
    """Makes its answer up: nothing crosses the boundary."""
    return "made up"


def is_interrupted(turn: Turn) -> str:
    """The user presses Ctrl-C behind the first answer."""
    _ask(turn, turn.message)
    raise KeyboardInterrupt


def says_half_a_character(turn: Turn) -> str:
    """Answers with what UTF-8 cannot hold."""
    _ask(turn, turn.message)
    return "half \ud800"


def _ask(turn: Turn, text: str, **parameters: float) -> str:
    messages = [{"role": "user", "content": text}]
    question = {"model": turn.endpoint.model, "messages": messages, **parameters}
    # Loading certificates takes longer than the whole run, and no address of a test is encrypted.
    with httpx.Client(verify=turn.endpoint.base_url.startswith("https:"), timeout=20) as client:
        answer = client.post(f"{turn.endpoint.base_url}/chat/completions", json=question)
    answer.raise_for_status()
    said: str = answer.json()["choices"][0]["message"]["content"]
    return said
