"""The one way in for every stub: from a client's request to a session's ticket."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kit.recording import context
from kit.recording.guard.passing import BEHIND_TOOL, is_passing
from kit.recording.guard.stray import refuse
from kit.recording.tickets import HttpTicket

Pairs = Callable[[], Iterable[tuple[str, str]]]
"""Gives a request's headers, lazily at best: replay does not look at them."""


def is_open() -> bool:
    """Whether a request made right now may be one of a run; quick, since every request asks.

    False inside another stub's real call, which would be recorded twice, and inside a recorded tool.
    """
    return bool(context.in_force()) and not is_passing()


def is_replay() -> bool:
    """Whether what the running code asks for is served from a recording; only where `is_open`."""
    session = context.likely()
    return session is not None and session.mode == "replay" and not BEHIND_TOOL.get()


def begin(
    method: str,
    url: str,
    headers: Pairs,
    body: bytes,
    content_type: str = "",
    patience_ms: int | None = None,
) -> HttpTicket | None:
    """Asks the session that the running code belongs to; see `Session.begin_http`.

    Returns:
        None where there is no session, or where a recorded tool hides what it does: make the real call.

    Raises:
        Miss: replay, and it was never recorded.
        Escape: several sessions are in force and nothing says which one this belongs to.
        SideEffect: the replay that it belongs to is over.
    """
    session = context.current() or context.responsible(f"{method} {url}")
    if session is None or BEHIND_TOOL.get():
        return None
    if session not in context.in_force():
        if session.mode == "replay":
            refuse(session.options.name, f"ask {method} {url}")
        return None
    ticket = session.begin_http(method, url, headers(), body, content_type, patience_ms)
    if ticket.recorded is None:
        session.went_live()
    return ticket


def plain_pairs(headers: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    """The headers of a mapping, whatever a client put into it: texts, bytes, numbers."""
    for name, value in headers.items():
        yield _text(name), _text(value)


def content_type_of(headers: Mapping[Any, Any]) -> str:
    """The content type among a request's headers, empty without one."""
    return next((value for name, value in plain_pairs(headers) if name.lower() == "content-type"), "")


def absolute(scheme: str, host: str, port: int | None, target: str) -> str:
    """The address behind a request target such as `/v1/models`; one that is absolute stays as it is."""
    if "://" in target.partition("?")[0]:
        return target
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    default = {"http": 80, "https": 443}.get(scheme)
    return f"{scheme}://{shown}{'' if port in {None, default} else f':{port}'}{target}"


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
