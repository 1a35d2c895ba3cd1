"""Steps and values in a person's words."""

from __future__ import annotations

from typing import Any

import pytest

from kit.baseline.skeleton import SkeletonStep
from kit.baseline.values import ABSENT
from kit.baseline.wording import changes, describe, texts, value


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"kind": "user", "text": "hello\nyou"}, "the user says «hello⏎you»"),
        ({"kind": "answer", "text": "bye"}, "the agent answers «bye»"),
        ({"kind": "tool_call", "name": "f", "arguments": {"a": [1]}}, "tool call f(a=[1])"),
        ({"kind": "tool_call", "name": "f", "failure": "OSError"}, "tool call f(), which failed: OSError"),
        ({"kind": "model_call", "text": "hi"}, "model call, which says «hi»"),
        ({"kind": "model_call"}, "model call, which says nothing"),
        ({"kind": "model_call", "failure": "http 500"}, "model call, which failed: http 500"),
        ({"kind": "model_call", "calls": [{"name": "f", "raw": "{x"}]}, "model call, which asks for f({x)"),
        ({"kind": "event", "name": "refusal"}, "event refusal"),
        ({"kind": "event", "name": "handoff", "arguments": {"to": "b"}}, 'event handoff {"to": "b"}'),
        ({"kind": "sleep", "ms": 50}, "a pause of 50 ms"),
    ],
)
def test_every_kind_of_step_has_words(step: dict[str, Any], words: str) -> None:
    """One line, without control characters."""
    assert describe(SkeletonStep.model_validate(step)) == words


def test_values_are_short_and_absent_is_not_null() -> None:
    """Nobody reads a body in a sentence."""
    assert (value(None), value(ABSENT), value("a")) == ("null", "(absent)", '"a"')
    assert len(value("x" * 1000)) < 100


def test_many_changes_are_counted() -> None:
    """The first three stand for the others."""
    before, after = ({str(place): place + add for place in range(5)} for add in (0, 1))
    assert changes(before, after).endswith("; and 2 more")
    assert changes({}, {}) == ""


def test_texts_stand_around_what_differs() -> None:
    """Of JSON inside a text the path is told."""
    assert texts("be kind", "be brief") == "«be ‹kind›» → «be ‹brief›»"
    assert texts(None, "x") == "nothing → «x»"
    assert texts('{"a":1}', '{"a":2}') == "a: «1» → «2»"
