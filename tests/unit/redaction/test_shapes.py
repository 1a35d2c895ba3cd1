"""Secrets that are known by their look."""

from __future__ import annotations

import random

import pytest

from kit.redaction.redactor import Redactor
from kit.redaction.shapes import SHAPES, basic_credentials, looks_random, may_hold_secret
from tests.fakes.planted_secrets import planted


def pieces(secret: str) -> list[str]:
    """Every stretch of eight signs of a secret; of a key in a block, of its first line."""
    core = secret.split("\n")[1] if "\n" in secret else secret
    return [core[at : at + 8] for at in range(max(1, len(core) - 7))]


@pytest.mark.parametrize("seed", range(5))
def test_no_planted_kind_is_missed(seed: int) -> None:
    """Of some ninety kinds, bare in a sentence or in their usual place, nothing is left."""
    for kind, (secret, text) in planted(random.Random(seed)).items():
        shown = Redactor().text(text)
        assert not [piece for piece in pieces(secret) if piece in shown], kind


def test_the_quick_look_never_overlooks() -> None:
    """Whatever a shape finds, the look that spares the search has seen."""
    for kind, (_, text) in planted(random.Random(3)).items():
        assert may_hold_secret(text.encode()), kind


def test_the_quick_look_spares_prose() -> None:
    """Most texts hold nothing that any rule could be about."""
    text = "The disk of host-07 is full: 91 % of 40 GB; see /var/log/syslog, call_9f8a7b6c5d4e3f2a1b0c."
    assert not may_hold_secret(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9 call_abc123DEF456ghi789",
        "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
        "fc_68af4030baa48190b0b482afd3cde9a5 rs_0123456789abcdef0123456789abcdef",
        "d41d8cd98f00b204e9800998ecf8427e 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        "0b7e6c9a-3f1d-4b55-9c1e-3a0c6f5e2d11 1795989574 1795989574123",
        "task_runner_disk_usage_of_the_whole_machine_2026 gpt-4o-2024-08-06",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_ids_hashes_and_times_are_no_secrets(text: str) -> None:
    """What providers number their answers with comes back in the next request."""
    assert Redactor().text(text) == text


def test_signatures_by_chance_hold_no_key() -> None:
    """Two megabytes of random base64 as signatures have it, in both alphabets: nothing is masked."""
    chance = random.Random(11)
    for alphabet in ("+/", "-_"):
        signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + alphabet
        text = "".join(chance.choices(signs, k=1_000_000))
        body = f'{{"signature":"{text}"}}'.encode()
        assert Redactor().body(body, "application/json") is body


def test_each_shape_compiles_and_wants_a_needle() -> None:
    """A shape without a needle would be tried on every text; one that matches nothing would mask nothing."""
    for shape in SHAPES:
        assert shape.needles
        assert all(needle == needle.lower() for needle in shape.needles)
        assert shape.pattern.search("") is None


def test_second_looks() -> None:
    """Words are told from keys, credentials from other base64."""
    assert basic_credentials("cm9iZXJ0bzpwYXNz") == "roberto:pass"
    assert basic_credentials("aGVsbG8gd29ybGQ=") is None
    assert basic_credentials("no base64") is None
    assert looks_random("aB") is True
    assert looks_random("word") is False
