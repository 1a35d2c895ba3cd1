"""The order of a recording."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.order import in_order

JSON = (("content-type", "application/json"),)
URL = "http://m/v1/chat/completions"


def chat(number: int, under: int | None, messages: list[str], calls: list[str] | None = None) -> Interaction:
    """A model call whose messages are these words; it asks for the named tools."""
    asked = {"model": "m", "messages": [{"role": "user", "content": word} for word in messages]}
    message: dict[str, Any] = {"role": "assistant", "content": messages[-1]}
    if calls:
        message["tool_calls"] = [
            {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}} for name in calls
        ]
    answer = {"choices": [{"message": message}]}
    request = HttpRequest("POST", URL, JSON, json.dumps(asked).encode())
    response = HttpResponse(200, JSON, json.dumps(answer).encode())
    return Interaction(number, "model", request, response, number * 10, number * 10 + 5, under=under)


def tool(number: int, under: int | None, name: str) -> Interaction:
    """A tool call."""
    return Interaction(
        number, "tool", ToolRequest(name), ToolResponse("done"), number * 10, number * 10 + 5, under=under
    )


def words(interactions: tuple[Interaction, ...]) -> list[str]:
    """The last message of each request, or the tool's name, in order."""
    shown = []
    for item in interactions:
        if isinstance(item.request, ToolRequest):
            shown.append(item.request.name)
        else:
            shown.append(json.loads(item.request.body)["messages"][-1]["content"])
    return shown


def test_what_runs_one_after_the_other_stays_as_it_is() -> None:
    """Numbers, gaps among them too, and objects are the same."""
    line = (chat(1, 0, ["a"]), tool(2, 1, "t"), chat(5, 2, ["a", "b"]))
    ordered = in_order(reversed(line))
    assert ordered.interactions == line
    assert ordered.numbers == {1: 1, 2: 2, 5: 5}


def test_a_recording_that_kept_no_lines_stays_in_order_of_start() -> None:
    """Imported and older recordings do not say what came from what."""
    line = (chat(1, None, ["a"]), chat(2, None, ["b"]), chat(3, None, ["a", "c"]))
    assert words(in_order(line).interactions) == ["a", "b", "c"]


def test_each_line_has_its_own_stretch() -> None:
    """Two sub-agents between a plan and a summary, whichever answered first."""
    arrived = (
        chat(1, 0, ["plan"]),
        chat(2, 1, ["a1"]),
        chat(3, 1, ["b1"]),
        chat(4, 3, ["b1", "b2"]),
        chat(5, 2, ["a1", "a2"]),
        chat(6, 1, ["plan", "sum"]),
    )
    ordered = in_order(arrived)
    assert words(ordered.interactions) == ["plan", "a1", "a2", "b1", "b2", "sum"]
    assert [item.number for item in ordered.interactions] == [1, 2, 3, 4, 5, 6]
    assert [item.under for item in ordered.interactions] == [0, 1, 2, 1, 4, 1]
    assert ordered.number(5) == 3
    assert ordered.number(9) == 9


def test_a_conversation_tells_where_a_lost_task_does_not() -> None:
    """Each call through a thread of its own comes from the plan; its messages and its asker say more."""
    arrived = (
        chat(1, 0, ["plan"]),
        chat(2, 1, ["a1"], calls=["look"]),
        chat(3, 1, ["b1"], calls=["read"]),
        tool(4, 1, "read"),
        tool(5, 1, "look"),
        chat(6, 1, ["b1", "b2"]),
        chat(7, 1, ["a1", "a2"]),
    )
    assert words(in_order(arrived).interactions) == ["plan", "a1", "look", "a2", "b1", "read", "b2"]


def test_equal_requests_keep_to_the_line_of_their_task() -> None:
    """Where two conversations begin with the same words, the task says which one goes on."""
    arrived = (
        chat(1, 0, ["plan"]),
        chat(2, 1, ["same"]),
        chat(3, 1, ["same"]),
        chat(4, 3, ["same", "b"]),
        chat(5, 2, ["same", "a"]),
    )
    assert words(in_order(arrived).interactions) == ["plan", "same", "a", "same", "b"]


def test_processes_that_counted_for_themselves_get_one_count() -> None:
    """In order of start; which of them came from which nobody can tell any more."""
    mine, forked = (tool(1, 0, "a"), tool(2, 1, "b")), replace(tool(2, 1, "c"), started_ms=15)
    ordered = in_order((*mine, forked))
    assert words(ordered.interactions) == ["a", "c", "b"]
    assert [(item.number, item.under) for item in ordered.interactions] == [(1, None), (2, None), (3, None)]
    assert ordered.number(2) == 2


@given(seed=st.integers(0, 10_000), lines=st.integers(1, 4), turns=st.integers(1, 4))
def test_any_arrival_gives_one_order(seed: int, lines: int, turns: int) -> None:
    """However the answers of several lines interleave, the file reads the same."""
    chance = random.Random(seed)
    waiting = dict.fromkeys(range(lines), turns)
    arrived = [chat(1, 0, ["plan"])]
    last = dict.fromkeys(waiting, 1)
    first = list(waiting)
    while waiting:
        # All lines start in the order of the program; afterwards whoever is answered goes on.
        name = first.pop(0) if first else chance.choice(sorted(waiting))
        done = turns - waiting[name]
        number = len(arrived) + 1
        arrived.append(chat(number, last[name], [f"{name}.{turn}" for turn in range(done + 1)]))
        last[name] = number
        waiting[name] -= 1
        if not waiting[name]:
            del waiting[name]
    wanted = ["plan", *(f"{name}.{turn}" for name in range(lines) for turn in range(turns))]
    shuffled = arrived[:]
    chance.shuffle(shuffled)
    ordered = in_order(shuffled)
    assert words(ordered.interactions) == wanted
    assert in_order(replace(item) for item in ordered.interactions).interactions == ordered.interactions
