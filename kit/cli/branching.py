"""Options of `kit replay` by which one run leaves its recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kit.errors import UsageError

if TYPE_CHECKING:
    from kit.harness.fork import Branching

Told = Sequence[str] | None


def parse_branching(until: int | None, then: str | None, faults: Told, name: str | None) -> Branching | None:
    """What the options mean together; None where none of them is given.

    Raises:
        UsageError: they do not go together.
    """
    if then not in {None, "live"}:
        raise UsageError(f"`--then {then}`: a run can only go on live", next_command="--then live")
    if then is None and (until is not None or name is not None):
        told = "--until" if until is not None else "--as"
        raise UsageError(f"`{told}` goes with `--then live` only", next_command=f"{told} … --then live")
    if then is not None and until is None and not faults:
        raise UsageError(
            "`--then live` must know where it begins",
            next_command="--until STEP --then live; kit show prints the calls with their numbers",
        )
    if then is None and not faults:
        return None
    from kit.harness.fork import Branching

    return Branching(until, tuple(faults or ()), name, is_live=then is not None)


def refuse_branching(until: int | None, then: str | None, faults: Told, name: str | None) -> None:
    """A program behind `--` has no scenario whose run could leave its recording.

    Raises:
        UsageError: one of the options is given.
    """
    if until is not None or then or faults or name:
        raise UsageError("--until, --then, --fault and --as go with a scenario, not with a program")
