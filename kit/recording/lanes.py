"""Which lane an HTTP request belongs to: a call of a model, or other traffic."""

from __future__ import annotations

from collections.abc import Sequence

from kit.cassette.interaction import HttpRequest, Lane


def lane_of(request: HttpRequest, content_type: str, model_urls: Sequence[str]) -> Lane:
    """The lane of a request.

    Args:
        request: as it is recorded.
        content_type: of the answer, empty where there is none.
        model_urls: base URLs whose traffic is of lane `model` even if no dialect knows it.
    """
    if any(request.url.startswith(base) for base in model_urls):
        return "model"
    # Replay knows the lanes; it need not load the dialects.
    from kit.wire.registry import recognise

    known = recognise(request.method, request.url, request.body, content_type)
    return "other" if known is None else "model"
