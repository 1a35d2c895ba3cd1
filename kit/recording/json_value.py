"""Takes the arguments and results of tools as JSON values, or says why it cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kit.errors import UsageError


def to_json_value(value: Any, where: str) -> Any:
    """A copy of `value` made of plain dict, list, str, int, float, bool and None; a tuple becomes a list.

    Args:
        value: what the tool got or gave.
        where: what it is, for the message, e.g. `the result of tool fs_read`.

    Raises:
        UsageError: it is no JSON value: it could not be recorded and given back unchanged.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        raise _refused(f"{where} is {value}", "JSON knows no infinity and no NaN")
    if isinstance(value, list | tuple):
        return [to_json_value(item, f"{where}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {_name(name, where): to_json_value(item, f"{where}.{name}") for name, item in value.items()}
    kind = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
    raise _refused(f"{where} is a {kind}", "a recorded tool takes and returns JSON values only")


def _name(name: Any, where: str) -> str:
    if isinstance(name, str):
        return str.__str__(name)
    raise _refused(f"{where} has the key {name!r}", "the keys of a JSON object are strings")


def _refused(what: str, why: str) -> UsageError:
    return UsageError(what, why=f"{why}; convert it before it crosses the boundary of kit.tool")
