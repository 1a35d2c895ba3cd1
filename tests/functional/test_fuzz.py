"""Parsers of what others wrote meet mutated input: refusals with where or why, no traceback, no explosion."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kit.errors import KitError
from tests.fuzz.engine import Session
from tests.fuzz.mutate import MUTATORS, mutated
from tests.fuzz.targets import Outcome, Target, targets

ROOT = Path(__file__).resolve().parent.parent.parent


def refuses(content: bytes) -> Outcome:
    """A parser with three faults."""
    if content.startswith(b"bug"):
        raise KeyError(content)
    if content.startswith(b"silent"):
        raise KitError("no")
    if content.startswith(b"said"):
        raise KitError("no", why="because")
    return ("ok",)


@pytest.mark.parametrize(("content", "finds"), [(b"bug", 1), (b"silent", 1), (b"said", 0), (b"fine", 0)])
def test_what_counts_as_a_find(content: bytes, finds: int) -> None:
    """A traceback, and a refusal that says neither where nor why."""
    session = Session(Random(1))
    session.check(Target("x", refuses, lambda: [b""]), content)
    assert len(session.finds) == finds


def test_mutators_are_total_and_bite() -> None:
    """Each takes any bytes, and most inputs come out changed."""
    random = Random(5)
    seeds = [b"", b"\xff\xfe", b'{"a": [1, {"b": "c"}]}', b"a: 1\nb:\n- x\n", b'data: {"x": 1}\n\n']
    for mutator in MUTATORS:
        for seed in seeds:
            mutator(random, seed, seeds)
    changed = sum(mutated(random, seeds[2], seeds) != seeds[2] for _ in range(100))
    assert changed > 80


def test_every_seed_is_taken(tmp_path: Path) -> None:
    """A target whose valid inputs were refused would fuzz nothing."""
    for target in targets(tmp_path):
        session = Session(Random(1))
        taken = [session.check(target, seed) for seed in list(target.pool)[:4]]
        assert not session.finds, session.finds
        assert any(outcome is not None and "Error" not in str(outcome[0]) for outcome in taken), target.name


@pytest.mark.slow
def test_twenty_seconds(tmp_path: Path) -> None:
    """`make fuzz` finds nothing; its seed is printed, so that a find can be repeated."""
    command = [sys.executable, "-m", "tests.fuzz", "--seconds", "20", "--keep", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 finds" in done.stdout
