"""A run that leaves its recording at some call and goes on live, or meets a fault there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kit.cassette.interaction import Interaction, ToolRequest
from kit.cassette.paths import JUDGE_SUFFIX, SUFFIX, file_name
from kit.errors import UsageError
from kit.harness.plan import Cell, Fork, record_command
from kit.harness.recorded import read_recorded
from kit.scenario.faults import Fault

_STEP = re.compile(r"(?P<step>[1-9][0-9]*):(?P<kind>.+)\Z", re.DOTALL)
FAULTS = (
    "status=503, timeout, close, cut=arguments, garble=arguments, raise=PermissionError: no, delay_ms=500"
)


@dataclass(frozen=True, slots=True)
class Branching:
    """Where one run leaves its recording, as it was typed.

    Attributes:
        until: number of the last call that is served; None takes all before the first fault.
        faults: `STEP:KIND`, what goes wrong at which call.
        name: of the new variant; None makes one up from the others.
        is_live: whether the run goes on live; else it stays a replay.
    """

    until: int | None = None
    faults: tuple[str, ...] = ()
    name: str | None = None
    is_live: bool = False


def branch(cell: Cell, root: Path, branching: Branching) -> Cell:
    """The run that leaves the recording of `cell`.

    Raises:
        CassetteMissing: nothing is recorded to leave.
        CassetteInvalid: it cannot be read.
        UsageError: it has no such call, a fault is none, or the name is none.
    """
    _refuse_name(branching.name)
    source = cell.cassette(root)
    where = source.relative_to(root).as_posix()
    recorded = read_recorded(source, root, record_command(cell, root)).interactions
    steps = [_step(text) for text in branching.faults]
    faults = tuple(fault_at(recorded, step, kind) for step, kind in steps)
    last = recorded[-1].number if recorded else 0
    first = min((step for step, _ in steps), default=last + 1)
    until = min(first - 1, last) if branching.until is None else branching.until
    if branching.is_live:
        served_part(recorded, until, where)
        early = next((step for step, _ in steps if step <= until), None)
        if early is not None:
            raise UsageError(
                f"call {early} cannot go wrong: calls up to {until} are served as they were recorded",
                next_command=f"--until {early - 1}, or leave --until out",
            )
    told = [f"{step}-{re.sub(r'[^a-z0-9]+', '-', kind.casefold()).strip('-')}" for step, kind in steps]
    made_up = "-".join(["fork", str(until), *told] if branching.is_live else ["fault", *told])
    variant = branching.name or "-".join(filter(None, (cell.variant, made_up)))
    return replace(cell, variant=variant, fork=Fork(source, until, faults))


def the_only(cells: Sequence[Cell]) -> Cell:
    """The one run that leaves its recording.

    Raises:
        UsageError: several recordings are selected.
    """
    if len(cells) == 1:
        return cells[0]
    shown = ", ".join(cell.key.removesuffix(".yaml") for cell in cells[:5])
    more = ", …" if len(cells) > 5 else ""
    raise UsageError(
        f"one recording at a time can be left at a call; {len(cells)} are selected: {shown}{more}",
        next_command=f"kit replay {cells[0].selected.scenario.id} --model {cells[0].model} …",
    )


def _refuse_name(name: str | None) -> None:
    """A name that would be another file's, or that no command line could mean again (`harness.address`)."""
    if name is None:
        return
    is_taken = f".{name}{SUFFIX}".endswith((JUDGE_SUFFIX, f"{SUFFIX}{SUFFIX}", f".yml{SUFFIX}"))
    if is_taken or "@" in name or file_name(name) != name:
        raise UsageError(
            f"`--as {name}`: a variant cannot be called so",
            why="its name becomes part of a file's: letters, digits, `_`, `-`, `+` and `.`; never `judge`",
            next_command="--as NAME, or leave it out",
        )


def _step(text: str) -> tuple[int, str]:
    found = _STEP.match(text)
    if found is None:
        raise UsageError(f"`--fault {text}` must be STEP:KIND", why=f"kinds: {FAULTS}")
    return int(found["step"]), found["kind"]


def served_part(interactions: Sequence[Interaction], until: int, where: str) -> tuple[Interaction, ...]:
    """The calls of a recording up to and with number `until`.

    Raises:
        UsageError: the recording has no such call.
    """
    numbers = [one.number for one in interactions]
    if until not in numbers and until != 0:
        raise UsageError(
            f"there is no call {until} to go on from",
            where=where,
            why=f"its calls are 1 to {numbers[-1]}" if numbers else "it holds no call",
            next_command=f"kit show {where}",
        )
    return tuple(one for one in interactions if one.number <= until)


def fault_at(interactions: Sequence[Interaction], step: int, kind: str) -> dict[str, Any]:
    """A fault of one recorded call, as a scenario file would write it.

    Args:
        interactions: the recording, in its order.
        step: number of the call that goes wrong; one more than the last is the next call of the model.
        kind: what goes wrong, `name` or `name=value` as in `setup.faults`.

    Raises:
        UsageError: there is no such call, or no such kind for it.
    """
    call = next((one for one in interactions if one.number == step), None)
    last = interactions[-1].number if interactions else 0
    if call is None and step != last + 1:
        raise UsageError(f"there is no call {step} that could go wrong", why=f"the calls are 1 to {last}")
    before = [one for one in interactions if one.number < step]
    name, given, value = kind.partition("=")
    written: dict[str, Any] = {name.strip(): _value(name.strip(), value) if given else True}
    if call is not None and isinstance(call.request, ToolRequest):
        tool = call.request.name
        same = [one for one in before if isinstance(one.request, ToolRequest) and one.request.name == tool]
        written = {"on": "tool", "tool": tool, "nth": len(same) + 1, **written}
    else:
        asked = sum(one.lane == "model" for one in before)
        written = {"on": "model", "nth": asked + 1, **written}
    _checked(written, kind)
    return written


def with_faults(cell: Cell, faults: Iterable[Mapping[str, Any]]) -> Cell:
    """The same run with further faults in the set-up of its scenario.

    Raises:
        UsageError: one of them is no fault.
    """
    more = tuple(_checked(dict(fault), str(dict(fault))) for fault in faults)
    if not more:
        return cell
    scenario = cell.selected.scenario
    setup = scenario.setup.model_copy(update={"faults": (*scenario.setup.faults, *more)})
    changed = scenario.model_copy(update={"setup": setup})
    return replace(cell, selected=replace(cell.selected, scenario=changed))


def _value(name: str, text: str) -> Any:
    if name in {"raise", "body"}:
        return text
    return int(text) if text.strip().isdecimal() else {"true": True}.get(text, text)


def _checked(written: dict[str, Any], text: str) -> Fault:
    try:
        return Fault.model_validate(written)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        told = f": {f'{place}: ' if place else ''}{what}" if first["type"] != "extra_forbidden" else ""
        raise UsageError(f"`{text}` is no fault{told}", why=f"for example {FAULTS}") from error
