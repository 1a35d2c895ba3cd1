"""The floor of a suite: the fewest hits one pass of it may have, for each model (S4-22 … S4-27).

`baselines/<suite>/floor.json` holds `{"<model>": {"passRate": N, "of": 6}}`: a count and a total, though the
field is called a rate. A person writes it; nothing in kit ever does (decision 16).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.baseline.store import FOLDER
from kit.errors import ConfigError
from kit.wire.json_text import without_twins

FILE = "floor.json"
_KEYS = {"passRate", "of"}


@dataclass(frozen=True, slots=True)
class Floor:
    """The least of one model: `hits` of `of` cases."""

    hits: int
    of: int

    def __str__(self) -> str:
        return f"{self.hits}/{self.of}"


@dataclass(frozen=True, slots=True)
class FloorVerdict:
    """What a floor says of one pass.

    Attributes:
        is_met: the pass holds the floor.
        sentence: what was compared with what, and what a person has to do where it is not met.
        hint: what a person may do although it is met; None where there is nothing.
    """

    is_met: bool
    sentence: str
    hint: str | None = None


def floor_path(root: Path, suite: str) -> Path:
    """Where the floors of a suite lie."""
    return root / FOLDER / suite / FILE


def read_floors(root: Path, suite: str) -> dict[str, Floor]:
    """The floors of a suite by model, whose tag is compared letter by letter; none without a file.

    Raises:
        ConfigError: the file is no floor file.
    """
    file = floor_path(root, suite)
    if not file.is_file():
        return {}
    return parse_floors(file.read_bytes(), file.relative_to(root).as_posix())


def parse_floors(text: bytes, where: str) -> dict[str, Floor]:
    """Read what a floor file holds.

    Args:
        text: the file.
        where: its name, for messages.

    Raises:
        ConfigError: with every entry that is wrong.
    """
    try:
        found = json.loads(text, object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as broken:
        raise ConfigError(f"invalid floor file: {broken}", where=where) from broken
    if not isinstance(found, dict):
        raise ConfigError("invalid floor file: it must hold an object", where=where)
    problems = [f"{model}: {problem}" for model, entry in found.items() for problem in _problems(entry)]
    if problems:
        why = 'an entry is {"passRate": N, "of": M}: two whole numbers, 0 <= N <= M and M >= 1'
        raise ConfigError(f"invalid floor file: {'; '.join(problems)}", where=where, why=why)
    return {model: Floor(entry["passRate"], entry["of"]) for model, entry in found.items()}


def compare(floors: Mapping[str, Floor], model: str, hits: int, of: int) -> FloorVerdict:
    """Hold one pass against the floor of its model.

    Args:
        floors: of the suite.
        model: tag of the model in use.
        hits: of the pass.
        of: cases of the pass, the failed and crashed ones among them.
    """
    floor = floors.get(model)
    if floor is None:
        line = json.dumps({model: {"passRate": hits, "of": of}}, ensure_ascii=False)[1:-1]
        return FloorVerdict(
            is_met=False,
            sentence=f"there is no floor for {model}, observed {hits}/{of}: "
            f"a person has to add one, like {line}",
        )
    if floor.of != of:
        return FloorVerdict(
            is_met=False,
            sentence=f"the floor of {model} is of {floor.of}, the set has {of}: a person has to revise it",
        )
    if hits < floor.hits:
        return FloorVerdict(is_met=False, sentence=f"{hits}/{of} is below the floor {floor} of {model}")
    hint = None
    if floor.hits == 0:
        hint = f"the floor 0/{of} of {model} gates nothing"
    elif hits > floor.hits:
        hint = f"{hits}/{of} is above the floor: a person may raise it"
    return FloorVerdict(is_met=True, sentence=f"{hits}/{of} holds the floor {floor} of {model}", hint=hint)


def lowered(before: Mapping[str, Floor], now: Mapping[str, Floor]) -> tuple[str, ...]:
    """Entries that were lowered, removed, or given another total: what a reviewer has to look at (S4-27)."""
    found = []
    for model, old in before.items():
        new = now.get(model)
        if new is None:
            found.append(f"{model}: the floor {old} was removed")
        elif new.of != old.of:
            found.append(f"{model}: the floor {old} became {new}, another total: not comparable")
        elif new.hits < old.hits:
            found.append(f"{model}: the floor {old} was lowered to {new}")
    return tuple(found)


def _problems(entry: Any) -> list[str]:
    if not isinstance(entry, dict) or set(entry) != _KEYS:
        return [f"must have `passRate` and `of`, is {json.dumps(entry, ensure_ascii=False)}"]
    # A bool is an int in Python, and 4.0 equals 4: neither was meant as a count.
    wrong = [f"`{name}` is {json.dumps(value)}" for name, value in entry.items() if type(value) is not int]
    if wrong:
        return wrong
    hits, of = entry["passRate"], entry["of"]
    return [] if of >= 1 and 0 <= hits <= of else [f"{hits} of {of} is no count"]
