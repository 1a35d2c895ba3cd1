"""The order of keys of a message that an agent sends back: same meaning, other bytes.

Most clients rebuild an answer's message with their own order of keys before they send it back. The order of
one agent does not change, so it is kept once in the volatile block, and the message stays a reference.
"""

from __future__ import annotations

import json
from typing import Any

from kit.cassette.marks import JsonNumber

Order = list[Any]
"""Names of keys; `{name: order}` where the value has keys of its own."""


def order_of(value: Any) -> Order:
    """The order of keys in a value, nested; the items of a list share the order of the one with most keys."""
    if isinstance(value, list):
        return max((order_of(item) for item in value), key=len, default=[])
    if not isinstance(value, dict):
        return []
    return [{name: inner} if (inner := order_of(child)) else name for name, child in value.items()]


def reorder(value: Any, order: Order) -> Any:
    """A value with its keys in an order of `order_of`.

    Raises:
        ValueError: the order does not name a key of the value, or is none.
    """
    if isinstance(value, list):
        return [reorder(item, order) for item in value]
    if not isinstance(value, dict):
        return value
    inner: dict[str, Order] = {}
    for name in order:
        if isinstance(name, str):
            inner[name] = []
        elif isinstance(name, dict) and len(name) == 1:
            inner.update(name)
        else:
            raise ValueError(f"{name!r} is no key")
    if not value.keys() <= inner.keys():
        raise ValueError("an order that does not name all keys")
    return {name: reorder(value[name], below) for name, below in inner.items() if name in value}


def orderless(value: Any) -> str:
    """A text that is equal for values that differ in the order of keys only."""
    return json.dumps(value, sort_keys=True, default=_number)


def _number(value: Any) -> Any:
    if isinstance(value, JsonNumber):
        return {"\0": value.text}
    raise TypeError(f"{type(value).__name__} is no JSON value")
