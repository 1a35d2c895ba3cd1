"""Messages of JSON-RPC in a stream (MCP over HTTP): they do not add up, so each is shown."""

from __future__ import annotations

from typing import Any

from kit.cassette.streams.assembled import Assembled, Place, Places, own

_SEVERAL = "messages"


def recognises(events: list[Any]) -> bool:
    """Whether all of these are messages of JSON-RPC."""
    return all("jsonrpc" in event for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The one message, or the list of several."""
    if len(events) == 1:
        return Assembled(own(events[0]), [{(): Place(())}])
    places: list[Places] = [{(): Place((_SEVERAL, position))} for position in range(len(events))]
    return Assembled({_SEVERAL: own(events)}, places)
