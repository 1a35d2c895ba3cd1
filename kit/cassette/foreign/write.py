"""A cassette's exchanges in vcrpy's YAML, so that vcrpy loads and replays them."""

from __future__ import annotations

import http
from collections.abc import Iterable
from typing import Any

import yaml

from kit.cassette.foreign.exchange import Exchange

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_VERSION = 1


def write_vcr(exchanges: Iterable[Exchange]) -> str:
    """The text of a vcrpy cassette, version 1.

    A body that is text stands as text, any other as `!!binary`; vcrpy gives the same bytes for both.

    Args:
        exchanges: each with a status: the layout has no place for an exchange without an answer.
    """
    tree = {"interactions": [_interaction(one) for one in exchanges], "version": _VERSION}
    text: str = yaml.dump(tree, Dumper=_DUMPER)
    return text


def _interaction(one: Exchange) -> dict[str, Any]:
    return {
        "request": {
            "body": _body(one.request) if one.request else "",
            "headers": _headers(one.request_headers),
            "method": one.method,
            "uri": one.url,
        },
        "response": {
            "body": {"string": _body(one.answer)},
            "headers": _headers(one.answer_headers),
            "status": {"code": one.status, "message": _reason(one.status)},
        },
    }


def _body(content: bytes) -> str | bytes:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content


def _headers(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for name, value in pairs:
        headers.setdefault(name, []).append(value)
    return headers


def _reason(status: int | None) -> str:
    try:
        return http.HTTPStatus(status or 0).phrase
    except ValueError:
        return ""
