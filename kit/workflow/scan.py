"""`kit scan`: what looks like a secret in files that may be committed."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import durable
from kit.cassette.load import FIRST_LINE, loads
from kit.cassette.media import FOLDER_SUFFIX, folder_of, names_in
from kit.cassette.peek import is_lfs_pointer
from kit.cassette.scanned import finds_in
from kit.errors import EXIT_BLOCKED, EXIT_OK, CassetteInvalid, UsageError
from kit.redaction.known import secrets_of
from kit.redaction.rule import parse_rules
from kit.redaction.scan import Find, Scanner
from kit.workflow.project import Project

_PASSED_OVER = frozenset(
    {".git", ".kit", ".venv", "__pycache__", "node_modules", ".mypy_cache", ".ruff_cache", ".hypothesis"}
)
_LARGEST = 64_000_000


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan saw.

    Attributes:
        found: file from where kit runs, and the find in it; in order of the files.
        files: how many were read.
        passed_over: files that hold no text.
        unmatched: rules of `[tool.kit.redaction]` that matched nothing in any of them.
        exit_code: 0 where nothing was found, else 1.
        unread: files that hold text and were not looked at, with the reason.
    """

    found: tuple[tuple[str, Find], ...]
    files: int
    passed_over: tuple[str, ...]
    unmatched: tuple[str, ...]
    exit_code: int
    unread: tuple[tuple[str, str], ...] = ()


def scan(project: Project, paths: Sequence[Path]) -> Scanned:
    """Look for secrets in files and folders.

    Args:
        project: whose rules hold.
        paths: files, and folders with all that is below them; of a cassette its media too.

    Raises:
        UsageError: there is no such file.
        ConfigError: a rule is invalid.
        EnvironmentFault: a file cannot be read.
    """
    rules = parse_rules(project.settings.redaction)
    found: list[tuple[str, Find]] = []
    passed_over: list[str] = []
    unread: list[tuple[str, str]] = []
    matched: set[str] = set()
    files = 0
    known = secrets_of(os.environ)
    waiting = list(_files(paths))
    listed = {path.absolute() for path in waiting}
    for path in waiting:
        reason = _why_unread(path)
        if reason is not None:
            unread.append((str(path), reason))
            continue
        scanner = Scanner(rules, known)
        if _is_media(path):
            found.extend((str(path), find) for find in scanner.media(_octets(path), ""))
        elif (text := _text(path)) is not None:
            found.extend((str(path), find) for find in finds_in_file(path.suffix, text, scanner))
            beside = {file.absolute(): file for file in _media_of(path, text)}
            waiting.extend(beside[whole] for whole in beside if whole not in listed)
            listed.update(beside)
        else:
            passed_over.append(str(path))
            continue
        files += 1
        matched |= scanner.matched
    unmatched = tuple(name for name in rules.names() if name not in matched)
    exit_code = EXIT_BLOCKED if found else EXIT_OK
    return Scanned(tuple(found), files, tuple(passed_over), unmatched, exit_code, tuple(unread))


def finds_in_file(suffix: str, text: str, scanner: Scanner) -> Iterator[Find]:
    """What looks like a secret in one file: line by line, and in what its format carries.

    Args:
        suffix: of its name, which tells JSON and YAML.
        text: all of it.
        scanner: a fresh one.
    """
    yield from scanner.text(text)
    if text.removeprefix("\ufeff").startswith(FIRST_LINE):
        try:
            # Media beside the file are looked at by themselves.
            yield from finds_in(loads(text, media=lambda _name: b""), scanner=scanner)
        except CassetteInvalid:
            pass  # what it says was read line by line
        else:
            return
    for value in _values(suffix, text):
        yield from scanner.value(value, "")


def _values(suffix: str, text: str) -> Iterator[Any]:
    if suffix in {".json", ".ipynb"}:
        yield from _parsed(json.loads, text)
    elif suffix in {".jsonl", ".ndjson"}:
        for line in text.splitlines():
            yield from _parsed(json.loads, line)
    elif suffix in {".yaml", ".yml", ".partial"}:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        yield from _parsed(lambda content: list(yaml.load_all(content, Loader=loader)), text)


def _parsed(parse: Any, text: str) -> Iterator[Any]:
    import yaml

    try:
        yield parse(text)
    except (ValueError, RecursionError, yaml.YAMLError):
        return


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
                yield from (Path(folder, name) for name in sorted(names))
        elif path.exists():
            yield path
        else:
            raise UsageError("there is no such file or folder", where=str(path))


def _why_unread(path: Path) -> str | None:
    """Why nobody can say what a file holds; None where it can be looked at, or holds nothing."""
    if not _is_plain(path):
        return None
    if path.stat().st_size > _LARGEST:
        return f"larger than {_LARGEST // 1_000_000} MB"
    return "a pointer of git LFS: git lfs pull" if is_lfs_pointer(_octets(path, 64)) else None


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_media(path: Path) -> bool:
    return path.parent.name.endswith(FOLDER_SUFFIX) and _is_plain(path)


def _media_of(path: Path, text: str) -> Iterator[Path]:
    """The files beside a cassette that it points at, as far as they are there."""
    for name in sorted(names_in(text)) if text.removeprefix("\ufeff").startswith(FIRST_LINE) else ():
        file = folder_of(path) / name
        if file.exists():
            yield file


def _octets(path: Path, count: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError as error:
        raise durable.fault("the file cannot be read", path, error) from error


def _text(path: Path) -> str | None:
    """The text of a file; None for a binary, a link and what is no file."""
    if not _is_plain(path):
        return None
    octets = _octets(path)
    if octets.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return octets.decode("utf-16", "replace")
    if b"\0" in octets[:8192]:
        return None
    return octets.decode("utf-8", "replace")
