"""Which dialect a request speaks."""

from __future__ import annotations

from kit.wire.dialect import Dialect
from kit.wire.openai_chat import OPENAI_CHAT
from kit.wire.shape import path_of


def recognise(method: str, url: str, request_body: bytes = b"") -> Dialect | None:
    """The dialect of an exchange, None where it is none that kit knows.

    Never raises, whatever the URL. The body may be left out where building it is dear: all but MCP, chats
    at `/invocations`, where models of any kind are served, and what is known by its form are known by
    method and path; a path that may be anybody's (`/messages`) then counts.
    """
    path = path_of(url)
    if not path:
        return None
    if OPENAI_CHAT.recognises(method, path, request_body):
        return OPENAI_CHAT
    # Most runs speak the first dialect alone: replay need not load the others.
    from kit.wire.dialects import DIALECTS

    for dialect in DIALECTS:
        if dialect.recognises(method, path, request_body):
            return dialect
    return None
