"""One exit code for many results (decision 14)."""

from __future__ import annotations

from collections.abc import Iterable

from kit.errors import (
    EXIT_BLOCKED,
    EXIT_BUG,
    EXIT_CASSETTE,
    EXIT_ENVIRONMENT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
)

_WORST_FIRST = (EXIT_INTERRUPTED, EXIT_BUG, EXIT_USAGE, EXIT_ENVIRONMENT, EXIT_CASSETTE, EXIT_BLOCKED)


def worst(codes: Iterable[int]) -> int:
    """The code that counts: 70 > 2 > 4 > 3 > 1 > 0, and an interruption before all."""
    seen = set(codes)
    return next((code for code in _WORST_FIRST if code in seen), EXIT_OK)
