"""The header of a cassette, without reading the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.peek import is_lfs_pointer, peek, recorded_model
from kit.cassette.store import write
from tests.builders import chat, header


@pytest.mark.parametrize("model", ["gpt-oss:20b", "org/model", "stub", "true", "1.5", "è: #"])
def test_tag_of_a_written_cassette(tmp_path: Path, model: str) -> None:
    """Whatever a tag looks like, it is the text that was recorded."""
    write(tmp_path / "x.yaml", Cassette(header(model=model), (chat(),)))
    assert recorded_model(tmp_path / "x.yaml") == model


def test_cassette_longer_than_what_is_read(tmp_path: Path) -> None:
    """A call of a megabyte does not keep the tag from being read."""
    write(tmp_path / "x.yaml", Cassette(header(), (chat(asked="é" * 500_000),)))
    assert recorded_model(tmp_path / "x.yaml") == "m:1b"


def test_model_that_is_not_known(tmp_path: Path) -> None:
    """A header without a model names none."""
    write(tmp_path / "x.yaml", Cassette(header(model=None), (chat(),)))
    assert recorded_model(tmp_path / "x.yaml") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"a: 1",
        b"header: 3",
        b"header: {model: 3}",
        b"header: {model: [x]}",
        b"\xff\xfe",
        b"\x00",
    ],
)
def test_what_is_no_cassette_names_no_model(tmp_path: Path, content: bytes) -> None:
    """Who reads the whole file says what is wrong with it."""
    (tmp_path / "x.yaml").write_bytes(content)
    assert recorded_model(tmp_path / "x.yaml") is None


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    """Neither is an error here."""
    assert recorded_model(tmp_path / "none.yaml") is None
    assert recorded_model(tmp_path) is None


def test_whole_header_without_the_calls(tmp_path: Path) -> None:
    """Even one that names thousands of inputs."""
    inputs = {f"prompts/{number:05d}.md": "0" * 32 for number in range(3000)}
    write(tmp_path / "x.yaml", Cassette(header(inputs=inputs), (chat(asked="x" * 100_000),)))
    found = peek(tmp_path / "x.yaml")
    assert found is not None
    assert found.inputs == inputs


def test_pointer_of_lfs_has_no_header(tmp_path: Path) -> None:
    """It is told apart from a broken file."""
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    (tmp_path / "x.yaml").write_bytes(pointer)
    assert peek(tmp_path / "x.yaml") is None
    assert is_lfs_pointer(pointer)
    assert not is_lfs_pointer(b"kit: cassette 1\n")
