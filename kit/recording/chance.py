"""Seeded chance: what a run draws from `random`, `uuid1` and `uuid4` is equal when replayed (decision 17).

Each run has a stream of its own, found through the context variable, since a background thread shares the
global one. Not seeded: `os.urandom` elsewhere, `secrets`, `random.SystemRandom`, `Random()`, TLS.
"""

from __future__ import annotations

import os
import random
import uuid
from typing import Any

from kit.recording.context import current
from kit.recording.virtual_clock import VirtualClock

_MULTICAST = 1 << 40
"""RFC 4122: a node id that is no network card has this bit set."""


class Chance:
    """The random numbers of one run.

    Args:
        seed: of the run.
        clock: the run's clock.
    """

    def __init__(self, seed: int, clock: VirtualClock) -> None:
        self.random = random.Random(f"kit {seed}")  # noqa: S311 - reproducible on purpose
        self.clock = clock
        # A second stream, so that a library's ids do not shift the numbers that a program draws.
        self._octets = random.Random(f"kit uuid {seed}")  # noqa: S311 - reproducible on purpose
        self.node = self._octets.getrandbits(48) | _MULTICAST

    def octets(self, count: int) -> bytes:
        """Seeded bytes in place of `os.urandom`, for uuid4."""
        return self._octets.randbytes(count)


class RoutedRandom(random.Random):
    """What `random`'s global instance becomes while a run is in force: it asks the run, if there is one."""

    def random(self) -> float:
        """As `random.Random.random`."""
        session = current()
        return super().random() if session is None else session.chance.random.random()

    def getrandbits(self, k: int, /) -> int:
        """As `random.Random.getrandbits`."""
        session = current()
        return super().getrandbits(k) if session is None else session.chance.random.getrandbits(k)

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """As `random.Random.gauss`, which keeps a number for the next call."""
        session = current()
        return super().gauss(mu, sigma) if session is None else session.chance.random.gauss(mu, sigma)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """As `random.Random.seed`; a program that seeds its run's stream disturbs no other run.

        Without an argument it would seed from the machine's entropy: in a run it then keeps the run's stream.
        """
        session = current()
        if session is None:
            super().seed(a, version)
        elif a is not None:
            session.chance.random.seed(a, version)

    def getstate(self) -> tuple[Any, ...]:
        """As `random.Random.getstate`."""
        session = current()
        return super().getstate() if session is None else session.chance.random.getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """As `random.Random.setstate`."""
        session = current()
        if session is None:
            super().setstate(state)
        else:
            session.chance.random.setstate(state)


class UuidOs:
    """What stands for the module `os` inside `uuid`: its `urandom` is the run's."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    @staticmethod
    def urandom(count: int) -> bytes:
        """As `os.urandom`, or the run's seeded bytes."""
        session = current()
        return os.urandom(count) if session is None else session.chance.octets(count)


_real_getnode = uuid.getnode


def getnode() -> int:
    """As `uuid.getnode`: a seeded node in a run, so that uuid1 does not carry the network card's address."""
    session = current()
    return _real_getnode() if session is None else session.chance.node
