"""The tags of format v1: values of a cassette that stand for something else than themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A JSON number whose text is not what Python writes for it (`1e5`, `-0`, `1.10`, `NaN`)."""

    text: str


@dataclass(frozen=True, slots=True)
class Args:
    """JSON text inside JSON (the arguments of a tool call), shown as YAML; `style` as in `body.encode`."""

    style: str
    value: Any


@dataclass(frozen=True, slots=True)
class IdRef:
    """An id that a server made up, shown by its name in the table of ids (`call-1`)."""

    name: str


@dataclass(frozen=True, slots=True)
class AnswerRef:
    """A message that is one of an earlier answer: number of that call, and which of several."""

    call: int
    item: int = 0


@dataclass(frozen=True, slots=True)
class ResultRef:
    """A text of a request that is the result of an earlier tool call; `style` where the result is no text."""

    call: int
    style: str = ""


@dataclass(frozen=True, slots=True)
class JsonText:
    """A value shown as its JSON text, since YAML cannot write it (lone surrogates) or not well."""

    text: str


@dataclass(frozen=True, slots=True)
class RawText:
    """A body shown as the text it is."""

    text: str


@dataclass(frozen=True, slots=True)
class RawBytes:
    """A body that is no text, shown in base64."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Media:
    """Content that stands in a file beside the cassette: a body, or with a `style` the base64 of a text.

    Attributes:
        name: of the file, its digest and kind.
        style: empty for bytes, `base64` or `base64url`.
        prefix: what stands before the base64, `data:image/png;base64,`.
    """

    name: str
    style: str = ""
    prefix: str = ""


class Restored(dict[str, Any]):
    """A mapping of a file in which ids and arguments are in their places and no other tag stands."""

    __slots__ = ()


class RestoredList(list[Any]):
    """The same of a list."""

    __slots__ = ()


class UnwritableError(ValueError):
    """This form cannot hold the value; the writer steps down to the next one (decision 8)."""
