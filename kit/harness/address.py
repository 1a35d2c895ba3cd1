"""Which recordings a name on the command line means: `001_x`, its second sample `001_x@2`, its variant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kit.harness.plan import Samples
from kit.scenario.load import LoadedSuite
from kit.scenario.select import Selected, select

_ADDRESS = re.compile(r"(?P<name>[^.@/\\]+)(?:\.(?P<variant>[^@/\\]+))?(?:@(?P<number>[1-9][0-9]*))?\Z")


@dataclass(frozen=True, slots=True)
class Address:
    """One name as it was typed.

    Attributes:
        name: of a scenario, a suite or a path, as `scenario.select` takes it.
        variant: named change of set-up, None for the plain run.
        replicate: which sample, counted from 1; None means all.
    """

    name: str
    variant: str | None = None
    replicate: int | None = None


def parse_address(text: str) -> Address:
    """`<scenario>[.<variant>][@<n>]`; what is a path stays one."""
    found = _ADDRESS.match(text)
    if found is None or found["variant"] in {"yaml", "yml"}:
        return Address(text)
    number = found["number"]
    return Address(found["name"], found["variant"], None if number is None else int(number))


def select_addressed(
    suites: Sequence[LoadedSuite], wanted: Sequence[str], only: Sequence[str] = ()
) -> tuple[tuple[Selected, ...], Samples]:
    """The scenarios that a command means, and which of their recordings where it names some.

    Args:
        suites: everything that was loaded.
        wanted: names as they were typed; empty takes the default suites.
        only: categories; narrows further.

    Raises:
        UsageError: a name or category means nothing, or nothing is left.
    """
    addresses = tuple(map(parse_address, wanted))
    selected = select(suites, [address.name for address in addresses], only)
    return selected, samples_of(suites, addresses)


def samples_of(suites: Sequence[LoadedSuite], addresses: Sequence[Address]) -> Samples:
    """By a scenario's file, which of its recordings were named; none where all were meant.

    Raises:
        UsageError: a name means nothing.
    """
    named: dict[Path, list[tuple[str | None, int | None]]] = {}
    for address in addresses:
        if address.variant is None and address.replicate is None:
            continue
        for item in select(suites, [address.name]):
            named.setdefault(item.path, []).append((address.variant, address.replicate))
    return named
