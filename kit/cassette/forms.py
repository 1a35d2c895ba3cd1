"""What goes without saying about a body, from the form in which the file shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.cassette.marks import RawBytes, RawText

JSON_TYPE = "application/json"
EVENTS_TYPE = "text/event-stream"
_CONTINUES = "after"


def request_type(call: Mapping[str, Any]) -> str | None:
    """The content type that a request of this form has unless the call says otherwise."""
    if _CONTINUES in call:
        return JSON_TYPE
    return _json_type(call, "request")


def answer_type(call: Mapping[str, Any], row: Mapping[str, Any]) -> str | None:
    """The content type that an answer of this form has unless the call says otherwise."""
    return EVENTS_TYPE if "stream" in row else _json_type(call, "answer")


def _json_type(call: Mapping[str, Any], name: str) -> str | None:
    return None if name not in call or isinstance(call[name], (RawText, RawBytes)) else JSON_TYPE
