"""The volatile block: one line per call, in the JSON that is YAML too, so that reading it costs little.

Nobody reviews these lines. A block that somebody reformatted is still read, as the YAML that it is.
"""

from __future__ import annotations

import re
from typing import Any

from kit.cassette import body, scalar
from kit.cassette.marks import UnwritableError
from kit.cassette.yamlevents import Fields

_SPACED = "spaced"
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_LINE = re.compile(r"  ([0-9A-Za-z-]+): (\{.*\}|'[0-9a-f]*')\Z")


def line(name: str, value: dict[str, Any]) -> str:
    """One line of the volatile block.

    Raises:
        UnwritableError: a YAML reader would choke on it.
    """
    _check(value)
    text = body.encode(value, _SPACED)
    if not text.isascii():
        text = _ODD.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
    return f"  {name}: {text}"


def _check(value: Any) -> None:
    if isinstance(value, dict):
        for name, child in value.items():
            scalar.key(name)
            _check(child)
    elif isinstance(value, list):
        for item in value:
            _check(item)
    elif isinstance(value, str) and scalar.has_surrogate(value):
        raise UnwritableError("a lone surrogate")


def read(text: str, first_line: int) -> Fields | None:
    """The lines of a volatile block, or None where they are not as `line` writes them.

    Args:
        text: what follows `volatile:`.
        first_line: number of that line in the file.
    """
    fields = Fields(first_line)
    for number, content in enumerate(text.split("\n"), first_line + 1):
        found = _LINE.match(content)
        if found is None:
            if content:
                return None
            continue
        name, value = found.groups()
        if name in fields:
            return None
        try:
            fields[name] = _lined(value, number) if value[0] == "{" else value[1:-1]
        except ValueError:
            return None
        fields.lines[name] = number
    return fields


def _lined(text: str, number: int) -> Fields:
    fields = Fields(number)
    fields.update(body.parse(text))
    fields.lines = dict.fromkeys(fields, number)
    return fields
