"""Cassettes for vcrpy."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.foreign.vcr import read_exchanges
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.store import write
from kit.errors import EnvironmentFault, UsageError
from kit.workflow.exporting import export_recording
from tests.fakes.disk import FaultyDisk

HEADER = Header(scenario="x", start="2026-11-29T21:59:34Z", recorded="2026-11-29T21:59:34Z")
JSON = (("content-type", "application/json"),)
ASKED = HttpRequest("POST", "https://a.org/v1/chat/completions", JSON, b'{"a":1}')


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Two exchanges that vcrpy can hold, the second broken off, and two that it cannot."""
    items = (
        Interaction(1, "model", ASKED, HttpResponse(200, JSON, b'{"b":2}'), 0, 5),
        Interaction(2, "tool", ToolRequest("t", {}), ToolResponse(1), 5, 6),
        Interaction(3, "model", ASKED, HttpResponse(0, failure="ConnectError: no"), 6, 7),
        Interaction(4, "model", ASKED, HttpResponse(200, JSON, b'{"b":', failure="ReadError: cut"), 7, 8),
    )
    path = tmp_path / "x.yaml"
    write(path, Cassette(HEADER, items))
    return path


def test_what_goes_out(cassette: Path, tmp_path: Path) -> None:
    """Every exchange with an answer, byte for byte; what stays behind is said."""
    out = tmp_path / "deep" / "vcr.yaml"
    done = export_recording(cassette, out)
    assert (done.path, done.exchanges) == (out, 2)
    assert done.notices == (
        "1 calls of tools stay behind: vcrpy knows HTTP only",
        "1 exchanges without an answer stay behind: vcrpy has no place for them",
        "1 answers that broke off are exported as if they had ended there",
    )
    first, second = read_exchanges(out.read_bytes(), "vcr.yaml")
    assert (first.method, first.url, first.request, first.answer) == (
        "POST",
        ASKED.url,
        b'{"a":1}',
        b'{"b":2}',
    )
    assert (first.request_headers, first.answer_headers, first.status) == (JSON, JSON, 200)
    assert second.answer == b'{"b":'


def test_not_over_itself(cassette: Path) -> None:
    """The recording is dearer than its export."""
    before = cassette.read_bytes()
    with pytest.raises(UsageError, match="over itself"):
        export_recording(cassette, cassette)
    assert cassette.read_bytes() == before


def test_not_over_another_cassette(cassette: Path, tmp_path: Path) -> None:
    """It is somebody's recording; an earlier export is written anew."""
    other = tmp_path / "other.yaml"
    write(other, Cassette(HEADER, ()))
    before = other.read_bytes()
    with pytest.raises(UsageError, match=r"no export is written over one\n  next: git rm .*other\.yaml, or"):
        export_recording(cassette, other)
    assert other.read_bytes() == before
    for _ in range(2):
        assert export_recording(cassette, tmp_path / "vcr.yaml").exchanges == 2


def test_the_export_is_on_the_disk_with_its_folder(cassette: Path, tmp_path: Path) -> None:
    """As all that kit writes: new file, sync, rename, sync of the folder (decision 9)."""
    disk = FaultyDisk(below=(tmp_path / "deep",))
    with disk.spinning():
        export_recording(cassette, tmp_path / "deep" / "vcr.yaml")
    assert disk.names.index("replace") < disk.names.index("fsync")


def test_a_disk_that_refuses(cassette: Path, tmp_path: Path) -> None:
    """Exit code 4, and no half file."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(EnvironmentFault, match="the export cannot be written: Not a directory"):
        export_recording(cassette, tmp_path / "file" / "out.yaml")
