"""What a judge's answer says, read strictly from its first word (S2-23)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kit.oracle.text import normal, plain

Ruling = Literal["accept", "reject", "unparseable"]

_LEAD = re.compile(r"\s*(?:\d+[.)]\s)?[\W_]*")
_WORD = re.compile(r"[^\W_]+")
_ECHO = re.compile(r"\s*[/|]\s*[^\W_]")
_AFTER = " \t\r\n.,;:!*_`\"'»”’)]–—-"
_YES = ("sì", "yes")
_NO = ("no",)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judge's answer, understood.

    Attributes:
        ruling: accept, reject, or unparseable, which never passes.
        reason: what the judge said after its first word; all it said where the answer is unparseable.
        contradictory: the answer accepts first and says the opposite word later on.
    """

    ruling: Ruling
    reason: str
    contradictory: bool = False


def parse_verdict(text: str, accept: str = "Sì") -> JudgeVerdict:
    """Read the verdict off a judge's answer.

    Quotes, markdown and bullets before the first word do not count, nor do case, accents and punctuation. The
    first word is the verdict or there is none: `La risposta è: Sì` and `Sicuramente` are unparseable, and so
    is an echo of the question's own `Sì/No`.

    Args:
        text: the judge's answer.
        accept: the word that accepts; `no` rejects, or `sì` and `yes` where `no` is the word that accepts.
    """
    answer = normal(text)
    start = _end(_LEAD.match(answer))
    word = _WORD.match(answer, start)
    if word is None or _ECHO.match(answer, word.end()):
        return JudgeVerdict("unparseable", answer.strip())
    accepting = plain(accept).strip(_AFTER)
    rejecting = _YES if accepting in map(plain, _NO) else _NO
    reason = answer[word.end() :].lstrip(_AFTER).rstrip()
    if plain(word.group()) == accepting:
        return JudgeVerdict("accept", reason, contradictory=_says_any(reason, rejecting))
    if plain(word.group()) in map(plain, rejecting):
        return JudgeVerdict("reject", reason)
    return JudgeVerdict("unparseable", answer.strip())


def _end(match: re.Match[str] | None) -> int:
    return 0 if match is None else match.end()


def _says_any(text: str, words: tuple[str, ...]) -> bool:
    # Accents count here: the Italian pronoun `si` is in every second sentence and contradicts nothing.
    said = {word.casefold() for word in _WORD.findall(text)}
    return any(word in said for word in words)
