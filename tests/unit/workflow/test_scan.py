"""Files and folders under a scan."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.config.load import load
from kit.errors import EnvironmentFault, UsageError
from kit.workflow.project import Project
from kit.workflow.scan import scan
from tests.fakes.disk import FaultyDisk

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def project(folder: Path, rules: str = "") -> Project:
    """A project with rules."""
    (folder / "pyproject.toml").write_text(f"[tool.kit]\n[tool.kit.redaction]\n{rules}")
    return Project(load(folder))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.py", f"x = '{SECRET}'\n"),
        ("a.json", json.dumps({"a": json.dumps({"b": SECRET})})),
        ("a.jsonl", f"{{}}\nbroken\n{json.dumps({'a': SECRET})}\n"),
        ("a.yaml", 'a: "ghp_abcdefghijklmnopqrstuvwxyz\\\n  0123456789"\nb: 1\n'),
        ("a.yaml", f"kit: cassette 1\nbroken {SECRET}\n"),
        ("noext", f"\ufeffline\n{SECRET}"),
    ],
)
def test_each_form_of_file_is_opened(tmp_path: Path, name: str, content: str) -> None:
    """Line by line, and by what the format carries; one find, however often it is seen."""
    home = project(tmp_path)
    (tmp_path / name).write_text(content, "utf-8")
    scanned = scan(home, [tmp_path / name])
    assert [find.kind for _, find in scanned.found] == ["GitHub token"]
    assert scanned.exit_code == 1


def test_a_cassette_is_seen_by_its_interactions(tmp_path: Path) -> None:
    """A secret that the stream's deltas hold in pieces is in no line of the file."""
    events = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in (SECRET[:9], SECRET[9:])]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
    answer = HttpResponse(200, (("content-type", "text/event-stream"),), body)
    one = Interaction(1, "model", HttpRequest("POST", "http://h/", (), b"{}"), answer, 0, 1)
    header = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")
    (tmp_path / "x.yaml").write_text(dumps(Cassette(header, (one,))), "utf-8")
    assert scan(project(tmp_path), [tmp_path / "x.yaml"]).exit_code == 1


def test_folders_are_walked_and_other_files_passed_over(tmp_path: Path) -> None:
    """Not what git or tools keep, no links, no binaries."""
    home = project(tmp_path, "patterns = ['ACME-[0-9]+', 'never-[0-9]']\n")
    for name in ("b/a.txt", "b/.git/a.txt", "b/.kit/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("ACME-7\n")
    (tmp_path / "b/z.bin").write_bytes(b"\0ACME-7")
    (tmp_path / "b/link").symlink_to(tmp_path / "b/a.txt")
    scanned = scan(home, [tmp_path / "b"])
    assert [(path, find.line) for path, find in scanned.found] == [(str(tmp_path / "b/a.txt"), 1)]
    assert (scanned.files, len(scanned.passed_over)) == (1, 2)
    assert scanned.unmatched == ('pattern "never-[0-9]"',)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A typo in a hook's path must not pass as clean."""
    with pytest.raises(UsageError, match="no such file"):
        scan(project(tmp_path), [tmp_path / "nowhere"])


def test_file_that_cannot_be_read_is_the_disks(tmp_path: Path) -> None:
    """Exit code 4, and never clean."""
    home, file = project(tmp_path), tmp_path / "a.txt"
    file.write_text("x", "utf-8")
    seen = FaultyDisk(below=(file,))
    with seen.spinning():
        scan(home, [file])
    disk = FaultyDisk(seen.names.index("io.open") + 1, "fail", errno.EACCES, below=(file,))
    with (
        disk.spinning(),
        pytest.raises(EnvironmentFault, match=r"the file cannot be read: Permission denied\n  next: chmod"),
    ):
        scan(home, [file])


def test_what_was_not_looked_at_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pointer of git LFS and a file that is too large are not clean, and no binaries."""
    home = project(tmp_path)
    pointer, large = tmp_path / "a.yaml", tmp_path / "b.json"
    pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "utf-8")
    large.write_text("x" * 2000, "utf-8")
    monkeypatch.setattr("kit.workflow.scan._LARGEST", 1000)
    scanned = scan(home, [pointer, large])
    reasons = ("a pointer of git LFS: git lfs pull", "larger than 0 MB")
    assert scanned.unread == ((str(pointer), reasons[0]), (str(large), reasons[1]))
    assert (scanned.files, scanned.passed_over, scanned.exit_code) == (0, (), 0)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_text_of_windows_is_text(tmp_path: Path, encoding: str) -> None:
    """What `>` of its shell writes has a mark in front, and NUL bytes."""
    (tmp_path / "out.txt").write_text(f"token = {SECRET}\n", encoding)
    assert [find.kind for _, find in scan(project(tmp_path), [tmp_path]).found] == ["GitHub token"]


def test_media_of_a_cassette_are_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cassette that points at them, once; by themselves; not what is too large, which is said."""
    home, path = project(tmp_path), tmp_path / "c" / "x.yaml"
    content = b"\x89PNG\0" + b"\xff" * 9000 + SECRET.encode() + b"\xff"
    answer = HttpResponse(200, (("content-type", "image/png"),), content)
    one = Interaction(1, "model", HttpRequest("GET", "http://h/", (), b""), answer, 0, 1)
    header = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")
    media: dict[str, bytes] = {}
    path.parent.mkdir()
    path.write_text(dumps(Cassette(header, (one,)), media), "utf-8")
    partial = path.with_name("x.yaml.partial")
    partial.write_bytes(path.read_bytes())
    assert scan(home, [path]).found == ()
    (name,) = media
    file = path.with_name("x.media") / name
    file.parent.mkdir()
    file.write_bytes(content)
    for given, files in (
        ([path], 2),
        ([path.parent], 3),
        ([file], 1),
        ([path, file], 2),
        ([path, partial], 3),
    ):
        scanned = scan(home, given)
        assert [(where, find.place) for where, find in scanned.found] == [(str(file), "byte 9005")]
        assert (scanned.files, scanned.exit_code) == (files, 1)
    monkeypatch.setattr("kit.workflow.scan._LARGEST", 8000)
    assert scan(home, [path]).unread == ((str(file), "larger than 0 MB"),)
