"""Text of format v1 as a cassette; what is wrong with a file is said with its line and what is allowed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kit.canonical import digest
from kit.cassette import lines, rows
from kit.cassette.cassette import Cassette
from kit.cassette.decode import Reader
from kit.cassette.fields import Section, kind_of
from kit.cassette.header import Header
from kit.cassette.interaction import HttpResponse, Interaction
from kit.cassette.keying import Keys
from kit.cassette.paths import record_command
from kit.cassette.yamlevents import Fields, read_tree
from kit.errors import CassetteInvalid

VERSION = 1
FIRST_LINE = f"kit: cassette {VERSION}"
TOP_KEYS = ("kit", "header", "calls", "volatile")
HEADER_KEYS = {field.name.replace("_", "-"): field for field in dataclasses.fields(Header)}
DIGEST_KEY = "digest"

_VOLATILE = "\nvolatile:\n"
_MEDIA = "!media"
_CONFLICT = re.compile(r"^(?:<<<<<<< |=======$|>>>>>>> |\|\|\|\|\|\|\| )", re.MULTILINE)
_CONFLICT_HINTS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
_FOREIGN = re.compile(
    r"^ *\"?(?:interactions|http_interactions)\"?:|^ *\{ *\"(?:interactions|version)\":", re.MULTILINE
)
_VERSION = re.compile(r"^kit: *['\"]?cassette ([0-9]+)['\"]? *$", re.MULTILINE)
_DIGEST = re.compile(r"^  digest: ['\"]?([0-9a-f]{32})['\"]?\s*\Z", re.MULTILINE)
_DIGEST_HINT = "\n  digest: "
_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "str | None": (str, type(None)),
    "int | None": (int, type(None)),
    "dict[str, Any]": (dict,),
    "dict[str, str]": (dict,),
}


def loads(
    text: str,
    path: str = "<cassette>",
    keyer: Keys | None = None,
    media: Callable[[str], bytes] | None = None,
) -> Cassette:
    """A cassette from its text.

    Args:
        text: the whole file.
        path: for messages.
        keyer: gives each interaction its key without building the bodies of folded requests.
        media: content of a media file by its name; None reads the files beside `path`.

    Raises:
        CassetteInvalid: empty, cut short, in conflict, of another format or version, or against the
            specification.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    _refuse_foreign(text, path)
    found = _digest_line(text)
    top = Section(read_document(text, path), path, "a cassette")
    top.only(TOP_KEYS)
    volatile = Section(top.get("volatile", dict), path, "volatile")
    calls = top.get("calls", list)
    if _MEDIA in text:
        from kit.cassette.media import beside, put_back  # most cassettes have none

        put_back(calls, media or beside(path))
    reader = Reader(path, _ids(volatile), volatile, keyer)
    line = top.content.lines["calls"]
    interactions: list[Interaction] = []
    for call in calls:
        interactions.append(reader.decode(call, interactions[-1].number if interactions else 0, line))
    edited = found is None or found.group(1) != content_digest(text[: found.start()])
    volatile.only(("ids", *(str(item.number) for item in interactions), DIGEST_KEY))
    if any(item.under is not None for item in interactions):
        interactions = list(_with_lines(interactions))
    if edited:
        interactions = [_without_stale_chunks(item) for item in interactions]
    return Cassette(_header(top, path), tuple(interactions), edited=edited)


def _with_lines(interactions: Iterable[Interaction]) -> Iterator[Interaction]:
    """Where some say what they came from, the others came from the one before them."""
    before = 0
    for item in interactions:
        yield item if item.under is not None else dataclasses.replace(item, under=before)
        before = item.number


def _without_stale_chunks(item: Interaction) -> Interaction:
    """An answer that was made longer or shorter by hand reaches the client in one piece."""
    answer = item.response
    if not isinstance(answer, HttpResponse) or sum(answer.chunks) in {0, len(answer.body)}:
        return item
    return dataclasses.replace(item, response=dataclasses.replace(answer, chunks=()))


def read_header(text: str, path: str) -> Header:
    """The header of a cassette whose text may end where its calls begin.

    Raises:
        CassetteInvalid: there is no header that follows the specification.
    """
    return _header(Section(read_tree(text, path), path, "a cassette"), path)


