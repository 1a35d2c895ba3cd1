"""Which recordings no longer speak of what lies in the project, said before anything runs (decision 11).

It is never a failure by itself: only a miss proves that a recording does not hold.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kit import clock
from kit.cassette.header import KEY_RULE, Header
from kit.cassette.peek import peek
from kit.config.settings import Settings
from kit.errors import CassetteInvalid
from kit.harness.inputs import changed_inputs, told_changes
from kit.harness.plan import Cell, record_command


@dataclass(frozen=True, slots=True)
class Staleness:
    """What speaks against a recording; nothing where all is as it was.

    Attributes:
        changed: inputs that differ, came or went.
        expired: the day on which it expired.
        key_rule: of the recording, where this kit matches by a newer one.
        migrated: until when it holds, where its answers were given to other requests.
        imported: the file of another kit that it was made from: nobody saw this agent get these answers.
    """

    changed: tuple[str, ...] = ()
    expired: dt.date | None = None
    key_rule: int | None = None
    migrated: dt.date | None = None
    imported: str | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """A sentence for each."""
        found = [told_changes(self.changed)] if self.changed else []
        if self.expired is not None:
            found.append(f"expired on {self.expired}")
        if self.key_rule is not None:
            found.append(f"recorded under key rule {self.key_rule}, and this kit matches by {KEY_RULE}")
        if self.migrated is not None:
            found.append(f"migrated: its answers were given to other requests; a loan until {self.migrated}")
        if self.imported is not None:
            found.append(f"imported from {self.imported}, not recorded by kit")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class StaleCell:
    """A recorded run that is stale, and why."""

    cell: Cell
    why: Staleness

    @property
    def text(self) -> str:
        """One line for a person."""
        return f"{self.cell.name}: {'; '.join(self.why.reasons)}"


def recorded_at(header: Header) -> dt.datetime:
    """When a recording was made; what nobody can read is as old as can be."""
    try:
        return clock.parse_iso(header.recorded)
    except ValueError:
        return dt.datetime.fromtimestamp(0, dt.UTC)


def age_of(header: Header, expires_days: int | None) -> Staleness:
    """Expiry, key rule and origin of any recording; its inputs are another question.

    Args:
        header: of the recording.
        expires_days: how long one holds; None is for ever.
    """
    expired = None
    if expires_days is not None:
        end = recorded_at(header) + dt.timedelta(days=expires_days)
        expired = end.date() if end <= clock.now() else None
    key_rule = header.key_rule if header.key_rule < KEY_RULE else None
    return Staleness(expired=expired, key_rule=key_rule, imported=header.imported)


def staleness(header: Header, cell: Cell, settings: Settings) -> Staleness:
    """What speaks against the recording of a cell."""
    own = cell.selected.suite.expires_days
    age = age_of(header, settings.cassettes.expires_days if own is None else own)
    changed = changed_inputs(header.inputs, cell.selected, settings.root)
    return Staleness(changed, age.expired, age.key_rule, migrated_until(header), age.imported)


def migrated_until(header: Header) -> dt.date | None:
    """The last day of a migrated recording; None for one whose answers are its own.

    A day that nobody can read is long past: whatever it was, it is no reason to trust the recording.
    """
    if not header.migrated:
        return None
    try:
        return dt.date.fromisoformat(str(header.migrated.get("expires")))
    except ValueError:
        return dt.date.min


def refuse_expired(header: Header, where: str, next_command: str) -> None:
    """A migrated recording is a loan: on the day after its last it proves nothing any more.

    Raises:
        CassetteInvalid: it has expired.
    """
    until = migrated_until(header)
    if until is not None and clock.now().date() > until:
        raise CassetteInvalid(
            f"this recording was migrated on {header.migrated.get('at')} and held until {until}",
            where=where,
            why="its answers were given to other requests than the agent makes today",
            next_command=next_command,
        )


def stale_cells(cells: Iterable[Cell], settings: Settings) -> tuple[StaleCell, ...]:
    """The stale ones of a plan, in its order; what is not recorded or not readable is none of them."""
    found = []
    for cell in cells:
        header = peek(cell.recording(settings.root))
        why = Staleness() if header is None else staleness(header, cell, settings)
        if why.reasons:
            found.append(StaleCell(cell, why))
    return tuple(found)


def mending(cells: Sequence[Cell], root: Path) -> tuple[str, ...]:
    """What to type to record stale cells anew: a command a model, and one a variant."""
    commands = []
    plain = [cell for cell in cells if cell.variant is None]
    for model in dict.fromkeys(cell.model for cell in plain):
        own = [cell for cell in plain if cell.model == model]
        ids = dict.fromkeys(cell.selected.scenario.id for cell in own)
        suites = dict.fromkeys(cell.selected.suite.name for cell in own)
        what = " ".join(ids if len(ids) == 1 else suites)
        if len(own) > 1:
            what += " --stale"
        elif own[0].replicate > 1:
            what += f"@{own[0].replicate}"
        commands.append(f"kit record {what} --model {model}")
    variants = (record_command(cell, root) for cell in cells if cell.variant is not None)
    return (*commands, *dict.fromkeys(variants))
