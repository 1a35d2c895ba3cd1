"""What a scan takes for a secret."""

from __future__ import annotations

import base64
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.redaction.rule import parse_rules
from kit.redaction.scan import Find, Scanner, shown_of
from tests.fakes.planted_secrets import planted

CORPUS = Path(os.environ.get("KIT_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))
MOST_FLAGGED = 0.01


def _loaded(path: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text("utf-8"), Loader=loader)  # noqa: S506 - a safe loader


PLACES: dict[str, Callable[[str], Any]] = {
    "prose": lambda text: text,
    "field": lambda text: {"choices": [{"message": {"content": text}}]},
    "json in a string": lambda text: {"function": {"arguments": json.dumps({"q": [text]})}},
    "json in json": lambda text: {"a": json.dumps({"b": json.dumps({"c": text})})},
    "base64": lambda text: {"data": base64.b64encode(text.encode()).decode()},
    "base64 for addresses": lambda text: {"data": base64.urlsafe_b64encode(text.encode()).decode()},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seed", range(3))
def test_no_planted_secret_is_missed(place: str, seed: int) -> None:
    """Of some ninety kinds in six places each, every one is found, and none is shown."""
    for kind, (secret, text) in planted(random.Random(seed)).items():
        found = list(Scanner().value(PLACES[place](text), "here"))
        assert found, kind
        assert not any(secret in repr(find) for find in found), kind


def test_the_corpus_is_hardly_flagged() -> None:
    """Of real recordings of others, whose secrets are masked, at most one in a hundred is asked about."""
    files = sorted(CORPUS.rglob("*.yaml"))
    if not files:
        pytest.skip(f"no corpus in {CORPUS}; KIT_CORPUS names it")
    flagged = {path.name: found for path in files if (found := list(Scanner().value(_loaded(path), "")))}
    assert len(flagged) <= MOST_FLAGGED * len(files), flagged


@pytest.mark.parametrize(
    "value",
    [
        {"usage": {"prompt_tokens": 1234567, "total_tokens": 2}, "max_tokens": 4096, "created": 1795989574},
        {"signature": base64.b64encode(random.Random(1).randbytes(400)).decode()},
        {"encrypted_content": "gAAAAAB" + base64.urlsafe_b64encode(random.Random(2).randbytes(400)).decode()},
        {"embedding": base64.b64encode(random.Random(3).randbytes(6144)).decode()},
        {"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "system_fingerprint": "fp_44709d6fcb"},
        {"password": "<secret-1>", "api_key": "scrubbed", "authorization": "Bearer masked", "token": "***"},
        {"cookie": "session=masked; _cfuvid=VKe1SA_RyQAHS9bkLmN5tKj7WbYc3HdPf6GsQa9Eu", "secret": "dummy"},
        {"text": "see -----BEGIN RSA PRIVATE KEY----- in the manual"},
    ],
)
def test_what_every_recording_holds_is_not_asked_about(value: Any) -> None:
    """Counts, times, signatures, embeddings, ids, masks of any kit."""
    assert list(Scanner().value(value, "here")) == []


def test_places_and_lines() -> None:
    """A find names where it stands: in a value by its path, in a text by its line; each secret once."""
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    find = Find("here.a[1].b", "GitHub token", "ghp_… (40 characters)")
    assert list(Scanner().value({"a": ["x", {"b": f"{secret} {secret}"}], "c": secret}, "here")) == [find]
    assert list(Scanner().text(f"one\ntwo {secret}\n")) == [Find("", find.kind, find.shown, 2)]
    assert list(Scanner().octets(b"\x00\x01" + secret.encode() + b"\xff", "here")) == [
        Find("here", find.kind, find.shown)
    ]


def test_own_rules_and_what_is_allowed() -> None:
    """A file is held to the project's rules, however short the find; what is allowed passes, and is told."""
    rules = parse_rules({"fields": ["badge"], "patterns": ["ACME-(\\d+)"], "allow": ["sk-demo-.*", "never"]})
    scanner = Scanner(rules)
    value = {"badge": "x1", "note": "ACME-12 sk-demo-abcdefgh12345", "other": "badge"}
    kinds = [find.kind for find in scanner.value(value, "")]
    assert kinds == ['rule field "badge"', 'rule pattern "ACME-(\\d+)"']
    assert set(rules.names()) - scanner.matched == {'allow "never"'}


def test_a_secret_is_never_shown() -> None:
    """Its beginning at most, a quarter of a short one."""
    assert shown_of("ghp_abcdefghijklmnop") == "ghp_… (20 characters)"
    assert shown_of("abcdefgh") == "ab… (8 characters)"
    assert shown_of("abc") == "… (3 characters)"


def test_media_that_are_text_are_read_whole() -> None:
    """By every rule, with the line; JSON in them is opened."""
    text = "<svg>\n<!-- the password is Zq8vTr4mKp1xWs7yBn -->\n"
    kind = "random word behind 'password'"
    assert list(Scanner().media(text.encode(), "f")) == [Find("f", kind, "Zq8v… (18 characters)", 2)]
    assert list(Scanner().media(text.encode("utf-16"), ""))
    assert [find.kind for find in Scanner().media(b'{"api_key": "Zq8vTr4mKp1xWs7yBn"}', "f")]


def test_binary_media_are_searched_for_what_chance_does_not_write() -> None:
    """Looks of keys, the user's patterns, known values in any spelling; named words are not asked about."""
    secret, known = "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "hunter2-tr0ub4dor-and-more"
    rules = parse_rules({"patterns": ["ACME-\\d+"]})
    encoded = base64.b64encode(known.encode()).decode()
    for hidden, kind in (
        (secret, "GitHub token"),
        ("ACME-123456", 'rule pattern "ACME-\\d+"'),
        (known, "a secret of the environment"),
        (encoded, "a secret of the environment"),
    ):
        content = b"\x00\xff\xfe" + f"some text {hidden} ".encode() + b"\xff" * 9
        (find,) = Scanner(rules, [known, "word"]).media(content, "f")
        assert find.kind == kind
        assert find.place == "f, byte 13"
        assert hidden not in repr(find)
        assert not list(
            Scanner().media(b"\x00password: Zq8vTr4mKp1xWs7yBn word ssh-----BEGIN RSA PRIVATE KEY-----", "")
        )


def test_random_bytes_are_not_flagged() -> None:
    """Of two hundred made-up pictures, sounds and documents none is asked about."""
    chance = random.Random(1)
    heads = (
        b"\x89PNG\r\n\x1a\n\0\0",
        b"%PDF-1.7\n",
        b"RIFF\0\0\0\0WAVEfmt ",
        b"\xff\xd8\xff\xe0",
        b"ID3\4\0",
    )
    for number in range(200):
        assert not list(Scanner().media(heads[number % 5] + chance.randbytes(20_000), ""))
