"""A request that differs from a recorded one only where a mask stands: replay needs no real secret.

The recording masks what it learnt late, and what its environment named, in every place; a replay cannot know
these words, holds other keys, or none. On a miss the recorded requests are read once more, and where a mask
stands any one word may stand in the request, the same for the same mask.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kit.cassette.interaction import HttpRequest, Interaction, ToolRequest
from kit.cassette.normal import VOLATILE_IDS
from kit.redaction.rule import MASK, is_telling

if TYPE_CHECKING:
    from kit.redaction.redactor import Redactor

_HINT = "<secret-"
_WORD = r"(-----BEGIN .{1,65536}?-----END [^-]{1,64}-----|\S{0,4096}?)"
_MOST_MASKS = 64


def judge_of(
    request: HttpRequest | ToolRequest, redactor: Redactor
) -> Callable[[Interaction], dict[str, int] | None]:
    """What judges recorded interactions: the secrets behind their masks, or None where more differs.

    Args:
        request: as it would be recorded.
        redactor: the session's.
    """
    asked = _parts(request)

    def judge(item: Interaction) -> dict[str, int] | None:
        if type(item.request) is not type(request):
            return None
        compared = _Compared(redactor)
        if not compared.is_same(_parts(item.request), asked) or not compared.by_mask:
            return None
        return compared.numbers()

    return judge


class _Compared:
    """One comparison: what stands behind each mask so far."""

    def __init__(self, redactor: Redactor) -> None:
        self.by_mask: dict[str, str] = {}
        self._redactor = redactor
        self._ids: dict[str, str] = {}

    def numbers(self) -> dict[str, int] | None:
        """Number of each secret that is worth remembering; None if one word stands behind two masks."""
        found: dict[str, int] = {}
        for mask, word in self.by_mask.items():
            number = int(mask[8:-1])
            if is_telling(word) and found.setdefault(word, number) != number:
                return None
        return found

    def is_same(self, recorded: Any, asked: Any) -> bool:
        if isinstance(recorded, str):
            return self._is_same_text(recorded, asked)
        if isinstance(recorded, dict):
            return (
                isinstance(asked, dict)
                and recorded.keys() == asked.keys()
                and all(self._is_same_field(name, recorded[name], asked[name]) for name in recorded)
            )
        if isinstance(recorded, list):
            return (
                isinstance(asked, list)
                and len(recorded) == len(asked)
                and all(map(self.is_same, recorded, asked))
            )
        return type(recorded) is type(asked) and bool(recorded == asked)

    def _is_same_field(self, name: str, recorded: Any, asked: Any) -> bool:
        if name in VOLATILE_IDS and isinstance(recorded, str) and isinstance(asked, str):
            return self._ids.setdefault(recorded, asked) == asked
        return self.is_same(recorded, asked)

    def _is_same_text(self, recorded: str, asked: Any) -> bool:
        if _HINT not in recorded:
            return isinstance(asked, str) and recorded == asked
        if isinstance(asked, int | float) and MASK.fullmatch(recorded):
            return self._stands_behind(recorded, str(asked))
        if not isinstance(asked, str):
            return False
        masks = MASK.findall(recorded)
        first, *rest = map(re.escape, MASK.split(recorded))
        if len(masks) > _MOST_MASKS:
            return recorded == asked
        # What each word was is settled where the text behind it is met: a miss must not try all combinations.
        settled = "".join(f"(?>{_WORD}{literal})" for literal in rest[:-1])
        found = re.fullmatch(f"{first}{settled}{_WORD}{rest[-1]}", asked, re.DOTALL)
        return found is not None and all(map(self._stands_behind, masks, found.groups()))

    def _stands_behind(self, mask: str, word: str) -> bool:
        if MASK.fullmatch(word):
            if word == mask:
                return True
            word = self._redactor.behind(word) or word
        if _HINT in word:
            return False
        return self.by_mask.setdefault(mask, word) == word


def _parts(request: HttpRequest | ToolRequest) -> list[Any]:
    """What counts in a request, as JSON values; the host is an alias (decision 4)."""
    if isinstance(request, ToolRequest):
        return [request.name, request.arguments]
    parts = urlsplit(request.url)
    return [request.method, parts.path, parts.query, _value(request.body)]


def _value(body: bytes) -> Any:
    text = body.decode("utf-8", "surrogateescape")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
