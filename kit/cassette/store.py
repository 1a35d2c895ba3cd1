"""Cassettes on disk: never lost, never half a file, writers one after the other (decision 9)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NewType

from kit import durable
from kit.canonical import digest
from kit.cassette.cassette import Cassette
from kit.cassette.keying import Keys
from kit.cassette.load import loads, reviewed
from kit.cassette.paths import FOLDER, PARTIAL_SUFFIX, partial_path, record_command
from kit.errors import CassetteInvalid, CassetteMissing, CassetteRefused

if TYPE_CHECKING:
    from kit.redaction.scan import Find

Seen = NewType("Seen", str)
"""What a file held at some moment; empty where there was none."""

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What writing did.

    Attributes:
        path: what was written.
        changed: False where old and new are equal outside header and volatile.
        displaced: where another recording is kept that was made meanwhile, by another kit; None without one.
    """

    path: Path
    changed: bool
    displaced: Path | None = None


def read(path: Path, keyer: Keys | None = None) -> Cassette:
    """The cassette in a file.

    Args:
        path: the file.
        keyer: gives each interaction its key.

    Raises:
        CassetteMissing: there is no such file.
        CassetteInvalid: it is no cassette that this kit can read.
    """
    return loads(_text(path), str(path), keyer)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CassetteMissing(
            "nothing was recorded yet",
            where=str(path),
            next_command=record_command(path),
        ) from None
    except OSError as error:
        raise CassetteInvalid(
            f"cannot be read: {error.strerror}", where=str(path), next_command=_mended(path, error)
        ) from error
    if content.startswith(_LFS_POINTER):
        raise CassetteInvalid(
            "this is a pointer of git LFS, not the cassette", where=str(path), next_command="git lfs pull"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CassetteInvalid(
            "this is not UTF-8",
            where=f"{path}:{line}",
            next_command=f"git checkout -- {path}, or {record_command(path)}",
        ) from error


def seen(path: Path) -> Seen:
    """What is in the file now: who writes it later notices what others have written meanwhile."""
    try:
        return Seen(digest(path.read_bytes()))
    except OSError:
        return Seen("")


def _mended(path: Path, error: OSError) -> str:
    again = record_command(path)
    if isinstance(error, PermissionError):
        return f"chmod u+r {path}, or {again}"
    if isinstance(error, IsADirectoryError):
        return f"move that folder, then {again}"
    return f"git checkout -- {path}, or {again}"


def write(path: Path, cassette: Cassette, since: Seen | None = None) -> WriteResult:
    """Put a cassette in its file, whole or not at all.

    Args:
        path: the file; its folder is made.
        cassette: what was recorded.
        since: what was in the file when the run began. What another kit has recorded since then is not lost:
            it goes to `.kit/displaced`.

    Raises:
        CassetteRefused: it holds what looks like a secret; it is kept in `.kit/refused` instead.
        EnvironmentFault: the disk refuses, or another writer does not let go.
    """
    from kit.cassette.media import drop_unused  # replay writes no cassette

    media: dict[str, bytes] = {}
    text, found = _checked(path, cassette, media)
    home = home_of(path)
    try:
        if found:
            raise _refused(path, home, text, found)
        with durable.alone(path, home):
            old = _old(path)
            displaced = None
            if since is not None and old and digest(old) != since and old != text.encode():
                displaced = _displaced(path, home, old)
            _write_media(path, home, media)
            durable.write(path, text, home)
            drop_unused(path)
    except OSError as error:
        raise durable.fault("the cassette cannot be written", path, error) from error
    return WriteResult(path, reviewed(old.decode("utf-8", "replace")) != reviewed(text), displaced)


def write_partial(path: Path, cassette: Cassette, since: Seen | None = None) -> Path:
    """Keep what an interrupted run recorded beside the cassette, which stays as it is; returns the path."""
    return write(partial_path(path), cassette, since).path


def home_of(path: Path) -> Path:
    """The `.kit` of the project that a cassette belongs to, or beside a cassette that lies in none."""
    folder = path.absolute().parent
    project = next((parent.parent for parent in (folder, *folder.parents) if parent.name == FOLDER), folder)
    return project / durable.HOME


def _checked(path: Path, cassette: Cassette, media: dict[str, bytes]) -> tuple[str, list[Find]]:
    """The text of a cassette, and what looks like a secret in it (decision 10)."""
    from kit.cassette.emit import dumps  # replay writes no cassette
    from kit.cassette.media import folder_of
    from kit.cassette.scanned import finds_in, finds_in_media, project_rules, with_clean_header
    from kit.redaction.known import secrets_of
    from kit.redaction.scan import Scanner

    rules = project_rules(home_of(path).parent)
    text = dumps(cassette, media)
    clean = with_clean_header(cassette, rules, text)
    scanner = Scanner(rules, secrets_of(os.environ))
    found = [*finds_in(clean, rules, scanner), *finds_in_media(media, folder_of(path).name, scanner)]
    if found and media:
        text = dumps(clean)  # what is refused is kept as one file
    elif clean is not cassette:
        text = dumps(clean, media)
    return text, found


def _refused(path: Path, home: Path, text: str, found: list[Find]) -> CassetteRefused:
    from kit.cassette.scanned import refusal

    name = path.name.removesuffix(PARTIAL_SUFFIX) + PARTIAL_SUFFIX
    # Another suite or model may have a cassette of this name.
    kept = durable.private_folder(home, "refused") / f"{digest(text.encode())[:12]}-{name}"
    durable.write(kept, text, home)
    kept.chmod(0o600)
    return refusal(_below(home.parent, path), _below(home.parent, kept), found)


def _below(root: Path, path: Path) -> Path:
    """As a person who works in the project types it."""
    whole = path.absolute()
    return whole.relative_to(root) if whole.is_relative_to(root) else path


def _write_media(path: Path, home: Path, media: dict[str, bytes]) -> None:
    """First the media, then the cassette that points at them: a crash in between leaves files, no gap."""
    if media:
        from kit.cassette.media import folder_of

        for name, content in media.items():
            if _old(folder_of(path) / name) != content:
                durable.write(folder_of(path) / name, content, home)


def _old(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, PermissionError):
        return b""


def _displaced(path: Path, home: Path, old: bytes) -> Path:
    """Keeps the other recording under a name of its own content, so that no third one can take its place."""
    kept = durable.private_folder(home, "displaced") / f"{digest(old)[:12]}-{path.name}"
    if not kept.exists():
        _keep_media(path, kept, home, old.decode("utf-8", "replace"))
        durable.write(kept, old, home)
    return kept


def _keep_media(path: Path, kept: Path, home: Path, text: str) -> None:
    from kit.cassette.media import folder_of, names_in

    media = {name: _old(folder_of(path) / name) for name in names_in(text)}
    _write_media(kept, home, {name: content for name, content in media.items() if content})
