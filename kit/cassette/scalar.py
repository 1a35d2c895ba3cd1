"""How one scalar of a cassette is written: plain, quoted, or as a literal block with real Unicode."""

from __future__ import annotations

import re

from kit.cassette.marks import UnwritableError

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
"""A plain scalar that reads as a number: the grammar of JSON."""

_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "infinity"})
_UNPRINTABLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_ESCAPED = re.compile(f'[\\\\"\t\n{_UNPRINTABLE}]')
_NOT_QUOTABLE = re.compile(f"[\t\n{_UNPRINTABLE}]")
_NOT_LITERAL = re.compile(f"[{_UNPRINTABLE}]")
_NOT_PLAIN = re.compile(r": |:\Z| #| \Z")
_NOT_PLAIN_IN_FLOW = re.compile(r"[\[\]{},:#?]| \Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0"}
MAX_KEY = 200


def key(text: str) -> str:
    """A mapping key, on one line.

    Raises:
        UnwritableError: YAML cannot read a key that long, or with that content.
    """
    if len(text) > MAX_KEY:
        raise UnwritableError("a key of more than 200 characters")
    return line(text, flow=True)


def has_surrogate(text: str) -> bool:
    """Whether YAML cannot write `text` at all, since it holds a lone surrogate."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def line(text: str, *, flow: bool = False) -> str:
    """`text` as a scalar on one line: plain where no reader could take it for something else, else quoted.

    Args:
        text: any text without lone surrogates.
        flow: it stands in `{…}`, `[…]` or as a key, where more characters mean something.

    Raises:
        UnwritableError: a lone surrogate.
    """
    if _is_plain(text, flow=flow):
        return text
    if has_surrogate(text):
        raise UnwritableError("a lone surrogate")
    if _NOT_QUOTABLE.search(text) is None:
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _is_plain(text: str, *, flow: bool) -> bool:
    if not text or not (text[0].isalpha() or text[0] in "_/($<") or text.startswith("<<"):
        return False
    if text.lower() in _WORDS or (_NOT_PLAIN_IN_FLOW if flow else _NOT_PLAIN).search(text):
        return False
    return _NOT_QUOTABLE.search(text) is None and not has_surrogate(text)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    short = _SHORT.get(char)
    if short is not None:
        return short
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"


def block(text: str, indent: int) -> str:
    """A text of several lines: a literal block, or a quoted one line by line where it holds odd characters.

    Args:
        text: holds at least one newline and no lone surrogate.
        indent: blanks before each line of the content.

    Raises:
        UnwritableError: a lone surrogate.
    """
    if has_surrogate(text):
        raise UnwritableError("a lone surrogate")
    body = text.rstrip("\n")
    if not body.strip(" \t\n") or _NOT_LITERAL.search(text) is not None:
        return _quoted_lines(text, indent)
    tail = len(text) - len(body)
    chomp = ("-", "")[tail] if tail < 2 else "+"
    indicator = "2" if text[0] in " \t\n" else ""
    pad = " " * indent
    lines = [pad + part if part else "" for part in body.split("\n")]
    return "\n".join([f"|{indicator}{chomp}", *lines, *[""] * (tail - 1)])


def _quoted_lines(text: str, indent: int) -> str:
    pieces = [_ESCAPED.sub(_escape, piece) for piece in text.split("\n")]
    glue = "\\n\\\n" + " " * indent
    first, *rest = pieces
    return (
        '"'
        + glue.join([first, *(("\\" + piece) if piece.startswith(" ") else piece for piece in rest)])
        + '"'
    )
