"""YAML as `baselines/` has it: one value a line, long text as it reads, the same bytes each time."""

from __future__ import annotations

import re
from typing import Any

import yaml

_ONE_LINE = 1 << 30
_STR = "tag:yaml.org,2002:str"
_BREAKS = re.compile("[\r\x85\u2028\u2029\ufeff]")
"""Line ends to some, text to others, and the mark of a byte order: only an escape comes back as it was."""


def dump(values: dict[str, Any]) -> str:
    """The text of a mapping, keys in their order."""
    return yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_ONE_LINE)


class _Dumper(yaml.SafeDumper):
    """Quotes what begins like a number: PyYAML's YAML 1.1 and the reader's core schema differ over `1e5`."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the same value twice is written out twice
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "'" if text[:1] in set("+-.0123456789") else None
    if _BREAKS.search(text):
        style = '"'
    elif "\n" in text.strip("\n"):
        style = "|"  # the emitter quotes it all the same where a literal block could not hold it
    return dumper.represent_scalar(_STR, text, style=style)


_Dumper.add_representer(str, _text)
