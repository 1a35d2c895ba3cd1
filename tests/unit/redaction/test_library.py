"""The detectors of the library, and words of high entropy."""

from __future__ import annotations

import random
import string
import time

import pytest

from kit.redaction.library import kinds_in, named_in

ALNUM = string.ascii_letters + string.digits


def test_kinds_that_redaction_does_not_know() -> None:
    """A bot's token of Discord has no beginning that means nothing else; the library knows its build."""
    token = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
    assert list(kinds_in(f"log in with {token} please")) == [("Discord Bot Token", token)]
    assert list(kinds_in("nothing in here")) == []


def test_a_kind_is_found_in_a_long_text() -> None:
    """Long texts are searched in stretches that overlap: a secret on the border is not cut."""
    token = "glpat-" + "a1B2" * 5
    for place in (99_990, 150_000, 250_001):
        assert list(kinds_in("x " * (place // 2) + token + " y" * 50_000)), place


@pytest.mark.parametrize(
    "text", ["my key is {}", "password for the door: {}", "token={}", "use credential `{}`"]
)
def test_random_words_behind_a_name(text: str) -> None:
    """Of a hundred random words each, nearly all: without a digit, one is a word like others."""
    chance = random.Random(5)
    words = ["".join(chance.choices(ALNUM, k=length)) for length in (24, 32, 40) for _ in range(100)]
    missed = [word for word in words if not list(named_in(text.format(word)))]
    assert len(missed) <= 12


@pytest.mark.parametrize(
    "text",
    [
        "the token limit is 4096 and max_tokens=1234567890123456",
        "cache key: prompt_cache_retention_2026_11",
        "key /usr/share/doc/python3.11/examples/readme",
        "idempotency key 0b7e6c9a-3f1d-4b55-9c1e-3a0c6f5e2d11",
        "primary key customer_id_of_the_order_table",
        "the key toolu_01A09q90qw90lq917835lq9 comes back",
        "token usage: 2026-11-30T02:00:00.123456Z",
        "secret: the_answer_to_everything_is_in_here",
    ],
)
def test_names_paths_and_ids_are_no_random_words(text: str) -> None:
    """What stands behind `key` and `token` in most texts."""
    assert list(named_in(text)) == []


def test_large_texts_take_their_share_of_time() -> None:
    """A megabyte of prose and a megabyte without a blank are looked through in well under ten seconds."""
    begun = time.process_time()
    for text in ("the key of the house is here. " * 35_000, "a1B2" * 250_000):
        assert list(named_in(text)) == []
        assert list(kinds_in(text)) == []
    assert time.process_time() - begun < 10
