"""Mutators: from a valid input to one that is almost valid, in bytes, in lines and in values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

MAX_BYTES = 400_000

TOKENS = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        *("&a ", "*a", "<<: *a", "!!python/object/apply:os.system", "!args", "!args.spaced ", "!id call-1"),
        *("!answer '1'", "!answer '0'", "!result '1'", "!raw ", "!base64 ", "!json ", "!number ", "! "),
        *("---\n", "...\n", "? ", ": ", "- ", "|\n", "|2-\n", ">\n", "'", '"', "#", "%YAML 1.1\n", "\t"),
        *("{", "}", "[", "]", "{{{{", "[" * 2000, '{"a":' * 700, ",", "null", "true", "~", "NaN", "-0"),
        *("1e999", "-1", "0", "1" * 30, "9" * 5000, "0x10", "1_000", "1:30", "2026-13-45", "0.1e", "''"),
        *("\x00", "\ufeff", "\u2028", "\x85", "\u200b", "\ud800", "\U0001f600", "\x7f", "\r", "\r\n", "\n\n"),
        *("<<<<<<< HEAD\n", "=======\n", ">>>>>>> theirs\n", "version https://git-lfs.github.com/spec/v1\n"),
        *("data: ", "data: [DONE]\n\n", "event: ping\n", ": comment\n", "id: 1\n", "retry: x\n", "\n"),
        *(
            "%",
            "%zz",
            "://",
            "//",
            "?",
            "#",
            "..",
            "/",
            "\\",
            "\\u",
            "\\ud83d",
            "\\u0000",
            "kit: cassette 1\n",
        ),
        *("volatile:\n", "\nvolatile:\n", "calls:\n", "header: {}\n", "  digest: " + "0" * 32 + "\n"),
        *("1x9", "x", "1x999999999", "9x9x9", "a bx10 c d", "cut ", "order", "«content»", "1x-1"),
    )
)
"""What the grammars of YAML, JSON, event streams and of kit's own rows treat as special."""

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, -0.0, 1.5, 1e308, float("nan"), float("inf")),
    *(
        "",
        " ",
        "0",
        "a",
        "null",
        "\x00",
        "\ud800",
        "\U0001f600",
        "x" * 5000,
        "{",
        '{"a":1}',
        "[1]",
        "1x5",
        "\u2028",
    ),
    *([], {}, [[]], [{}], {"": ""}, {"a": {}}, [None], {"type": "text"}, {"type": 1}, [0] * 50, ["a"]),
)
"""Values that stand where another kind was expected."""

_VALUE = re.compile(rb"(?<=: )[^\n{\[][^\n,}\]]*")
_NUMBER = re.compile(rb"-?\d+")

Mutator = Callable[[Random, bytes, Sequence[bytes]], bytes]


def mutated(random: Random, seed: bytes, pool: Sequence[bytes]) -> bytes:
    """A changed copy of `seed`; one to four mutators are applied, `pool` gives material for splicing."""
    text = seed
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        text = random.choice(MUTATORS)(random, text, pool)
    return text[:MAX_BYTES]


def _slice(random: Random, text: bytes) -> tuple[int, int]:
    start = random.randint(0, len(text))
    length = random.choice((1, 1, 2, 4, 16, 200, len(text) // 2))
    return start, min(len(text), start + length)


def flip(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """Some bytes replaced by random ones."""
    changed = bytearray(text)
    for _n in range(random.choice((1, 1, 2, 8)) if text else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def drop(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A piece taken out."""
    start, end = _slice(random, text)
    return text[:start] + text[end:]


def cut(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """The rest missing, as after a torn write."""
    return text[: random.randint(0, len(text))]


def repeat(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A piece several times."""
    start, end = _slice(random, text)
    return text[:end] + text[start:end] * random.choice((1, 2, 10)) + text[end:]


def insert(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A token of some grammar in the middle."""
    start = random.randint(0, len(text))
    return text[:start] + random.choice(TOKENS) + text[start:]


def replace(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A piece replaced by a token."""
    start, end = _slice(random, text)
    return text[:start] + random.choice(TOKENS) + text[end:]


def splice(random: Random, text: bytes, pool: Sequence[bytes]) -> bytes:
    """The head of one input and the tail of another."""
    other = random.choice(pool)
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def lines(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A line dropped, doubled, moved, or indented otherwise."""
    rows = text.split(b"\n")
    at = random.randrange(len(rows))
    row = rows.pop(at)
    kind = random.randrange(5)
    if kind == 1:
        rows[at:at] = [row, row]
    elif kind == 2:
        rows.insert(random.randint(0, len(rows)), row)
    elif kind == 3:
        rows.insert(at, b" " * random.choice((1, 2, 4)) + row)
    elif kind == 4:
        rows.insert(at, row.removeprefix(b"  "))
    return b"\n".join(rows)


def scalar(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """The value of one key replaced by a value of another kind."""
    places = [found.span() for found in _VALUE.finditer(text)]
    if not places:
        return text
    start, end = random.choice(places)
    return text[:start] + _json(random.choice(ODD)) + text[end:]


def number(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """One number replaced by another."""
    places = [found.span() for found in _NUMBER.finditer(text)]
    if not places:
        return text
    start, end = random.choice(places)
    other = random.choice((b"0", b"1", b"2", b"3", b"-1", b"99", b"1000000", b"9" * 25, b"1.5", b""))
    return text[:start] + other + text[end:]


def value(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """One node of a JSON text, or of one event of a stream, replaced, dropped, doubled or wrapped."""
    rows = text.split(b"\n")
    at = random.randrange(len(rows))
    head, mark, tail = rows[at].partition(b"data: ")
    whole = not mark
    try:
        tree = json.loads(text if whole else tail)
    except (ValueError, RecursionError):
        return text
    new = _json(_changed(random, tree))
    if whole:
        return new
    rows[at] = head + mark + new
    return b"\n".join(rows)


def _changed(random: Random, tree: Any) -> Any:
    """A tree of which one node is another; goes down a random way."""
    if not isinstance(tree, dict | list) or not tree or random.random() < 0.12:
        return random.choice((*ODD, [tree], {"a": tree}))
    key: Any = random.choice(list(tree)) if isinstance(tree, dict) else random.randrange(len(tree))
    kind = random.random()
    if kind < 0.08:
        del tree[key]
    elif kind < 0.14 and isinstance(tree, list):
        tree.append(tree[key])
    elif kind < 0.14 and isinstance(tree, dict):
        tree[random.choice(("", "type", "id", key + "_", "error", "index"))] = tree[key]
    else:
        tree[key] = _changed(random, tree[key])
    return tree


def _json(value_: Any) -> bytes:
    return json.dumps(value_, ensure_ascii=False).encode("utf-8", "surrogatepass")


MUTATORS: tuple[Mutator, ...] = (
    *(flip, drop, cut, repeat, insert, insert, replace, splice, lines, lines, scalar, scalar),
    *(number, value, value, value),
)
