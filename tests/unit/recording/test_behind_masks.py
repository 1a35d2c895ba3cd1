"""Requests that differ from a recorded one only where masks stand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.recording.behind_masks import judge_of
from kit.redaction.redactor import Redactor

ROOT = Path(__file__).parents[3]


def http(value: Any, url: str = "http://h/v1", method: str = "POST") -> HttpRequest:
    """A request with a JSON body."""
    return HttpRequest(method, url, (), value if isinstance(value, bytes) else json.dumps(value).encode())


def judged(recorded: Any, asked: Any, redactor: Redactor | None = None) -> dict[str, int] | None:
    """What stands behind the masks of `recorded` in `asked`."""
    response = ToolResponse() if isinstance(recorded, ToolRequest) else HttpResponse(200)
    return judge_of(asked, redactor or Redactor())(Interaction(1, "model", recorded, response, 0, 1))


def test_one_word_stands_behind_a_mask() -> None:
    """The same one behind the same mask, in prose, in nested JSON, in addresses, in numbers."""
    recorded = http(
        {"messages": [{"content": "try <secret-1>, then <secret-2>!"}], "pin": "<secret-3>"},
        "http://h/bot<secret-2>/x?key=<secret-1>",
    )
    asked = http(
        {"messages": [{"content": "try hunter22, then tr0ubador!"}], "pin": 1234},
        "http://other/bottr0ubador/x?key=hunter22",
    )
    assert judged(recorded, asked) == {"hunter22": 1, "tr0ubador": 2}


@pytest.mark.parametrize(
    "asked",
    [
        {"a": "try one two", "b": "x"},
        {"a": "try hunter22", "b": "other"},
        {"a": "try hunter22", "b": "x", "c": 1},
        {"a": "try hunter22", "b": ["x"]},
        {"a": "do hunter22", "b": "x"},
        {"a": 1, "b": "x"},
        ["try hunter22", "x"],
    ],
)
def test_nothing_else_may_differ(asked: Any) -> None:
    """A mask stands for one word, not for another prompt; everything else is compared to the letter."""
    assert judged(http({"a": "try <secret-1>", "b": "x"}), http(asked)) is None


def test_two_words_never_stand_behind_one_mask_nor_one_behind_two() -> None:
    """Otherwise one user's answer would be served to another."""
    twice = http({"a": "<secret-1>", "b": "<secret-1>"})
    assert judged(twice, http({"a": "hunter22", "b": "hunter22"})) == {"hunter22": 1}
    assert judged(twice, http({"a": "hunter22", "b": "hunter23"})) is None
    assert judged(http({"a": "<secret-1> <secret-2>"}), http({"a": "hunter22 hunter22"})) is None


LONG = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from tests.unit.recording.test_behind_masks import http, judged
recorded = http({"a": "of " + ",".join(f"<secret-{number}>" for number in range(1, 31)) + " in all"})
words = [f"hunter22x{number}" for number in range(60)]
assert judged(recorded, http({"a": "of " + ",".join(words) + " in part"})) is None
assert judged(recorded, http({"a": "of " + ",".join(words[:29]) + " in all"})) is None
found = judged(recorded, http({"a": "of " + ",".join(words[:30]) + " in all"}))
assert found == {word: number for number, word in enumerate(words[:30], start=1)}, found
"""


def test_a_miss_with_many_masks_does_not_try_all_combinations() -> None:
    """A child may use 20 s of a core; all ways to cut 60 words into 30 would take longer than the sun has."""
    done = subprocess.run([sys.executable, "-c", LONG], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_volatile_ids_and_hosts_do_not_count() -> None:
    """As in the key; an id that stands for two is another conversation."""
    recorded = http({"m": [{"id": "a", "text": "<secret-1>"}, {"tool_call_id": "a"}]})
    assert judged(recorded, http({"m": [{"id": "b", "text": "hunter22"}, {"tool_call_id": "b"}]})) == {
        "hunter22": 1
    }
    assert judged(recorded, http({"m": [{"id": "b", "text": "hunter22"}, {"tool_call_id": "c"}]})) is None


def test_requests_without_masks_and_of_another_kind_are_none() -> None:
    """Who has nothing hidden is found by its key or not at all."""
    assert judged(http({"a": "x"}), http({"a": "x"})) is None
    assert judged(http({"a": "<secret-1>"}), http({"a": "hunter22"}, method="PUT")) is None
    assert judged(http({"a": "<secret-1>"}), ToolRequest("t", {"a": "hunter22"})) is None
    assert judged(ToolRequest("t", {"a": "<secret-1>"}), ToolRequest("t", {"a": "none"})) == {}
    assert judged(http(b"key <secret-1>\xff"), http(b"key hunter22\xff")) == {"hunter22": 1}
    many = http({"a": " ".join(f"<secret-{number}>" for number in range(1, 80))})
    assert judged(many, http({"a": "x"})) is None


def test_a_fresh_mask_of_replay_gives_way_to_the_recorded_one() -> None:
    """Where the recording learnt in another order, numbers differ and secrets do not."""
    redactor = Redactor()
    assert redactor.text("sk-abcdefgh123456") == "<secret-1>"
    found = judged(http({"a": "<secret-2>"}), http({"a": "<secret-1>"}), redactor)
    assert found == {"sk-abcdefgh123456": 2}
    assert redactor.bind(found)
    assert redactor.text("sk-abcdefgh123456") == "<secret-2>"
    assert judged(http({"a": "<secret-2>"}), http({"a": "<secret-2>"}), redactor) is None
    assert judged(http({"a": "<secret-1>"}), http({"a": "<secret-9>"}), redactor) is None
