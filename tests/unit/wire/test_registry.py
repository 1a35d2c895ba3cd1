"""Which dialect a request speaks."""

from __future__ import annotations

import ast
import base64
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.wire import registry
from kit.wire.registry import DIALECTS, recognise
from tests.fakes.eventstream import framed


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1/chat/completions",
        "https://api.deepseek.com/chat/completions",
        "https://api.mistral.ai/v1/chat/completions#stream",
        "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
        "https://host/v1/chat/completions/",
    ],
)
def test_chat_completions_are_known_by_their_path(url: str) -> None:
    """Any host may serve the dialect."""
    dialect = recognise("post", url, b'{"model":')
    assert dialect is not None
    assert dialect.name == "openai_chat"


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("GET", "http://localhost:11434/v1/chat/completions"),
        ("GET", "http://localhost:11434/v1/completions"),
        ("POST", "http://localhost/v1/models?x=/chat/completions"),
        ("POST", "http://localhost/v1/mychat/completions"),
        ("POST", "http://[::1/v1/chat/completions"),
        ("POST", ""),
    ],
)
def test_other_traffic_is_no_model_call(method: str, url: str) -> None:
    """Only the path decides, and an unreadable URL is no model call."""
    assert recognise(method, url) is None


@given(st.text(max_size=10), st.text(max_size=80), st.binary(max_size=20))
def test_nothing_raises(method: str, url: str, body: bytes) -> None:
    """The recording asks for every request, so a hostile one must not crash it."""
    recognise(method, url, body)


def words() -> list[str]:
    """Every text in the source of the dialects: names of fields, kinds, roles."""
    wire = Path(registry.__file__).parent
    found = {
        node.value
        for path in wire.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 40
    }
    return sorted(found)


WORDS = words()
LEAVES: tuple[Any, ...] = (None, True, -1, 0, 3, 2**70, 1.5, "", "a", '{"a":1}', [], {})


def odd_value(chance: Random, depth: int = 4) -> Any:
    """A JSON value of known words, of a shape that nobody expects."""
    form = chance.random() if depth else 0.0
    if form < 0.3:
        return chance.choice([*LEAVES, chance.choice(WORDS)])
    if form < 0.5:
        return [odd_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(WORDS): odd_value(chance, depth - 1) for _ in range(chance.randrange(6))}


def bodies_of(chance: Random) -> list[bytes]:
    """Odd values framed in every way, whole and cut."""
    whole, *rest = (json.dumps(odd_value(chance)).encode() for _ in range(5))
    lines = b"".join(b"data: " + one + b"\n\n" for one in rest)
    chunks = [json.dumps({"bytes": base64.b64encode(one).decode()}).encode() for one in rest]
    binary = b"".join(framed(chance.choice(WORDS)[:200], one) for one in [*rest, *chunks])
    found = [whole, lines, binary, b"\n".join(rest), b"[" + b",".join(rest) + b"]"]
    return [*found, *(body[: chance.randrange(len(body) + 1)] for body in found)]


@given(st.integers(0, 2**32), st.sampled_from(["", "http://h/model/a:b/invoke", "http://[", "x"]))
@settings(deadline=None)
def test_no_value_of_known_words_makes_a_dialect_raise(seed: int, url: str) -> None:
    """Fields that a dialect looks for, with values that it does not expect."""
    for body in bodies_of(Random(seed)):
        for dialect in DIALECTS:
            dialect.recognises("POST", url, body)
            dialect.read_request(body, url)
            for kind in ("", "application/vnd.amazon.eventstream", "text/event-stream"):
                dialect.read_response(body, kind, streamed=bool(kind))
