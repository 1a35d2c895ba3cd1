"""From what the audit hook lets pass to what the kernel is asked for."""

from __future__ import annotations

import dataclasses
import stat
from pathlib import Path

import pytest

from kit.recording.guard.allow import Allow, parse_allow
from kit.recording.wrapper.kernel_rules import KernelRules, kernel_rules


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory, a home beside it."""
    home, here = tmp_path / "home", tmp_path / "project"
    (home / ".cache").mkdir(parents=True)
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.chdir(here)
    return here


def rules(project: Path, *allow: str) -> KernelRules:
    return kernel_rules("all", parse_allow(allow), project, ())


def writable(project: Path, *allow: str) -> set[str]:
    """What `allow` adds to what is permitted anyway."""
    plain = rules(project).writable or ()
    return set(rules(project, *allow).writable or ()) - set(plain)


def test_everything_free_for_the_hook_is_free_for_the_kernel(project: Path) -> None:
    """Working directory, temporary folders, the user's cache, devices; kit's own folders; nothing else."""
    found = kernel_rules("all", Allow(), project, (project.parent / "job",))
    home = project.parent / "home"
    assert found.network
    assert found.lacks == {}
    assert {str(project), str(home / ".cache"), "/tmp", "/dev", "/proc", str(project.parent / "job")} <= set(
        found.writable or ()
    )
    assert not {str(home), str(project.parent), "/", str(project / ".git")} & set(found.writable or ())


@pytest.mark.parametrize(
    ("rule", "folder"),
    [
        ("write:../data", "data"),
        ("write:../data/new/deep.txt", "data"),
        ("write:../data/db.sqlite", "data"),
        ("write:../data/*.log", "data"),
        ("write:../data/run-?/x.log", "data"),
        ("write:../data/[ab]/*.log", "data"),
        ("write:../data/[ab]/x.log", "data/[ab]"),
    ],
    ids=["folder", "not-there-yet", "file", "star", "question", "set", "brackets-alone-are-a-name"],
)
def test_a_declared_path_permits_its_longest_fixed_folder(project: Path, rule: str, folder: str) -> None:
    """The kernel knows folders that are there: a file's own, the one above a wildcard or a new folder."""
    data = project.parent / "data"
    (data / "[ab]").mkdir(parents=True)
    (data / "db.sqlite").touch()
    assert writable(project, rule) == {str(project.parent / folder)}


def test_caches_of_tools_above_the_working_directory(project: Path) -> None:
    """A pytest in a subfolder keeps its cache at the root of its project."""
    cache = project.parent / ".pytest_cache"
    assert str(cache) not in (rules(project).writable or ())
    cache.mkdir()
    assert str(cache) in (rules(project).writable or ())


def test_a_declared_host_keeps_the_network(project: Path) -> None:
    """A namespace has no single hosts; the writes are guarded all the same."""
    found = rules(project, "connect:127.0.0.1:5432", "connect:b:*")
    assert not found.network
    assert found.writable
    assert found.lacks == {"network": "connect:127.0.0.1:5432 is declared"}
    assert rules(project, "connect:b:*").lacks == {"network": "connect:b:* is declared"}


def test_a_declared_program_that_gains_rights(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What gains rights, like sudo, would fail under the kernel: then it guards nothing and says why."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, mode in (("sudo", 0o755 | stat.S_ISUID), ("git", 0o755)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    assert rules(project, "run:git log", "run:not-there").lacks == {}
    found = rules(project, "run:git log", "run:sudo -n true")
    assert (found.writable, found.network) == (None, False)
    assert set(found.lacks) == {"writes", "network"}
    assert found.lacks["writes"].startswith("run:sudo is declared, which gains rights")


def test_switched_off(project: Path) -> None:
    """`kernel_guard` names the parts that are wanted; what is left out says so."""
    off = {one: kernel_rules(one, Allow(), project, ()) for one in ("all", "writes", "network", "none")}
    assert {one: (found.writable is not None, found.network) for one, found in off.items()} == {
        "all": (True, True),
        "writes": (True, False),
        "network": (False, True),
        "none": (False, False),
    }
    assert {one: list(found.lacks) for one, found in off.items()} == {
        "all": [],
        "writes": ["network"],
        "network": ["writes"],
        "none": ["writes", "network"],
    }
    assert "kernel_guard" in off["writes"].lacks["network"]
    assert dataclasses.replace(off["none"], lacks={}) == KernelRules()
