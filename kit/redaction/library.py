"""The detectors of a scanner library, chosen and with limits of our own (decision 10).

detect-secrets is used plugin by plugin: as a whole it flags a third of real cassettes, for signatures and
embeddings, and takes a second for 36 kB. What stays are the detectors of kinds, each behind a needle, and its
measure of entropy for words that stand beside a name of a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from kit.redaction.rule import is_placeholder

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector
    from detect_secrets.plugins.high_entropy_strings import HighEntropyStringsPlugin

_DETECTORS = {
    # class: module, what must stand in a text in lower case; none of its patterns matches without
    "ArtifactoryDetector": ("artifactory", r"akc[0-9a-z]{10}|\bap[0-9a-f][0-9a-z]{8}"),
    "AWSKeyDetector": ("aws", r"a(?:kia|sia|3t|roa|gpa|ida|npa|nva|ipa|bia|cca|pka|sca)|aws"),
    "AzureStorageKeyDetector": ("azure_storage_key", r"accountkey="),
    "BasicAuthDetector": ("basic_auth", r"://[^\s/]*@"),
    "CloudantDetector": ("cloudant", r"cloudant"),
    "DiscordBotTokenDetector": ("discord", r"[mno][a-z0-9_-]{23,27}\.[\w-]{6}\."),
    "GitHubTokenDetector": ("github_token", r"gh[pousr]_"),
    "GitLabTokenDetector": ("gitlab_token", r"gl[a-z]{2,6}-|gr1348941"),
    "IbmCloudIamDetector": ("ibm_cloud_iam", r"ibm|iam|bluemix"),
    "IbmCosHmacDetector": ("ibm_cos_hmac", r"cos|ibm|hmac"),
    "JwtTokenDetector": ("jwt", r"eyj"),
    "MailchimpDetector": ("mailchimp", r"[0-9a-z]{32}-us[0-9]"),
    "NpmDetector": ("npm", r"_authtoken"),
    "OpenAIDetector": ("openai", r"t3blbkfj"),
    "PypiTokenDetector": ("pypi_token", r"pypi-agei"),
    "SendGridDetector": ("sendgrid", r"sg\."),
    "SlackDetector": ("slack", r"xox|hooks\.slack"),
    "SoftlayerDetector": ("softlayer", r"softlayer|\bsl[_-]"),
    "SquareOAuthDetector": ("square_oauth", r"sq0csp"),
    "StripeDetector": ("stripe", r"[rs]k_live"),
    "TelegramBotTokenDetector": ("telegram_token", r"[0-9]{8,10}:"),
    "TwilioKeyDetector": ("twilio", r"\b(?:ac|sk)[0-9a-z]{32}"),
}
_ANY = re.compile("|".join(needle for _, needle in _DETECTORS.values()))
_LONGEST = 100_000
"""A text is searched in stretches of this length that overlap: some patterns take their time."""
_OVERLAP = 4_000

_NAMED = re.compile(
    r"(?:\b|_)(pass(?:word|wd|phrase|code)s?|secrets?|(?:api|access|auth|private|signing|encryption|account)"
    r"[ _-]?keys?|(?:auth|access|refresh|api|bot|session|bearer)?[ _-]?tokens?|bearer|credentials?|keys?)\b"
    r"[^\n]{0,24}?[\s:=\"'`(<>]([A-Za-z0-9+/_=.~-]{16,200})(?![A-Za-z0-9+/_=.~-])",
    re.IGNORECASE,
)
_HEX = re.compile(r"[0-9a-fA-F]+")
_ID = re.compile(
    r"(?:[a-z]{2,12}[_-]){1,3}[A-Za-z0-9]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z_.-]+|[\d.,:TZ/+-]+"
)
_LEAST_HEX = 3.0
_LEAST_BASE64 = 4.0
"""Bits a sign, measured on random keys (least 3.2 and 4.1 at 24 signs) and on names in code (most 3.9)."""


def kinds_in(text: str) -> Iterator[tuple[str, str]]:
    """What the library's detectors find in a text: kind and secret."""
    for stretch in _stretches(text):
        low = stretch.lower()
        if _ANY.search(low) is None:
            continue
        for needle, detector in _detectors():
            if needle.search(low) is not None:
                # Its own `analyze_string` tells of some kinds a part of the secret only.
                for pattern in detector.denylist:
                    yield from ((detector.secret_type, match[0]) for match in pattern.finditer(stretch))


def named_in(text: str) -> Iterator[tuple[str, str]]:
    """Words of high entropy that stand close behind a name of a secret: kind and secret."""
    for match in _NAMED.finditer(text):
        word = match[2].strip("=.~-/+") if match[2].endswith(("=", ".")) else match[2]
        if _is_random(word) and not is_placeholder(word):
            yield f"random word behind {match[1].lower()!r}", match[2]


def _is_random(word: str) -> bool:
    if len(word) < 16 or _ID.fullmatch(word) or not any(sign.isdigit() for sign in word):
        return False
    if _HEX.fullmatch(word):
        return len(word) >= 24 and _entropy(word, "0123456789abcdefABCDEF") >= _LEAST_HEX
    if word.count("/") > 1 and not any(map(_is_mixed, word.split("/"))):
        return False  # a path
    least = _LEAST_BASE64 if len(word) >= 24 else _LEAST_BASE64 - 0.6
    return _is_mixed(word) and _entropy(word, _BASE64) >= least


def _is_mixed(word: str) -> bool:
    return any(map(str.isupper, word)) and any(map(str.islower, word)) and any(map(str.isdigit, word))


_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_="


def _entropy(word: str, alphabet: str) -> float:
    return float(_measure(alphabet).calculate_shannon_entropy(word))


def _stretches(text: str) -> Iterator[str]:
    for start in range(0, max(len(text), 1), _LONGEST - _OVERLAP):
        yield text[start : start + _LONGEST]
        if start + _LONGEST >= len(text):
            return


@cache
def _detectors() -> list[tuple[re.Pattern[str], RegexBasedDetector]]:
    import importlib

    found = []
    for name, (module, needle) in _DETECTORS.items():
        kind = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        found.append((re.compile(needle), kind()))
    return found


@cache
def _measure(alphabet: str) -> HighEntropyStringsPlugin:
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HexHighEntropyString

    return HexHighEntropyString() if alphabet.startswith("01") else Base64HighEntropyString()
