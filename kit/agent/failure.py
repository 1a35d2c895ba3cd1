"""A recorded exception of a tool, raised again in replay so that the agent's `except` still catches it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from typing import Any


class RecordedFailure(Exception):
    """A recorded exception whose class is not known here."""


def recreate(failure: str, names: Mapping[str, Any]) -> Exception:
    """Build the exception that a recording names.

    Args:
        failure: `ExceptionName: text`.
        names: where the tool's own exception classes are looked up, its module's globals.
    """
    name, _, text = failure.partition(": ")
    found = names.get(name, getattr(builtins, name, None))
    if isinstance(found, type) and issubclass(found, Exception):
        return _built(found, text)
    unknown: type[Exception] = type(name or "RecordedFailure", (RecordedFailure,), {})
    return unknown(text)


def _built(kind: type[Exception], text: str) -> Exception:
    if issubclass(kind, KeyError):
        # A KeyError shows the repr of its key; given back as it is shown it would be quoted twice.
        try:
            return kind(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return kind(text)
    # Not `kind(text)`: an exception may want other arguments, but its `args` are set before its own __init__.
    made = kind.__new__(kind, text)
    if str(made) == text:
        return made
    spoken = {"__str__": lambda _: text, "__init__": lambda _: None}
    subclass: type[Exception] = type(kind.__name__, (kind,), spoken)
    return subclass()
