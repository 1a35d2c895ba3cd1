"""A cell's cassettes, read; what is wrong with one is told with the cell's own command."""

from __future__ import annotations

from pathlib import Path

from kit.cassette.cassette import Cassette
from kit.cassette.keying import Keys
from kit.cassette.paths import JUDGE_SUFFIX, record_command
from kit.cassette.peek import peek
from kit.cassette.store import read
from kit.errors import CassetteError


def read_recorded(path: Path, root: Path, next_command: str, keyer: Keys | None = None) -> Cassette:
    """Read a cassette or a judge's.

    Args:
        path: the file.
        root: of the project: messages name files from there.
        next_command: what records it anew; the file alone does not know the model's tag.
        keyer: gives each interaction its key.

    Raises:
        CassetteMissing: it was never recorded.
        CassetteInvalid: it is no cassette that this kit can read.
    """
    try:
        return read(path, keyer)
    except CassetteError as error:
        where = (error.where or str(path)).replace(str(path), shown(path, root))
        command = (error.next_command or next_command).replace(str(path), shown(path, root))
        raise type(error)(
            error.what,
            where=where,
            why=error.why,
            next_command=command.replace(record_command(path), next_command),
        ) from error


def anew(path: Path) -> str:
    """What to type to record a file anew where nothing but it is known: its header tells sample and model."""
    header = None if path.name.endswith(JUDGE_SUFFIX) else peek(path)
    if header is None or header.suite is None or header.variant is not None:
        return record_command(path)
    sample = f"@{header.replicate}" if header.replicate > 1 else ""
    return f"kit record --model {header.model} {header.scenario}{sample}"


def shown(path: Path, root: Path) -> str:
    """A file's path from the project's root, where it is below it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
