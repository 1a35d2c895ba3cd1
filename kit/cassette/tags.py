"""What a scalar of a cassette stands for, whoever read it: plain words, numbers, the tags of format v1."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from typing import Any

from kit.cassette import body, scalar
from kit.cassette.marks import AnswerRef, IdRef, JsonNumber, RawBytes, RawText, ResultRef

ARGS = "!args"
KNOWN = "!args !id !answer !result !json !text !base64 !media"
CONSTANTS: dict[str, Any] = {"null": None, "true": True, "false": False, "": None}
CONSTANTS |= {name: JsonNumber(name) for name in ("NaN", "Infinity", "-Infinity")}
"""Plain words that are no texts."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})\Z")
_FEW_DIGITS = 18
_SIMPLE = {"!id": IdRef, "!text": RawText}


class UnknownTagError(LookupError):
    """No tag of format v1, or one with a style that JSON does not have."""


def plain(text: str) -> Any:
    """The value of a plain scalar: one of JSON's words and numbers, else the text that it is."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if len(text) <= _FEW_DIGITS and text.isdecimal() and text.isascii() and text[0] != "0":
        return int(text)
    if text[0] in "-0123456789" and scalar.NUMBER.match(text):
        return int(text) if _INTEGER.match(text) and text != "-0" else body.parse(text)
    return text


@lru_cache(maxsize=64)
def style_of(tag: str) -> str:
    """The style of JSON that a tag names behind its dot, `spaced` in `!args.spaced`.

    Raises:
        UnknownTagError: there is no such style.
    """
    style = " ".join(tag.split(".")[1:])
    try:
        body.split_style(style)
    except KeyError as error:
        styles = " ".join([*body.SPACINGS, *body.ESCAPINGS])
        raise UnknownTagError(f"{error} is no style of JSON; allowed: {styles}") from None
    return style


def tagged(tag: str, text: str) -> Any:
    """The value of a scalar with a tag.

    Raises:
        ValueError: the tag cannot have that value.
        UnknownTagError: there is no such tag, or no such style.
    """
    if tag in _SIMPLE:
        return _SIMPLE[tag](text)
    if tag == "!answer":
        return AnswerRef(*map(int, text.split(".", 1)))
    if tag == "!result" or tag.startswith("!result."):
        return ResultRef(int(text), style_of(tag))
    if tag == "!json":
        return body.parse(text)
    if tag == "!base64":
        return RawBytes(base64.b64decode(text, validate=True))
    if tag == "!media" or tag.startswith("!media."):
        from kit.cassette import media  # most cassettes have none

        return media.read(tag, text)
    raise UnknownTagError(f"the tag {tag} is unknown; allowed: {KNOWN}")