def read_document(text: str, path: str, *, as_written: bool = False) -> Any:
    """The tree of a cassette's text, unchecked.

    Args:
        text: the whole file.
        path: for messages.
        as_written: leave ids and arguments as the tags they are; else `ids.restore` may have less to do.

    Raises:
        CassetteInvalid: it is no YAML, or YAML that a cassette must not hold.
    """
    head, mark, tail = text.rpartition(_VOLATILE)
    fields = rows.read(tail, head.count("\n") + 2) if mark else None
    if fields is None:
        return read_tree(text, path)
    head += "\n"
    ids = fields.get("ids", {})
    tree = lines.read(head, None if as_written or not isinstance(ids, dict) else ids)
    if tree is None:
        tree = read_tree(head, path)
    if not isinstance(tree, Fields) or "volatile" in tree:
        return read_tree(text, path)
    tree["volatile"] = fields
    tree.lines["volatile"] = fields.line
    return tree


def content_digest(text: str) -> str:
    """Digest by which an edit by hand is noticed; `text` is the file up to its digest line."""
    return digest(text.encode("utf-8"))


def reviewed(text: str) -> str:
    """The part of a cassette that a reviewer reads: without header and volatile block.

    Two recordings are «unchanged» if this is equal. It needs no valid file: the old one may be broken.
    """
    start = text.find("\ncalls:")
    end = text.find("\nvolatile:", start)
    return text[start:end] if 0 <= start < end else ""


def _refuse_foreign(text: str, path: str) -> None:
    """Say what the file is instead of a cassette, before YAML gets to complain about it."""
    if not text.strip():
        raise CassetteInvalid("the file is empty", where=path, next_command=record_command(path))
    # A long text is searched for a word much quicker than for the beginning of a line.
    conflict = _CONFLICT.search(text) if any(hint in text for hint in _CONFLICT_HINTS) else None
    if conflict is not None:
        raise CassetteInvalid(
            "the file holds the marks of a git merge conflict",
            where=f"{path}:{text.count(chr(10), 0, conflict.start()) + 1}",
            why="two branches recorded this scenario; a mix of both would be a run that nobody made",
            next_command=f"kit cassette resolve {path}",
        )
    version = _VERSION.search(text)
    if version is not None and int(version.group(1)) != VERSION:
        raise CassetteInvalid(
            f"this cassette has format {version.group(1)}, this kit reads format {VERSION}",
            where=path,
            why="it was written by a newer kit"
            if int(version.group(1)) > VERSION
            else "no such format exists",
            next_command="pip install --upgrade cassette-kit",
        )
    if version is None and not text.startswith(("-", "[")):
        raise _no_cassette(path, f"its first line is not `{FIRST_LINE}`", text)
    if version is not None and _digest_line(text) is None:
        raise _cut_short(path)


def _digest_line(text: str) -> re.Match[str] | None:
    start = text.rfind(_DIGEST_HINT)
    return None if start < 0 else _DIGEST.search(text, start)


def _no_cassette(path: str, why: str, text: str = "") -> CassetteInvalid:
    command = record_command(path)
    if _FOREIGN.search(text, 0, 1000):
        command = f"kit cassette import {path} --out CASSETTE, if this is a recording of vcrpy"
    return CassetteInvalid("this is no cassette of kit", where=path, why=why, next_command=command)


def _cut_short(path: str) -> CassetteInvalid:
    what = "the file is cut short: its last line, the digest, is missing"
    return CassetteInvalid(
        what, where=path, next_command=f"git checkout -- {path}, or {record_command(path)}"
    )


def _ids(volatile: Section) -> dict[str, str]:
    ids = volatile.get("ids", dict, default={})
    for name, value in ids.items():
        if not isinstance(value, str):
            volatile.refuse(f"the id {name} must be text, not {kind_of(value)}", "ids")
    return dict(ids)


def _header(top: Section, path: str) -> Header:
    section = Section(top.get("header", dict), path, "header")
    section.only(tuple(HEADER_KEYS))
    values: dict[str, Any] = {}
    for key, field in HEADER_KEYS.items():
        if key in section.content:
            value = section.get(key, *_KINDS[str(field.type)])
            values[field.name] = dict(value) if isinstance(value, Fields) else value
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            section.get(key)
    return Header(**values)
