"""The list of dialects: none raises, whatever it reads."""

from __future__ import annotations

import ast
import base64
import json
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.wire import registry
from kit.wire.dialects import DIALECTS
from tests.fakes.eventstream import framed
from tests.fakes.examples import costly


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


@costly(30)
@given(st.integers(0, 2**32), st.sampled_from(["", "http://h/model/a:b/invoke", "http://[", "x"]))
def test_no_value_of_known_words_makes_a_dialect_raise(seed: int, url: str) -> None:
    """Fields that a dialect looks for, with values that it does not expect."""
    for body in bodies_of(Random(seed)):
        for dialect in DIALECTS:
            dialect.recognises("POST", url, body)
            dialect.read_request(body, url)
            for kind in ("", "application/vnd.amazon.eventstream", "text/event-stream"):
                dialect.read_response(body, kind, streamed=bool(kind))
