"""A cassette as a person reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import CassetteInvalid, CassetteMissing
from kit.workflow.show import show
from tests.fakes.stub_project import StubProject


def test_recorded_conversation(project: StubProject) -> None:
    """Header and items are those of the file."""
    project.scenario()
    project.record()
    shown = show(project.cassette())
    assert shown.path == project.cassette()
    assert (shown.header.scenario, shown.header.model, shown.edited) == ("001_x", "stub", False)
    assert [(item.who, item.text) for item in shown.items] == [
        ("user", "hello"),
        ("assistant", "ciao, I am the stub"),
    ]


def test_edited_by_hand(project: StubProject) -> None:
    """A reader knows that it is no longer what the model said."""
    project.scenario()
    project.record()
    path = project.cassette()
    path.write_text(path.read_text("utf-8").replace("I am the stub", "I am real"), encoding="utf-8")
    shown = show(path)
    assert shown.edited
    assert shown.items[-1].text == "ciao, I am real"


def test_no_such_file_and_no_cassette(tmp_path: Path) -> None:
    """Both are errors of the cassette."""
    with pytest.raises(CassetteMissing):
        show(tmp_path / "none.yaml")
    (tmp_path / "other.yaml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(CassetteInvalid):
        show(tmp_path / "other.yaml")


def test_a_broken_file_is_recorded_anew_for_its_model(project: StubProject) -> None:
    """What is to be typed mends this file, not another model's."""
    project.scenario()
    project.record()
    path = project.cassette()
    path.write_text(path.read_text("utf-8").replace("status: 200", "status: &a 200"), encoding="utf-8")
    with pytest.raises(CassetteInvalid) as broken:
        show(path)
    assert broken.value.next_command == "kit record --model stub 001_x"


def test_a_scenario_s_name_leads_to_its_file(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere `001@2` is a recording: here its file is what to type; a judge's file is none."""
    project.scenario()
    project.record()
    first = project.cassette()
    for name in ("001_x@2.yaml", "001_x.judge.yaml", "001_x.+.yaml"):
        first.with_name(name).write_bytes(first.read_bytes())
    monkeypatch.chdir(project.root)
    for name, meant in (("001", "001_x.yaml"), ("001_x.yaml", "001_x.yaml"), ("001@2", "001_x@2.yaml")):
        with pytest.raises(CassetteMissing, match="there is no such file") as missing:
            show(Path(name))
        assert missing.value.next_command == f"kit show cassettes/home/stub/{meant}"
    with pytest.raises(CassetteMissing, match="nothing was recorded yet"):
        show(Path("[0]01"))
