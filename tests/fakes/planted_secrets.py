"""Secrets of every kind that kit knows, made up anew for each test; none was ever valid."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URL = ALNUM + "-_"
DIGITS = string.digits


def _of(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choice(alphabet) for _ in range(length))


def _base64(chance: random.Random, octets: int) -> str:
    return base64.b64encode(chance.randbytes(octets)).decode()


def _url_base64(chance: random.Random, octets: int) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(octets)).decode().rstrip("=")


def _jwt(chance: random.Random) -> str:
    def part(value: object) -> str:
        text = json.dumps(value, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(text).decode().rstrip("=")

    head, claims = {"alg": "HS256", "typ": "JWT"}, {"sub": _of(chance, DIGITS, 10), "iat": 1516239022}
    return f"{part(head)}.{part(claims)}.{_url_base64(chance, 32)}"


def _block(kind: str, lines: int) -> Callable[[random.Random], str]:
    def make(chance: random.Random) -> str:
        body = "\n".join(_base64(chance, 48) for _ in range(lines))
        return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"

    return make


def _made(*pieces: str | tuple[str, int]) -> Callable[[random.Random], str]:
    def make(chance: random.Random) -> str:
        return "".join(piece if isinstance(piece, str) else _of(chance, *piece) for piece in pieces)

    return make


BY_LOOK: dict[str, Callable[[random.Random], str]] = {
    "openai project": _made("sk-proj-", (URL, 74), "T3BlbkFJ", (URL, 73), "7"),
    "openai classic": _made("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 19), "7"),
    "anthropic": _made("sk-ant-api03-", (URL, 92), "7AA"),
    "anthropic oauth": _made("sk-ant-oat01-", (URL, 92), "7AA"),
    "openrouter": _made("sk-or-v1-", (HEX, 64)),
    "deepseek": _made("sk-", (LOWER, 31), "7"),
    "google api": _made("AIza", (URL, 35)),
    "google access": _made("ya29.", (URL, 120)),
    "google client": _made("GOCSPX-", (URL, 28)),
    "google refresh": _made("1//0", (ALNUM, 60)),
    "aws id": _made("AKIA", (UPPER, 16)),
    "aws session id": _made("ASIA", (UPPER, 16)),
    "aws bedrock": _made("ABSK", (ALNUM, 120)),
    "github classic": _made("ghp_", (ALNUM, 36)),
    "github oauth": _made("gho_", (ALNUM, 36)),
    "github app": _made("ghs_", (ALNUM, 36)),
    "github refresh": _made("ghr_", (ALNUM, 76)),
    "github fine": _made("github_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab": _made("glpat-", (ALNUM, 20)),
    "gitlab routable": _made("glpat-", (ALNUM, 27), ".01.", (LOWER, 9)),
    "gitlab runner": _made("glrt-", (ALNUM, 20)),
    "slack bot": _made("xoxb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (ALNUM, 24)),
    "slack user": _made("xoxp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (HEX, 32)),
    "slack app": _made("xapp-1-A", (UPPER, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    "stripe live": _made("sk_live_", (ALNUM, 24)),
    "stripe restricted": _made("rk_test_", (ALNUM, 24)),
    "stripe webhook": _made("whsec_", (ALNUM, 32)),
    "groq": _made("gsk_", (ALNUM, 51), "7"),
    "huggingface": _made("hf_", (string.ascii_letters, 32), "aQ"),
    "xai": _made("xai-", (ALNUM, 79), "7"),
    "perplexity": _made("pplx-", (ALNUM, 47), "7"),
    "tavily": _made("tvly-dev-", (ALNUM, 31), "7"),
    "replicate": _made("r8_", (ALNUM, 36), "7"),
    "nvidia": _made("nvapi-", (URL, 64)),
    "fireworks": _made("fw_", (ALNUM, 23), "7"),
    "cerebras": _made("csk-", (LOWER, 47), "7"),
    "langsmith": _made("lsv2_pt_", (HEX, 32), "_", (HEX, 10)),
    "langfuse": _made("sk-lf-", (HEX, 8), "-", (HEX, 4), "-4", (HEX, 3), "-a", (HEX, 3), "-", (HEX, 12)),
    "pinecone": _made("pcsk_", (ALNUM, 6), "_", (ALNUM, 63)),
    "logfire": _made("pylf_v1_us_", (ALNUM, 43)),
    "voyage": _made("pa-", (ALNUM, 42), "7"),
    "jina": _made("jina_", (ALNUM, 60)),
    "firecrawl": _made("fc-7", (HEX, 31)),
    "jwt": _jwt,
    "rsa key": _block("RSA PRIVATE KEY", 12),
    "openssh key": _block("OPENSSH PRIVATE KEY", 6),
    "pgp key": _block("PGP PRIVATE KEY BLOCK", 6),
    "age key": _made("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "npm": _made("npm_", (ALNUM, 35), "7"),
    "pypi": _made("pypi-AgEIcHlwaS5vcmc", (ALNUM, 140)),
    "azure openai": _made((ALNUM, 52), "JQQJ99", (ALNUM, 26)),
    "azure client": _made("aB7", "8Q~", (ALNUM, 34)),
    "telegram": _made("7", (DIGITS, 9), ":AA", (ALNUM, 33)),
    "sendgrid": _made("SG.", (URL, 22), ".", (ALNUM, 43)),
    "twilio": _made("SK", (HEX, 32)),
    "mailgun": _made("key-", (HEX, 32)),
    "mailchimp": _made((HEX, 32), "-us14"),
    "shopify": _made("shpat_", (HEX, 32)),
    "digitalocean": _made("dop_v1_", (HEX, 64)),
    "doppler": _made("dp.pt.", (ALNUM, 43)),
    "databricks": _made("dapi", (HEX, 32)),
    "linear": _made("lin_api_", (ALNUM, 40)),
    "notion": _made("ntn_", (DIGITS, 11), (ALNUM, 35)),
    "atlassian": _made("ATATT3xFfGF0", (ALNUM, 172), "=", (UPPER, 8)),
    "figma": _made("figd_", (ALNUM, 40)),
    "grafana": _made("glsa_", (ALNUM, 32), "_", (HEX, 8)),
    "new relic": _made("NRAK-", (UPPER, 27)),
    "sentry": _made("sntrys_eyJ", (ALNUM, 100), "_", (ALNUM, 43)),
    "vault": _made("hvs.", (ALNUM, 95)),
    "terraform": _made((ALNUM, 14), ".atlasv1.", (ALNUM, 64)),
    "docker": _made("dckr_pat_", (ALNUM, 27)),
    "rubygems": _made("rubygems_", (HEX, 48)),
    "square": _made("EAAA", (ALNUM, 60)),
    "supabase": _made("sbp_", (HEX, 40)),
    "postman": _made("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "artifactory": _made("AKCp", (ALNUM, 69)),
    "netlify": _made("nfp_", (ALNUM, 36)),
    "1password": _made("ops_eyJ", (ALNUM, 250)),
    "meta": _made("EAACEdEose0cBA", (ALNUM, 80)),
}
"""By kind: makes a secret that is known by its look alone, wherever it stands."""

IN_PLACE: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "azure storage": (
        "DefaultEndpointsProtocol=https;AccountName=data;AccountKey={};EndpointSuffix=core.windows.net",
        lambda chance: _base64(chance, 64),
    ),
    "azure service bus": (
        "Endpoint=sb://q.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey={}",
        lambda chance: _base64(chance, 32),
    ),
    "azure signature": (
        "https://data.blob.core.windows.net/c/b?sv=2024-11-04&sr=b&sig={}",
        _made((ALNUM, 43), "%3D"),
    ),
    "aws secret key": ("AWS_SECRET_ACCESS_KEY={}", lambda chance: _base64(chance, 30)),
    "slack webhook": (
        "https://hooks.slack.com/services/{}",
        _made("T", (UPPER, 8), "/B", (UPPER, 10), "/", (ALNUM, 24)),
    ),
    "discord webhook": ("https://discord.com/api/webhooks/{}", _made((DIGITS, 18), "/", (URL, 68))),
    "postgres": ("postgresql://app:{}@db.example.com:5432/main", _made((ALNUM, 17), "7")),
    "mongodb": ("mongodb+srv://app:{}@cluster0.example.net/?retryWrites=true", _made((ALNUM, 17), "7")),
    "redis": ("redis://:{}@cache.example.com:6379/0", _made((ALNUM, 17), "7")),
    "mssql": ("Server=tcp:db,1433;User ID=app;Password={};Encrypt=True", _made((ALNUM, 17), "7")),
    "bearer": ("Authorization: Bearer {}", _made((ALNUM, 31), "7")),
    "header": ("curl -H 'X-Api-Key: {}' https://h.example", _made((ALNUM, 31), "7")),
    "cookie": ("Cookie: theme=dark; sid={}", _made((ALNUM, 31), "7")),
    "set-cookie": ("Set-Cookie: session={}; Path=/; HttpOnly", _made((ALNUM, 31), "7")),
    "env": ("export SERVICE_TOKEN={}\n", _made((ALNUM, 31), "7")),
    "yaml": ("db:\n  user: app\n  password: {}\n", _made((ALNUM, 15), "7")),
    "python": ("client = Client(api_key='{}')", _made((ALNUM, 31), "7")),
    "json": ('the file says {{"client_secret": "{}"}} and more', _made((ALNUM, 31), "7")),
}
"""By kind: a text with a hole, and what makes the secret that is known by this surrounding."""


def planted(chance: random.Random) -> dict[str, tuple[str, str]]:
    """By kind: a secret, and a text around it."""
    found = {}
    for kind, make in BY_LOOK.items():
        secret = make(chance)
        found[kind] = (secret, f"Here you are, use {secret} for that, please.")
    for kind, (place, make) in IN_PLACE.items():
        secret = make(chance)
        found[kind] = (secret, place.format(secret))
    return found
