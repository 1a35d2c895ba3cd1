"""`kit cassette`: the group of verbs that look after recordings."""

from __future__ import annotations

from pathlib import Path

import kit.cli
from kit.cli.cassette import VERBS, app


def test_every_verb_has_its_module() -> None:
    """A module `cassette_<verb>.py` is a verb on the command line, and the other way round."""
    files = {
        path.stem.removeprefix("cassette_") for path in Path(kit.cli.__file__).parent.glob("cassette_*.py")
    }
    assert {command.name for command in app.registered_commands} == set(VERBS) == files
