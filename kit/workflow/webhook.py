"""Tell a chat of a report: one POST to the address that an environment variable holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from kit.errors import EnvironmentFault, UsageError

URL = "KIT_WEBHOOK_URL"
BODY = "KIT_WEBHOOK_BODY"
SLOT = "{text}"
_DEFAULT = '{"text": "{text}"}'  # Slack, Mattermost, Rocket.Chat, Google Chat
_TIMEOUT_S = 20


def send(text: str, environ: Mapping[str, str]) -> str:
    """Post a message as JSON; returns the host it went to, since the address itself is a secret.

    Args:
        text: the message.
        environ: holds `KIT_WEBHOOK_URL`, and `KIT_WEBHOOK_BODY` where the receiver wants another body.

    Raises:
        UsageError: no address is set, or the body is no JSON with a place for the text.
        EnvironmentFault: the receiver does not answer, or refuses.
    """
    url = environ.get(URL, "").strip()
    host = urlsplit(url).hostname
    if urlsplit(url).scheme not in {"http", "https"} or host is None:
        raise UsageError(
            f"{URL} holds no http address",
            next_command=f"{URL}=https://… kit report --send; see docs/ci.md",
        )
    body = _body(environ.get(BODY) or _DEFAULT, text)
    import httpx

    try:
        answer = httpx.post(url, json=body, timeout=_TIMEOUT_S, follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # The error may quote the address, and the address may hold a token.
        raise EnvironmentFault(f"the webhook cannot be reached: {type(error).__name__}", where=host) from None
    if not answer.is_success:
        said = " ".join(answer.text.split())[:200].replace(url, URL)
        raise EnvironmentFault(f"the webhook answered {answer.status_code}: {said}", where=host)
    return host


def _body(template: str, text: str) -> Any:
    wanted = f"{BODY}='{_DEFAULT}'"
    try:
        value = json.loads(template)
    except ValueError as error:
        raise UsageError(f"is no JSON: {error}", where=BODY, next_command=wanted) from error
    if SLOT not in template:
        raise UsageError(f"has no place for the message, {SLOT}", where=BODY, next_command=wanted)
    return _filled(value, text)


def _filled(value: Any, text: str) -> Any:
    """The template with the text in its place: put in after parsing, so that no text can break out of it."""
    if isinstance(value, str):
        return value.replace(SLOT, text)
    if isinstance(value, list):
        return [_filled(one, text) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, text) for key, one in value.items()}
    return value
