"""The key of a request that a file shows as values: news of a conversation, at the cost of the news."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from kit.cassette.body import encode
from kit.cassette.conversation import Chain
from kit.cassette.exact_json import loads_exact
from kit.cassette.normal import Message, Normaliser, blake, joined

_NO_MARKS = orjson.OPT_PASSTHROUGH_DATACLASS
"""Numbers that Python cannot hold are marks, which orjson would write as the objects they are."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A request that others may continue: its key, and what is needed to go on from it without its body.

    Attributes:
        key: what the request is matched by.
        list_name: body field that holds the messages.
        head: digest of method, path and query.
        parameters: digest of each other top-level field.
        chain: running digest over the messages.
        joined: digest over all parameters.
    """

    key: bytes
    list_name: str
    head: bytes
    parameters: Mapping[str, bytes]
    chain: Chain
    joined: bytes


def fold(head: bytes, list_name: str, parameters: Mapping[str, bytes], chain: Chain, joined: bytes) -> Fold:
    """A request as others may continue it; `joined` is the digest over all parameters."""
    key = key_of(head, list_name, joined, chain.messages.digest())
    return Fold(key, list_name, head, parameters, chain, joined)


def key_of(head: bytes, list_name: str, parameters: bytes, messages: bytes) -> bytes:
    """The key of a request from the digests of its parts."""
    return blake(b"\0".join((head, list_name.encode(), parameters, messages)))


def opened_as(
    normal: Normaliser, head: bytes, list_name: str, messages: Sequence[Any], rest: Mapping[str, Any]
) -> Fold | None:
    """A request written whole, from the values of its body; None where only its bytes can tell its key.

    Args:
        normal: remembers what it has seen.
        head: digest of method, path and query.
        list_name: the field of the body that holds its messages.
        messages: as `body.parse` reads them.
        rest: the other fields.
    """
    try:
        parameters = normal.parameters(orjson.dumps(rest, option=_NO_MARKS))
    except (orjson.JSONEncodeError, RecursionError):
        return None
    if parameters.odd:
        return None
    chain = Chain.empty().grown([_message(normal, list_name, message) for message in messages])
    return fold(head, list_name, parameters.by_name, chain, parameters.record)


def folded(normal: Normaliser, parent: Fold, new: Sequence[Any], changed: Mapping[str, bytes | None]) -> Fold:
    """A request that repeats `parent` with further messages and other parameters; see `Keyer.folded`."""
    parameters: Mapping[str, bytes] = parent.parameters
    if changed:
        found = {name: text and normal.parameter(name, loads_exact(text)) for name, text in changed.items()}
        merged = {**parameters, **found}
        parameters = {name: record for name, record in merged.items() if record}
    news = [_message(normal, parent.list_name, message) for message in new]
    chain = parent.chain.grown(news)
    if parameters is parent.parameters:
        return fold(parent.head, parent.list_name, parameters, chain, parent.joined)
    return fold(parent.head, parent.list_name, parameters, chain, joined(parameters))


def _message(normal: Normaliser, place: str, value: Any) -> Message:
    """One message from its value, by way of orjson unless it would spell a number otherwise."""
    try:
        message = normal.message(place, orjson.dumps(value, option=_NO_MARKS), value)
    except (orjson.JSONEncodeError, RecursionError):
        message = None
    if message is None or message.odd:
        return normal.exact_message(place, loads_exact(encode(value).encode("utf-8")))
    return message
