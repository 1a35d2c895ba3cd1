"""What frameworks hand to tools and get from them, as JSON values and back.

An object of the framework's own (a message, an image, a tool's result with extra content) is recorded with
the name of its class, so that replay gives the same kind of object back. Any other object is recorded as the
JSON that pydantic makes of it, and the agent gets that JSON in both modes.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from kit.errors import UsageError

TYPE = "kit:type"
VALUE = "kit:value"
_PLAIN = (str, bool, int, float)
"""Exactly these: a member of an enumeration is recorded as its value, and the agent gets that value."""


def pack(value: Any, packages: tuple[str, ...], where: str) -> Any:
    """The JSON value that stands for `value`.

    Args:
        value: an argument or a result.
        packages: top-level packages whose objects are recorded with their class.
        where: what it is, for the message.

    Raises:
        UsageError: nothing makes JSON of it.
    """
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {str(name): pack(item, packages, f"{where}.{name}") for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [pack(item, packages, f"{where}[{index}]") for index, item in enumerate(value)]
    return _packed_object(value, packages, where)


def unpack(value: Any, packages: tuple[str, ...]) -> Any:
    """The inverse of `pack`: the framework's own objects are made anew.

    Raises:
        UsageError: the installed framework no longer has such a class, or it takes other values.
    """
    if isinstance(value, list):
        return [unpack(item, packages) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() != {TYPE, VALUE}:
        return {name: unpack(item, packages) for name, item in value.items()}
    return _made(value[TYPE], value[VALUE], packages)


def _packed_object(value: Any, packages: tuple[str, ...], where: str) -> Any:
    import orjson
    from pydantic import TypeAdapter
    from pydantic_core import PydanticSerializationError, to_json

    kind = type(value)
    try:
        if kind.__module__.partition(".")[0] in packages:
            shown = orjson.loads(TypeAdapter(kind).dump_json(value, by_alias=True))
            return {TYPE: f"{kind.__module__}:{kind.__qualname__}", VALUE: shown}
        return orjson.loads(to_json(value, bytes_mode="base64"))
    except PydanticSerializationError as error:
        raise UsageError(
            f"{where} is a {kind.__module__}.{kind.__qualname__}: {error}",
            why="a recorded tool takes and returns what can be written as JSON; convert it in the tool",
        ) from error


def _made(name: str, value: Any, packages: tuple[str, ...]) -> Any:
    import orjson
    from pydantic import TypeAdapter, ValidationError

    module, _, path = name.partition(":")
    if module.partition(".")[0] not in packages:
        raise UsageError(
            f"the recorded result is a {module}.{path}, which is no class of {' or '.join(packages)}",
            next_command="record again",
        )
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
        return TypeAdapter(found).validate_json(orjson.dumps(value))
    except (ImportError, AttributeError, ValidationError) as error:
        raise UsageError(
            f"the recorded result is a {module}.{path}, which cannot be made here: {error}",
            why="the framework was updated since the recording; record again",
        ) from error
