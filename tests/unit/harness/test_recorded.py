"""A cell's cassettes, read; what is wrong with one is told with the cell's own command."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.key import Keyer
from kit.cassette.paths import cassette_path
from kit.cassette.store import write
from kit.errors import CassetteError, CassetteInvalid, CassetteMissing
from kit.harness.recorded import anew, read_recorded, shown
from tests.builders import chat, header

COMMAND = "kit record --model m:1b 001_x"
SHOWN = "cassettes/home/m-1b/001_x.yaml"


def refused(root: Path, content: bytes | None) -> CassetteError:
    """How a file of this content is refused; None is no file."""
    path = cassette_path(root, "home", "m:1b", "001_x")
    if content is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    with pytest.raises(CassetteError) as error:
        read_recorded(path, root, COMMAND)
    return error.value


def test_what_was_written(tmp_path: Path) -> None:
    """A good cassette comes as it is, keyed where a keyer is given."""
    path = cassette_path(tmp_path, "home", "m:1b", "001_x")
    made = Cassette(header(), (chat(),))
    write(path, made)
    assert read_recorded(path, tmp_path, COMMAND) == made
    keyed = read_recorded(path, tmp_path, COMMAND, Keyer())
    assert all(interaction.key for interaction in keyed.interactions)


def test_missing(tmp_path: Path) -> None:
    """The command names the model, which the file's path spells otherwise."""
    error = refused(tmp_path, None)
    assert type(error) is CassetteMissing
    assert str(error) == f"{SHOWN}: nothing was recorded yet\n  next: {COMMAND}"


def test_invalid_keeps_its_line(tmp_path: Path) -> None:
    """The place in the file is not lost, and the machine's paths are not told."""
    error = refused(tmp_path, b"kit: cassette 1\n\xff\n")
    assert type(error) is CassetteInvalid
    assert error.where == f"{SHOWN}:2"
    assert str(tmp_path) not in str(error)


def test_pointer_of_git_lfs_keeps_its_own_advice(tmp_path: Path) -> None:
    """Recording anew would be the wrong thing to do."""
    error = refused(tmp_path, b"version https://git-lfs.github.com/spec/v1\noid sha256:x\n")
    assert error.next_command == "git lfs pull"


def test_shown_from_the_root(tmp_path: Path) -> None:
    """A file elsewhere keeps its whole path."""
    assert shown(tmp_path / "a" / "b.yaml", tmp_path) == "a/b.yaml"
    assert shown(Path("/elsewhere/b.yaml"), tmp_path) == "/elsewhere/b.yaml"


def test_a_file_alone_says_how_it_is_recorded_anew(tmp_path: Path) -> None:
    """Sample and model stand in its header; where none helps, the path says what it can."""
    plain = cassette_path(tmp_path, "home", "m:1b", "001_x", replicate=2)
    for path, told in (
        (plain, header(replicate=2)),
        (plain.with_name("001_x.terse.yaml"), header(variant="terse")),
        (plain.with_name("001_x.judge.yaml"), header()),
    ):
        write(path, Cassette(told, (chat(),)))
    plain.write_text(plain.read_text("utf-8") + "more", encoding="utf-8")
    assert anew(plain) == "kit record --model m:1b 001_x@2"
    for name in ("001_x.terse.yaml", "001_x.judge.yaml", "001_x.yaml"):
        assert anew(plain.with_name(name)) == "kit record 001_x"
