"""Where secrets stand in a text, through any number of encodings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

_JSON_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_FORM_UNIT = re.compile(r"(?:%[0-9a-fA-F]{2})+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """A secret at `[start, end)` of a text.

    Attributes:
        start: first place.
        end: behind the last place.
        secret: the secret as its owner would write it, whatever the encoding around.
        around: what encloses the mask; a number needs quotes, escaped as deep as it stands.
        is_rest: a further piece of a secret that lies in fragments; only the first piece gets the mask.
    """

    start: int
    end: int
    secret: str
    around: str = ""
    is_rest: bool = False


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap united; the longest says what the secret is."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda item: (item.start, -item.end)):
        if not result or span.start >= result[-1].end:
            result.append(span)
        elif span.end > result[-1].end:
            last = result[-1]
            longest = max(last, span, key=lambda item: item.end - item.start)
            result[-1] = replace(longest, start=last.start, end=span.end)
    return result


def replaced(text: str, spans: Sequence[Span], mask: Callable[[str], str]) -> str:
    """The text with each span (in order, none overlapping) replaced by its mask."""
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces.append(text[done : span.start])
        pieces.append("" if span.is_rest else span.around + mask(span.secret) + span.around)
        done = span.end
    return "".join(pieces) + text[done:]


def json_decoded(raw: str) -> str:
    """What the inside of a JSON string says; text with invalid escapes is taken as it stands."""
    if "\\" not in raw:
        return raw
    try:
        return str(json.loads(f'"{raw}"', strict=False))
    except ValueError:
        return raw


def json_places(raw: str, text: str) -> Sequence[int] | None:
    """The raw place of each sign of what `json_decoded` gave, and of its end; None: the same places."""
    if raw == text:
        return None
    places = [unit.start() for unit in _JSON_UNIT.finditer(raw)]
    places.append(len(raw))
    return places


def form_decoded(raw: str) -> tuple[str, Sequence[int]]:
    """What a percent-encoded value says, and the raw place of each sign."""
    signs: list[str] = []
    places: list[int] = []
    for unit in _FORM_UNIT.finditer(raw):
        piece, place = unit[0], unit.start()
        if piece[0] != "%" or len(piece) < 3:
            signs.append(" " if piece == "+" else piece)
            places.append(place)
            continue
        for sign in bytes.fromhex(piece.replace("%", "")).decode("utf-8", "surrogateescape"):
            signs.append(sign)
            places.append(place)
            place += 3 * len(sign.encode("utf-8", "surrogateescape"))
    places.append(len(raw))
    return "".join(signs), places


def moved(
    spans: Iterable[Span], offset: int, places: Sequence[int] | None, *, escaped: bool = False
) -> list[Span]:
    """Spans of a decoded piece as spans of the text it was decoded from, where it begins at `offset`."""
    result = []
    for span in spans:
        start, end = (span.start, span.end) if places is None else (places[span.start], places[span.end])
        around = json.dumps(span.around)[1:-1] if escaped and span.around else span.around
        result.append(replace(span, start=start + offset, end=end + offset, around=around))
    return result
