"""Secrets that are known by their look, in prose as in values (decision 10)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of secret that is known by its look.

    Attributes:
        kind: what a person calls it.
        needles: lower-case texts of which one must stand in the text; without, the pattern is not even tried.
        source: regular expression; group 1 is the secret if there is one, else all of it.
        is_real: second look at the secret, where the pattern alone would take words for keys.
    """

    kind: str
    needles: tuple[str, ...]
    source: str
    is_real: Callable[[str], bool] = bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled at its first use: a replay needs few of them."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def looks_random(value: str) -> bool:
    """True if it is no word: has a digit, or changes case inside."""
    return any(sign.isdigit() for sign in value) or not (
        value.islower() or value.isupper() or value.istitle()
    )


def basic_credentials(value: str) -> str | None:
    """`user:password` out of what stands behind `Basic`; None if it is nothing of the kind."""
    try:
        text = base64.b64decode(value, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None
    return text if ":" in text else None


def _has_digit(value: str) -> bool:
    return any(sign.isdigit() for sign in value)


def _random_or_long(value: str) -> bool:
    return looks_random(value) or len(value) >= 20


def _is_key(value: str) -> bool:
    tail = re.split(r"[-_]", value, maxsplit=1)[-1]
    return _has_digit(tail) or len(tail) >= 24


def _is_basic(value: str) -> bool:
    return basic_credentials(value) is not None


_START = r"(?<![A-Za-z0-9])"
_STRICT = r"(?<![A-Za-z0-9_+/=-])"
"""For short prefixes: inside a signature in base64 they stand by chance."""


def _prefixed(kind: str, prefixes: str, rest: str, is_real: Callable[[str], bool] = bool) -> Shape:
    """A key that begins with one of some prefixes, all long enough to mean nothing else."""
    words = tuple(prefixes.split())
    pattern = f"{_START}(?:{'|'.join(map(re.escape, words))}){rest}"
    return Shape(kind, tuple(word.lower() for word in words), pattern, is_real)


def _short(kind: str, prefix: str, rest: str, is_real: Callable[[str], bool] = looks_random) -> Shape:
    pattern = f"{_STRICT}{re.escape(prefix)}{rest}(?![A-Za-z0-9])"
    return Shape(kind, (prefix.lower(),), pattern, is_real)


def _found(kind: str, needles: str, pattern: str, is_real: Callable[[str], bool] = bool) -> Shape:
    return Shape(kind, tuple(needles.split()), pattern, is_real)


_MODELS = (
    Shape("API key", ("sk-",), _START + r"sk-[A-Za-z0-9_-]{8,}", _is_key),
    Shape(
        "API key",
        ("gsk_", "hf_", "npm_", "r8_"),
        _START + r"(?:gsk|hf|npm|r8)_[A-Za-z0-9]{16,}",
        looks_random,
    ),
    Shape(
        "API key",
        ("xai-", "pplx-", "tvly-"),
        _START + r"(?:xai|pplx|tvly)-[A-Za-z0-9_-]{16,}",
        _is_key,
    ),
    Shape("Google API key", ("aiza",), _START + r"AIza[A-Za-z0-9_-]{30,}"),
    Shape("Google access token", ("ya29.",), _START + r"ya29\.[A-Za-z0-9_-]{16,}"),
    _prefixed("Google client secret", "GOCSPX-", r"[A-Za-z0-9_-]{20,}"),
    _short("Google refresh token", "1//0", r"[A-Za-z0-9_-]{40,}"),
    _prefixed("Nvidia key", "nvapi-", r"[A-Za-z0-9_-]{32,}"),
    _prefixed("Cerebras key", "csk-", r"[a-z0-9]{32,}", _has_digit),
    _prefixed("LangSmith key", "lsv2_pt_ lsv2_sk_ ls__", r"[A-Za-z0-9_]{24,}"),
    _prefixed("Pinecone key", "pcsk_", r"[A-Za-z0-9_]{40,}"),
    _prefixed("Logfire token", "pylf_v1_ pylf_v2_", r"[A-Za-z0-9_]{24,}"),
    _prefixed("Jina key", "jina_", r"[A-Za-z0-9_-]{40,}"),
    _prefixed("Together key", "tgp_v1_", r"[A-Za-z0-9_-]{32,}"),
    _prefixed("Anyscale key", "esecret_", r"[A-Za-z0-9]{20,}"),
    _prefixed("Bedrock key", "ABSK bedrock-api-key-", r"[A-Za-z0-9+/=]{80,}"),
    _short("Fireworks key", "fw_", r"[A-Za-z0-9]{20,}"),
    _short("Voyage key", "pa-", r"[A-Za-z0-9_-]{43}"),
    _short("Firecrawl key", "fc-", r"[0-9a-f]{32}"),
)
_CODE = (
    Shape("GitHub token", ("gh",), _START + r"gh[pousr]_[A-Za-z0-9]{16,}"),
    Shape("GitHub token", ("github_pat_",), _START + r"github_pat_[A-Za-z0-9_]{16,}"),
    Shape(
        "GitLab token",
        ("glpat-",),
        _START + r"glpat-[A-Za-z0-9_-]{12,}(?:\.[a-z0-9]{2}\.[a-z0-9]{7,})?",
    ),
    _prefixed("GitLab token", "gldt- glrt- glsoat- glptt- glagent- glcbt- glft- glimt-", r"[\w-]{16,}"),
    _prefixed("PyPI token", "pypi-AgEI", r"[A-Za-z0-9_-]{40,}"),
    _prefixed("Docker token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,}"),
    _prefixed("RubyGems key", "rubygems_", r"[0-9a-f]{32,}"),
    _prefixed("Artifactory key", "AKCp", r"[A-Za-z0-9]{50,}"),
    _prefixed("CircleCI token", "CCIPAT_", r"[A-Za-z0-9_]{30,}"),
    _prefixed("Postman key", "PMAK-", r"[0-9a-f]{20,}-[0-9a-f]{20,}"),
    _prefixed("Pulumi token", "pul-", r"[0-9a-f]{40}"),
    _found("Terraform token", ".atlasv1.", _START + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
)
_CLOUD = (
    Shape("AWS access key", ("akia", "asia"), _START + r"A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _found("Azure key", "accountkey= sharedaccesskey=", r"(?i:AccountKey|SharedAccessKey)=([\w+/-]{30,}=*)"),
    _found("Azure key", "jqqj99", _START + r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])"),
    _found("Azure DevOps token", "azdo", _START + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
    _found("Azure client secret", "q~", r"(?<![\w~.-])[\w~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![\w~-])"),
    _prefixed("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{40,}"),
    _prefixed("Databricks token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?"),
    _prefixed("Vault token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{20,}", looks_random),
    _prefixed("Alibaba key", "LTAI", r"[A-Za-z0-9]{20}"),
    _prefixed("Supabase key", "sbp_ sb_secret_", r"[A-Za-z0-9_-]{28,}"),
    _prefixed("Netlify token", "nfp_", r"[A-Za-z0-9]{30,}"),
    _prefixed("Heroku key", "HRKU-", r"[A-Za-z0-9_-]{30,}"),
    _prefixed("Tailscale key", "tskey-", r"[A-Za-z0-9-]{20,}"),
    _prefixed("Cloudflare key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}"),
    _found("Doppler token", "dp.", _START + r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}"),
)
_SERVICES = (
    Shape("Stripe key", ("_live_", "_test_"), _START + r"[srp]k_(?:live|test)_[A-Za-z0-9]{8,}"),
    _prefixed("webhook secret", "whsec_", r"[A-Za-z0-9+/=_-]{20,}"),
    Shape(
        "Slack token",
        ("xox", "xapp-"),
        _START + r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{8,}",
        _is_key,
    ),
    _found(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,})",
    ),
    _found("Discord webhook", "/webhooks/", r"discord(?:app)?\.com/api/webhooks/([0-9]{8,}/[\w-]{40,})"),
    _found("Telegram token", ":a", r"(?<![0-9])[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])"),
    _found("SendGrid key", "sg.", _START + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _found("Twilio key", "sk", _START + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _found("Mailgun key", "key-", _START + r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _found("Mailchimp key", "-us", _START + r"[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
    _prefixed("Brevo key", "xkeysib-", r"[A-Za-z0-9-]{30,}"),
    _prefixed("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{30,}"),
    _prefixed("Square token", "sq0atp- sq0csp- sq0idp-", r"[A-Za-z0-9_-]{20,}"),
    _prefixed("Meta or Square token", "EAAA EAAC EAAB EAAG", r"[A-Za-z0-9_-]{56,}"),
    _prefixed("Linear key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,}"),
    _prefixed("Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    _prefixed("Atlassian token", "ATATT3xFf ATCTT3xFf ATBB", r"[A-Za-z0-9_=-]{24,}"),
    _prefixed("Figma token", "figd_", r"[A-Za-z0-9_-]{30,}"),
    _prefixed("Grafana token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,}"),
    _prefixed("New Relic key", "NRAK-", r"[A-Z0-9]{24,}"),
    _prefixed("Sentry token", "sntrys_ sntryu_", r"[A-Za-z0-9_+/=-]{40,}"),
    _prefixed("1Password token", "ops_eyJ", r"[A-Za-z0-9_-]{60,}"),
)
_ANYWHERE = (
    Shape("JWT", ("eyj",), _START + r"eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?"),
    Shape(
        "bearer token",
        ("bearer",),
        r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})",
        _random_or_long,
    ),
    Shape(
        "basic credentials",
        ("basic",),
        r"(?i)\bbasic\s+([A-Za-z0-9+/]{6,}={0,2})",
        _is_basic,
    ),
    Shape(
        "private key",
        ("-----begin",),
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _found("private key", "putty-user-key-file", r"(?s)PuTTY-User-Key-File-[0-9]:.*?(?:Private-MAC: \w+|\Z)"),
    _prefixed("age key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
    _found("database password", "pwd=", r"(?i)(?:;|\b)pwd=([^;\s\"'<>&]{4,})(?=;|\"|'|\s|$)", looks_random),
    Shape("password in an address", ("://",), r"://[^/\s:@\"'<>\\]*:([^/\s@\"'<>\\]+)@"),
    Shape("key in an address", ("://",), r"://([^/\s:@\"'<>\\]{16,}):?@", looks_random),
)
SHAPES = (*_MODELS, *_CODE, *_CLOUD, *_SERVICES, *_ANYWHERE)
"""All of them; where two find the same text, the longer find counts."""


_SPELLED = {
    "gh": r"gh[pousr]_",
    "sk": r"sk[0-9a-f]{16}",
    "xox": "xox[a-z]-",
    ":a": r"[0-9]:a[a-z0-9_-]{16}",
    "-us": r"[0-9a-f]-us[0-9]",
    "sg.": r"sg\.[a-z0-9_-]{16}",
    "q~": r"[0-9]q~",
    "dp.": r"dp\.[a-z]+\.[a-z0-9]{16}",
}
"""Needles that stand in many texts, with what must come next."""
_NAMES = re.compile(
    rb"key|pass[wp]|pwd|secret|sig|token|auth|amz|cookie|credential|conn(?:ection|_str)|jwt|bearer|basic"
    rb"|-----begin|://"
)
"""One of these stands, in lower case, in each text that holds a secret by its field or scheme."""
_IN_KEYS = b"abcdefghijklmnopqrstuvwxyz0123456789_-.:/+=~"
_WORDS = bytes(sign if sign in _IN_KEYS else ord(" ") for sign in range(256))
_SHORTEST = 11
"""No shape is shorter; most words of prose are."""


@cache
def _needles() -> re.Pattern[bytes]:
    words = {_SPELLED.get(word, re.escape(word)) for shape in SHAPES for word in shape.needles}
    return re.compile("|".join(sorted(words)).encode())


def may_hold_secret(text: bytes) -> bool:
    """Whether a text is worth a search by the built-in rules: one look that is cheap for most texts.

    Args:
        text: UTF-8, without JSON escapes of letters: those could hide what this looks for.
    """
    low = text.lower()
    if _NAMES.search(low) is not None:
        return True
    long = [word for word in low.translate(_WORDS).split() if len(word) >= _SHORTEST]
    return bool(long) and _needles().search(b" ".join(long)) is not None
