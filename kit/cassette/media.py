"""Large media as files beside the cassette, named by their digest: `<name>.media/<digest>.<ext>`.

A picture in base64 tells a reviewer nothing and makes every line after it hard to find; as a file it can be
looked at. The name is the digest of the content, so a reference says all that a review has to compare.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from kit.canonical import digest
from kit.cassette.marks import Args, Media, RawBytes
from kit.cassette.paths import PARTIAL_SUFFIX, SUFFIX, partial_path
from kit.errors import CassetteInvalid

LIMIT = 8192
"""Smaller media stay in the cassette: a file of its own costs a reader more."""

FOLDER_SUFFIX = ".media"
Loader = Callable[[str], bytes]
"""Content by file name; raises CassetteInvalid where it is not there, or not what its name says."""

_NAME = re.compile(r"[0-9a-f]{32}\.[a-z0-9]{2,4}")
_BASE64 = re.compile(r"(data:[^,\s]{0,100};base64,)?([A-Za-z0-9+/]+={0,2}|[A-Za-z0-9_-]+={0,2})\Z")
_TAG = re.compile(r"!media(?:\.\w+)? \S*?(" + _NAME.pattern + ")")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_KINDS = (
    (b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"), (b"%PDF", "pdf"), (b"ID3", "mp3"),
    (b"\xff\xfb", "mp3"), (b"OggS", "ogg"), (b"fLaC", "flac"), (b"PK\x03\x04", "zip"), (b"\x1f\x8b", "gz"),
)  # fmt: skip
_INNER_KINDS = {b"WEBP": "webp", b"WAVE": "wav", b"ftyp": "mp4"}


def folder_of(path: Path) -> Path:
    """The folder of a cassette's media; an interrupted recording has the same as the one it lies beside."""
    name = path.name.removesuffix(PARTIAL_SUFFIX).removesuffix(SUFFIX)
    return path.with_name(name + FOLDER_SUFFIX)


def names_in(text: str) -> set[str]:
    """The names of the media files that a cassette's text points at."""
    return set(_TAG.findall(text)) if "!media" in text else set()


def file_name(content: bytes) -> str:
    """The name of a media file: digest and kind."""
    return f"{digest(content)}.{_kind(content)}"


def _kind(content: bytes) -> str:
    inner = _INNER_KINDS.get(content[8:12]) or _INNER_KINDS.get(content[4:8])
    return inner or next((kind for magic, kind in _KINDS if content.startswith(magic)), "bin")


def taken_out(tree: Any, found: dict[str, bytes]) -> Any:
    """A shown value with references in the place of its large media.

    Args:
        tree: a call as it will be written, or a part of it.
        found: gets the content of each file by its name.
    """
    if isinstance(tree, dict):
        return {name: taken_out(child, found) for name, child in tree.items()}
    if isinstance(tree, list):
        return [taken_out(child, found) for child in tree]
    if isinstance(tree, Args):
        return Args(tree.style, taken_out(tree.value, found))
    if isinstance(tree, RawBytes) and len(tree.content) > LIMIT:
        return Media(_kept(tree.content, found))
    return _text(tree, found) if isinstance(tree, str) and len(tree) > LIMIT else tree


def _kept(content: bytes, found: dict[str, bytes]) -> str:
    name = file_name(content)
    found[name] = content
    return name


def _text(text: str, found: dict[str, bytes]) -> str | Media:
    match = _BASE64.match(text)
    if match is None:
        return text
    style = "base64url" if "-" in match[2] or "_" in match[2] else "base64"
    try:
        content = _decoded(match[2], style)
    except (ValueError, binascii.Error):
        return text
    if len(content) <= LIMIT or _encoded(content, style) != match[2]:
        return text
    return Media(_kept(content, found), style, match[1] or "")


def _decoded(text: str, style: str) -> bytes:
    return base64.urlsafe_b64decode(text) if style == "base64url" else base64.b64decode(text, validate=True)


def _encoded(content: bytes, style: str) -> str:
    encode = base64.urlsafe_b64encode if style == "base64url" else base64.b64encode
    return encode(content).decode("ascii")


def put_back(tree: Any, load: Loader) -> Any:
    """A value as the file has it with its media in place: in base64 in texts, as bytes where it is a body.

    Changes mappings and lists in place, since they know their lines.
    """
    if isinstance(tree, dict):
        for name, child in tree.items():
            tree[name] = put_back(child, load)
    elif isinstance(tree, list):
        tree[:] = [put_back(child, load) for child in tree]
    elif isinstance(tree, Args):
        put_back(tree.value, load)
    elif isinstance(tree, Media):
        content = load(tree.name)
        return RawBytes(content) if not tree.style else tree.prefix + _encoded(content, tree.style)
    return tree


def read(tag: str, value: str) -> Media:
    """The mark behind a tag of the file.

    Raises:
        ValueError: no name of a media file, or no encoding.
    """
    style = tag.removeprefix("!media").removeprefix(".")
    name = _NAME.search(value)
    if name is None or name.end() != len(value) or style not in {"", "base64", "base64url"}:
        raise ValueError("it must be [prefix]<32 hex digits>.<ext>, behind !media, .base64 or .base64url")
    return Media(name.group(), style, value[: name.start()])


def beside(path: str | Path) -> Loader:
    """Loads the media of the cassette in a file.

    Args:
        path: the cassette.
    """
    folder = folder_of(Path(path))

    def load(name: str) -> bytes:
        file = folder / name
        again = f"git checkout -- {file}"
        try:
            content = file.read_bytes()
        except OSError as error:
            what = f"its media file {file} cannot be read: {error.strerror}"
            raise CassetteInvalid(what, where=str(path), next_command=again) from error
        if content.startswith(_LFS_POINTER):
            what = f"its media file {file} is a pointer of git LFS, not the content"
            raise CassetteInvalid(what, where=str(path), next_command="git lfs pull")
        if digest(content) != name.partition(".")[0]:
            what = f"its media file {file} was changed: its content is not what its name says"
            raise CassetteInvalid(what, where=str(path), next_command=again)
        return content

    return load


def drop_unused(path: Path) -> None:
    """Delete the media that a cassette does not need, nor the interrupted recording beside it.

    Files that cannot be deleted do no harm and are left.

    Args:
        path: the cassette or the interrupted recording, just written or just deleted.
    """
    folder = folder_of(path)
    if not folder.is_dir():
        return
    whole = path.with_name(path.name.removesuffix(PARTIAL_SUFFIX))
    wanted = _wanted(whole) | _wanted(partial_path(whole))
    with suppress(OSError):
        for file in sorted(folder.iterdir()):
            if _NAME.fullmatch(file.name) and file.name not in wanted:
                file.unlink()
        if not any(folder.iterdir()):
            folder.rmdir()


def _wanted(path: Path) -> set[str]:
    try:
        return names_in(path.read_text("utf-8", errors="replace"))
    except FileNotFoundError:
        return set()
