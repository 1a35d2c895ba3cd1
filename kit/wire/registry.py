"""Which dialect a request speaks; the list is explicit, a new dialect is one module and one line here."""

from __future__ import annotations

from urllib.parse import urlsplit

from kit.wire.dialect import Dialect
from kit.wire.openai_chat import OPENAI_CHAT

DIALECTS: tuple[Dialect, ...] = (OPENAI_CHAT,)
"""Asked in this order; the first that recognises a request reads it."""


def recognise(
    method: str,
    url: str,
    request_body: bytes = b"",
    response_content_type: str = "",  # noqa: ARG001 - tells binary event streams apart, once such a dialect is here
) -> Dialect | None:
    """The dialect of a model call, None where the request is no model call that kit knows.

    Never raises, whatever the URL. The body may be left out where building it is dear: today's dialects are
    known by method and path.
    """
    try:
        path = urlsplit(url).path
    except ValueError:
        return None
    for dialect in DIALECTS:
        if dialect.recognises(method, path, request_body):
            return dialect
    return None
