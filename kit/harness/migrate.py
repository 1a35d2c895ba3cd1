"""A recording after a deliberate change of prompt, tools or parameters: new requests, the old answers.

The conversation behind them has to be the same to the letter. What comes of it is a loan until somebody
records again: it says so in its header, it expires, it is never enough for a floor, and the gate warns of it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kit import clock
from kit.agent.load import load_agent
from kit.canonical import digest_file
from kit.cassette.cassette import Cassette
from kit.cassette.divergence import Divergence
from kit.cassette.header import KEY_RULE, Header
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.cassette.outline import CHANGES
from kit.errors import CassetteInvalid
from kit.harness.plan import Cell, record_command
from kit.harness.recorded import read_recorded, shown
from kit.harness.setting import agent_name, replayed
from kit.harness.world import World, redactor_of
from kit.recording.options import SessionResult


@dataclass(frozen=True, slots=True)
class Migration:
    """What a changed agent makes of one recording.

    Attributes:
        path: the run's cassette.
        cassette: as it would be written.
        divergences: what differs in its requests, in order; never empty.
    """

    path: Path
    cassette: Cassette
    divergences: tuple[Divergence, ...]


def migration(cell: Cell, world: World) -> Migration | None:
    """Run the agent of today against the recording, and put its requests in the place of the recorded ones.

    Args:
        cell: the run.
        world: in mode replay.

    Returns:
        None where every request is still the recorded one.

    Raises:
        CassetteMissing: nothing is recorded.
        CassetteInvalid: more than prompt, tools and parameters differs, or it was edited by hand.
    """
    root = world.settings.root
    path = cell.recording(root)
    redactor = redactor_of(world.settings)
    keyer = Keyer(redactor)
    command = record_command(cell, root)
    cassette = read_recorded(path, root, command, keyer)
    where = shown(path, root)
    if cassette.edited:
        raise CassetteInvalid(
            "it was edited by hand: what would be migrated was never answered",
            where=where,
            next_command=command,
        )
    agent = load_agent(agent_name(cell, world.settings), root)
    run = replayed(cell, world, agent, cassette.header, redactor, Playlist(cassette.interactions, keyer))
    if run.verdict_error is not None and not run.is_conditional:
        raise CassetteInvalid(
            run.verdict_error,
            where=where,
            why="only changes of system prompt, tool schemas and parameters can be migrated",
            next_command=command,
        )
    session = run.session
    if not session.divergences:
        return None
    recorded = tuple(_asked_now(one, session) for one in cassette.interactions)
    header = _marked(cassette.header, session.divergences, world)
    return Migration(path, Cassette(header, recorded), session.divergences)


def _asked_now(one: Interaction, session: SessionResult) -> Interaction:
    asked = session.asked.get(one.number)
    return one if asked is None else replace(one, request=asked, key=None)


def _marked(header: Header, divergences: tuple[Divergence, ...], world: World) -> Header:
    """The header says what was done; a second migration is no new loan."""
    today = clock.now().date()
    days = dt.timedelta(days=world.settings.cassettes.migrated_expires_days)
    met = {change for one in divergences for change in one.changes} | set(header.migrated.get("changed", ()))
    loan: dict[str, Any] = {
        "at": header.migrated.get("at", today.isoformat()),
        "expires": header.migrated.get("expires", (today + days).isoformat()),
        "changed": [change for change in CHANGES if change in met],
    }
    return replace(
        header, migrated=loan, key_rule=KEY_RULE, inputs=_as_they_are(header.inputs, world.settings.root)
    )


def _as_they_are(inputs: dict[str, str], root: Path) -> dict[str, str]:
    """The same inputs as they are now: the change that they saw is the one that was migrated."""
    return {name: digest_file(root / name) for name in inputs if (root / name).is_file()}
