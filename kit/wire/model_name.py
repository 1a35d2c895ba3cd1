"""Whether the model that answered is the one that was asked for (decision 7)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
_YEAR = r"20[2-9][0-9]"
_DATE = re.compile(
    rf"(?:-{_YEAR}-{_MONTH}(?:-{_DAY})?|-{_YEAR}{_MONTH}{_DAY}|-{_MONTH}-{_YEAR}"
    rf"|-{_MONTH}{_DAY}|-2[3-9]{_MONTH}|(?<=preview)-{_MONTH}-{_DAY})\Z"
)
"""`-2024-08-06`, `-20250929`, `-08-2024`, `-0613` (month, day), `-2411` (year, month); not `-4-5`."""
_LATEST = ("-latest", ":latest")


def is_same_model(asked: str, answered: str, aliases: Mapping[str, Collection[str]] | None = None) -> bool:
    """Whether an answer as `answered` honours a request for `asked`.

    Equal after removing a provider prefix (`openai/`), a date suffix or `-latest`; else by declared alias.
    Two different dates or two different providers are two models, and so are `gpt-4o` and `gpt-4o-mini`.

    Args:
        asked: the tag in the request.
        answered: the tag in the answer.
        aliases: model asked → names under which it may answer (`[tool.kit.aliases]`).
    """
    if asked == answered or answered in (aliases or {}).get(asked, ()):
        return True
    asked_base, asked_suffix = _split_suffix(asked)
    answered_base, answered_suffix = _split_suffix(answered)
    if asked_suffix and answered_suffix and asked_suffix != answered_suffix:
        return False
    return _is_same_path(asked_base.split("/"), answered_base.split("/"))


def base_name(model: str) -> str:
    """A tag without provider prefix, date suffix and `-latest`: what a price table knows a model by."""
    return _split_suffix(model)[0].rpartition("/")[2]


def _split_suffix(model: str) -> tuple[str, str]:
    """A tag and its date, empty where it has none; `latest` is no date."""
    for latest in _LATEST:
        model = model.removesuffix(latest)
    found = _DATE.search(model)
    return (model[: found.start()], found.group()) if found else (model, "")


def _is_same_path(one: list[str], other: list[str]) -> bool:
    """Whether one name is the other with more of a prefix in front."""
    shared = min(len(one), len(other))
    return bool(one[-1]) and one[-shared:] == other[-shared:]
