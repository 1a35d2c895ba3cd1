"""From what a scenario says to what the recording injects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kit.cassette.interaction import Headers, HttpResponse
from kit.recording.faults import Fault
from kit.scenario.faults import Fault as Written

_CLOSED = HttpResponse(0, failure="RemoteProtocolError: Server disconnected without sending a response.")


def planned(faults: Iterable[Written]) -> tuple[Fault, ...]:
    """The faults of a scenario, in its order, as a session injects them."""
    return tuple(_planned(fault) for fault in faults)


def _planned(fault: Written) -> Fault:
    answer = None
    if fault.status is not None:
        answer = _answer(fault.status, fault.headers, fault.body)
    elif fault.close:
        answer = _CLOSED
    return Fault(
        on=fault.on,
        what=str(fault),
        tool=fault.tool,
        nth=None if fault.nth == "every" else fault.nth,
        answer=answer,
        raises=fault.raised,
        is_timeout=fault.timeout is True,
        damage="garble" if fault.garble else None if fault.cut is None else "cut",
        at=fault.cut if isinstance(fault.cut, int) else None,
        delay_ms=fault.delay_ms,
    )


def _answer(status: int, headers: Mapping[str, str], body: Any) -> HttpResponse:
    """An answer of a server that has its own troubles; without a body, as OpenAI words one."""
    if body is None:
        error = {"message": f"the scenario injects status {status}", "type": "injected_fault", "code": status}
        body = {"error": error}
    is_json = not isinstance(body, str)
    pairs: Headers = tuple((name.lower(), value) for name, value in headers.items())
    if "content-type" not in dict(pairs):
        pairs = (("content-type", "application/json" if is_json else "text/plain; charset=utf-8"), *pairs)
    text = json.dumps(body, ensure_ascii=False) if is_json else body
    return HttpResponse(status, pairs, text.encode())
