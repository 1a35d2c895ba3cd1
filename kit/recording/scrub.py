"""A request as it is recorded and matched: no path of this machine, no secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.paths import PathMap

if TYPE_CHECKING:
    from kit.redaction.redactor import Redactor


def scrubbed_request(
    redactor: Redactor,
    paths: PathMap,
    method: str,
    url: str,
    headers: Iterable[tuple[str, str]],
    body: bytes,
    content_type: str,
) -> HttpRequest:
    """The request without what must not be recorded.

    Args:
        redactor: the session's.
        paths: the session's.
        method: upper case.
        url: absolute.
        headers: as sent.
        body: after content-decoding.
        content_type: of the request.
    """
    pairs = list(headers)
    redactor.overhear(pairs)
    return HttpRequest(
        method,
        redactor.url(paths.hide_value(url)),
        redactor.headers(pairs),
        redactor.body(paths.hide(body), content_type),
    )


def reserve_masks(served: Interaction, redactor: Redactor) -> None:
    """Masks in an answer count like the secrets they stand for: fresh ones are numbered on."""
    response = served.response
    redactor.reserve(response.body if isinstance(response, HttpResponse) else repr(response))
    if isinstance(response, HttpResponse):
        for _, value in response.headers:
            redactor.reserve(value)
