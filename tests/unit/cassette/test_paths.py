"""Where cassettes live."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.paths import (
    cassette_path,
    file_name,
    judge_path,
    partial_path,
    record_command,
    tape_path,
)

ROOT = Path("/project")


def test_the_tree_is_the_index() -> None:
    """Suite, model, scenario, variant and replicate are read off the path."""
    plain = cassette_path(ROOT, "home", "gpt-oss:20b", "001_read_log")
    assert plain == ROOT / "cassettes/home/gpt-oss-20b/001_read_log.yaml"
    third = cassette_path(ROOT, "home", "org/model:tag", "001", "terse", 3)
    assert third == ROOT / "cassettes/home/org-model-tag/001.terse@3.yaml"
    assert judge_path(third).name == "001.terse@3.judge.yaml"
    assert partial_path(plain).name == "001_read_log.yaml.partial"
    assert tape_path(ROOT, "demo") == ROOT / "cassettes/tapes/demo.yaml"


@pytest.mark.parametrize("text", ["..", ".", "", "../../etc", "a/b", ".hidden", "a\x00b", "nul:"])
def test_no_name_leaves_its_folder(text: str) -> None:
    """A hostile or odd name is one visible part of a path."""
    name = file_name(text)
    assert name
    assert not name.startswith(".")
    assert not set(name) & set("/\\:\0")


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("cassettes/home/m/001.terse@2.yaml", "kit record 001"),
        ("cassettes/home/m/001@2.judge.yaml", "kit record 001"),
        ("cassettes/home/m/001.yaml.partial", "kit record <scenario>"),
        ("cassettes/tapes/demo.yaml", "kit record --tape demo -- <the program>"),
        ("<cassette>", "kit record <scenario>"),
    ],
)
def test_the_next_command_follows_from_the_path(path: str, command: str) -> None:
    """A message about a file says how to record it anew."""
    assert record_command(path) == command
