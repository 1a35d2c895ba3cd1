"""The secrets that a session has met: their numbers, and every way in which one may be spelled."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from kit.redaction.rule import is_placeholder, is_secret_field, is_telling, is_token_field
from kit.redaction.shapes import basic_credentials

_PLAIN = re.compile(r"[\w.~+=-]+", re.ASCII)
_LONG_ENOUGH = 16
"""A key that the environment names may be a word; shorter ones would hit innocent text."""


def secrets_of(environ: Mapping[str, str]) -> list[str]:
    """What an environment names as a secret."""
    return [value for name, value in environ.items() if is_secret_field(name) or is_token_field(name)]


class Known:
    """Numbers in order of appearance, and the spellings under which a secret is found anywhere.

    Attributes:
        spelled: each spelling, and the secret it spells.
    """

    def __init__(self) -> None:
        self.spelled: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._taken: set[int] = set()
        self._next = 1
        self._octets: tuple[bytes, ...] = ()
        self._is_plain = True

    def number(self, secret: str) -> int | None:
        """The number of a secret; None before its first mask."""
        return self._numbers.get(secret)

    def secret(self, number: int) -> str | None:
        """The secret that has a number."""
        return next((secret for secret, own in self._numbers.items() if own == number), None)

    def add(self, secret: str) -> tuple[int, bool]:
        """Gives a new secret the next free number; also says whether it is masked everywhere from now on."""
        while self._next in self._taken:
            self._next += 1
        self._number(secret, self._next)
        return self._numbers[secret], self._learn(secret) if is_telling(secret) else False

    def expect(self, secrets: Iterable[str]) -> bool:
        """Makes secrets known without a number; True if one is new."""
        likely = [one.strip() for one in secrets if not is_placeholder(one)]
        learnt = [self._learn(one) for one in likely if is_telling(one) or len(one) >= _LONG_ENOUGH]
        return any(learnt)

    def take(self, numbers: Iterable[int]) -> None:
        """These numbers are used."""
        self._taken.update(numbers)

    def may_bind(self, numbers: Mapping[str, int]) -> bool:
        """Whether no other secret has one of these numbers."""
        owners = {number: secret for secret, number in self._numbers.items()}
        return all(owners.get(number, secret) == secret for secret, number in numbers.items())

    def bind(self, numbers: Mapping[str, int]) -> bool:
        """Gives secrets the numbers that a recording shows; True if one is masked everywhere from now on."""
        learnt = [self._bound(secret, number) for secret, number in numbers.items()]
        return any(learnt)

    def is_absent(self, json_text: bytes) -> bool:
        """Whether none of the known ones stands in a JSON text; False where one look cannot tell."""
        if not self.spelled:
            return True
        return self._is_plain and not any(one in json_text for one in self._octets)

    def _bound(self, secret: str, number: int) -> bool:
        before = self._numbers.get(secret)
        if before == number:
            return False
        self._taken.discard(before or 0)
        self._next = 1
        self._number(secret, number)
        return is_telling(secret) and (self._learn(secret) or True)

    def _number(self, secret: str, number: int) -> None:
        self._numbers[secret] = number
        self._taken.add(number)

    def _learn(self, secret: str) -> bool:
        if secret in self.spelled:
            return False
        spelled = dict.fromkeys(_spellings(secret), secret)
        for inner in _inside(secret):
            if inner not in self.spelled:
                spelled.setdefault(inner, inner)
        self.spelled.update(spelled)
        self._octets += tuple(one.encode("utf-8", "surrogatepass") for one in spelled)
        self._is_plain = self._is_plain and all(_PLAIN.fullmatch(one) for one in spelled)
        return True


def _spellings(secret: str) -> list[str]:
    found = [secret, quote(secret, safe="", errors="replace"), json.dumps(secret, ensure_ascii=False)[1:-1]]
    if len(secret) >= _LONG_ENOUGH:
        found.append(base64.b64encode(secret.encode("utf-8", "surrogateescape")).decode())
    return found


def _inside(secret: str) -> list[str]:
    """Secrets that this one carries in another form: percent-encoded, or `user:password` in base64."""
    found = []
    if "%" in secret:
        found.append(unquote(secret))
    credentials = basic_credentials(secret) if len(secret) % 4 == 0 else None
    if credentials is not None:
        found.append(credentials.partition(":")[2])
    return [one for one in found if one != secret and is_telling(one) and one.isprintable()]
