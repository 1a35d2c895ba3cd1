"""The command that makes a fork anew, from what the fork's header tells of how it was made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kit.cassette.interaction import Interaction, ToolRequest
from kit.cassette.peek import peek
from kit.cassette.store import read
from kit.errors import CassetteError

_PLACE = ("on", "tool", "nth")
_UNKNOWN = "STEP"


def leave_command(path: Path, root: Path, model: str, left: str, variant: str) -> str:
    """What to type to leave a recording as a fork did.

    Args:
        path: the fork's cassette; where it is not there, the command says STEP where a person has to choose.
        root: of the project.
        model: the tag of the model.
        left: address of the recording that is left, where no header tells it.
        variant: name of the fork.
    """
    header = peek(path)
    fork = header.fork if header is not None else {}
    source = root / str(fork["of"]) if "of" in fork else None
    until = fork.get("until", _UNKNOWN)
    words = [f"kit replay {source.stem if source else left} --model {model} --until {until} --then live"]
    faults = fork.get("faults")
    if isinstance(faults, list):
        words += _options([fault for fault in faults if isinstance(fault, dict)], _recorded(source))
    return " ".join((*words, f"--as {shlex.quote(variant)}"))


def _recorded(source: Path | None) -> tuple[Interaction, ...]:
    try:
        return read(source).interactions if source is not None else ()
    except CassetteError:
        return ()


def _options(faults: Sequence[Mapping[str, Any]], recorded: Sequence[Interaction]) -> Iterator[str]:
    """Each fault as it was typed; `harness.fork.fault_at` the other way round."""
    for fault in faults:
        kinds = (item for item in fault.items() if item[0] not in _PLACE)
        name, value = next(kinds, ("KIND", True))
        kind = name if value is True else f"{name}={value}"
        yield f"--fault {shlex.quote(f'{_step(fault, recorded)}:{kind}')}"


def _step(fault: Mapping[str, Any], recorded: Sequence[Interaction]) -> int | str:
    """Number of the recorded call that a fault is of; that of the next call of the model is one more."""
    if fault.get("on") == "tool":
        calls = [
            one.number
            for one in recorded
            if isinstance(one.request, ToolRequest) and one.request.name == fault.get("tool")
        ]
    else:
        calls = [one.number for one in recorded if one.lane == "model"]
        calls += [recorded[-1].number + 1] if recorded else []
    nth = fault.get("nth", 1)
    return calls[nth - 1] if isinstance(nth, int) and 1 <= nth <= len(calls) else _UNKNOWN
