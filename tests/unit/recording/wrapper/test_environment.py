from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest

import kit
from kit.recording.wrapper.environment import (
    CHILD_PATH,
    child_environment,
    package_sources,
    unreachable_reason,
)


def test_environment_is_the_same_from_run_to_run(tmp_path: Path) -> None:
    """What would change a prompt from run to run is fixed; the rest of the environment stays."""
    base = {"HOME": "/home/me", "PYTHONPATH": "/mine", "TZ": "Asia/Tokyo"}
    found = child_environment(base, job=tmp_path / "job", temporary=tmp_path / "tmp", hash_seed=7)
    assert found["HOME"] == "/home/me"
    assert found["PYTHONPATH"] == f"{CHILD_PATH}{os.pathsep}/mine"
    assert (found["PYTHONHASHSEED"], found["TZ"], found["LC_ALL"]) == ("7", "UTC", "C.UTF-8")
    assert found["TMPDIR"] == str(tmp_path / "tmp")


def test_path_gets_no_empty_entry(tmp_path: Path) -> None:
    """An empty entry of PYTHONPATH would be the working directory."""
    for base in ({}, {"PYTHONPATH": ""}):
        found = child_environment(base, job=tmp_path, temporary=tmp_path, hash_seed=0)
        assert found["PYTHONPATH"] == str(CHILD_PATH)


def test_folder_on_the_path_holds_nothing_but_the_door() -> None:
    """Nothing else of kit can be imported by accident."""
    assert [path.name for path in CHILD_PATH.glob("*.py")] == ["sitecustomize.py"]
    assert not (CHILD_PATH / "__init__.py").exists()


def test_sources_name_the_folders_to_import_from() -> None:
    """Kit and orjson may be installed in different places (an editable install)."""
    sources = package_sources()
    assert kit.__file__ is not None
    assert sources["kit"] == str(Path(kit.__file__).parents[1])
    assert sources["orjson"] == str(Path(orjson.__file__).parents[1])
    assert "httpx" not in sources


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("python", "-S", "x.py"), "-S"),
        (("python3.11", "-X", "dev", "-uI", "x.py"), "-uI"),
        (("python", "x.py", "-S"), None),
        (("python", "-m", "pkg", "-E"), None),
        (("sh", "-E"), None),
    ],
)
def test_option_that_keeps_kit_out_is_seen(command: tuple[str, ...], option: str | None) -> None:
    """Only options of Python itself count, not those of the program."""
    reason = unreachable_reason(command)
    assert (reason is None) if option is None else f"`{option}`" in str(reason)


@pytest.mark.parametrize(
    ("line", "is_out"),
    [
        ("#!/usr/bin/python3 -E", True),
        ("#!/usr/bin/env -S python3 -I", True),
        ("#!/usr/bin/env python3", False),
        ("#!/bin/sh -E", False),
        ("plain text", False),
    ],
)
def test_first_line_of_a_script_is_read(tmp_path: Path, line: str, is_out: bool) -> None:
    """The interpreter's options may stand in the script itself."""
    script = tmp_path / "tool"
    script.write_text(f"{line}\n")
    script.chmod(0o755)
    assert (unreachable_reason((str(script),)) is not None) is is_out
