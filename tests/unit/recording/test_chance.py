"""Seeded chance."""

from __future__ import annotations

import random
import sys
import threading
import uuid
from pathlib import Path
from random import random as early_random
from typing import Any
from uuid import uuid4 as early_uuid4

import pytest

from kit.recording.chance import Chance, RoutedRandom
from kit.recording.virtual_clock import VirtualClock
from tests.fakes.runs import START, recording, run


def draw() -> list[Any]:
    """One of each kind, by names bound early and late."""
    return [
        random.random(),
        early_random(),
        random.gauss(0, 1),
        random.choice("abcdefghij"),
        random.sample(range(1000), 5),
        random.getrandbits(64),
        random.randbytes(4),
        uuid.uuid4(),
        early_uuid4(),
        uuid.uuid1(),
    ]


def test_runs_of_one_seed_draw_the_same(tmp_path: Path) -> None:
    """And runs of another seed draw something else."""
    first, _ = run(recording(tmp_path), draw)
    second, _ = run(recording(tmp_path), draw)
    other, _ = run(recording(tmp_path, seed=8), draw)
    assert first == second
    assert not set(map(str, first)) & set(map(str, other))


def test_a_background_thread_of_nobody_disturbs_no_run(tmp_path: Path) -> None:
    """The stream is the run's own, though the global functions are the same."""

    def disturbed() -> float:
        thread = threading.Thread(target=random.random)
        threading.Thread.start.__wrapped__(thread)  # type: ignore[attr-defined]
        thread.join()
        return random.uniform(0, 1)

    quiet, _ = run(recording(tmp_path), lambda: random.uniform(0, 1))
    assert run(recording(tmp_path), disturbed)[0] == quiet


def test_a_program_may_seed_and_restore_its_stream(tmp_path: Path) -> None:
    """`seed`, `getstate` and `setstate` act on the run's stream and leave the global one alone."""

    def program() -> bool:
        random.seed(5)
        state = random.getstate()
        one = random.random()
        random.setstate(state)
        return one == random.random() == random.Random(5).random()

    before = random.getstate()
    assert run(recording(tmp_path), program)[0]
    assert random.getstate() == before


def test_seeding_from_entropy_keeps_the_run_s_stream(tmp_path: Path) -> None:
    """`random.seed()` without a value would make replay differ from record."""

    def program() -> float:
        random.seed()
        return random.uniform(0, 1)

    assert run(recording(tmp_path), program)[0] == run(recording(tmp_path), lambda: random.uniform(0, 1))[0]


def test_after_the_run_all_is_as_before(tmp_path: Path) -> None:
    """Class, functions and names bound early."""
    before = (random.random, random.seed, uuid.getnode, uuid.os)  # type: ignore[attr-defined]
    run(recording(tmp_path), draw)
    assert (random.random, random.seed, uuid.getnode, uuid.os) == before  # type: ignore[attr-defined]
    assert type(random._inst) is random.Random
    assert sys.modules[__name__].early_random is before[0]


def test_outside_a_run_the_routed_stream_is_an_ordinary_one() -> None:
    """What the global instance becomes must behave like what it was."""
    routed, plain = RoutedRandom(3), random.Random(3)
    assert routed.getstate() == plain.getstate()
    assert [routed.random(), routed.getrandbits(9), routed.gauss(0.0, 1.0)] == pytest.approx(
        [plain.random(), plain.getrandbits(9), plain.gauss(0.0, 1.0)]
    )
    routed.setstate(plain.getstate())
    assert routed.random() == plain.random()


def test_the_node_is_no_network_card() -> None:
    """uuid1 carries a seeded node with the multicast bit of RFC 4122."""
    one, two = (Chance(1, VirtualClock(START)) for _ in range(2))
    assert one.node == two.node
    assert one.node >> 40 & 1
    assert one.octets(16) == two.octets(16)
