"""Asking a model again what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.errors import CassetteInvalid, CassetteMissing, UsageError
from kit.workflow.verify import verify
from tests.fakes.stub_project import MODEL, StubProject, stub_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project of one scenario, recorded from the stub."""
    with stub_project(tmp_path, monkeypatch) as made:
        made.scenario()
        made.record()
        yield made


def test_the_model_of_the_recording_answers_the_same(project: StubProject) -> None:
    """Nothing drifted, nothing is written, and each cassette is announced."""
    before = project.cassette().read_bytes()
    lines: list[str] = []
    found = verify(project.open(), (), None, progress=lines.append)
    assert (found.sent, found.exit_code) == (1, 0)
    assert all(call.drift and call.drift.is_same for call in found.cassettes[0].calls)
    assert project.cassette().read_bytes() == before
    assert lines == ["home/001_x on stub: 1 request …"]


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 0)])
def test_other_words_stop_nobody(project: StubProject, strict: bool, code: int) -> None:
    """Even under `--strict`: models are random."""
    project.write("fixtures/stub/model.yaml", MODEL.replace("ciao, I am", "good day, I am"))
    found = verify(project.open(), (), None, strict=strict)
    assert (found.count("words"), found.count("behaviour"), found.exit_code) == (1, 0, code)


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 1)])
def test_other_behaviour_stops_who_asks_for_it(project: StubProject, strict: bool, code: int) -> None:
    """A model that now wants a tool would run another run."""
    called = "answer: {tool_calls: [{name: t, arguments: {}}]}"
    project.write("fixtures/stub/model.yaml", MODEL.replace('answer: {text: "ciao, I am the stub"}', called))
    found = verify(project.open(), ("001",), "stub", strict=strict)
    assert found.count("behaviour") == 1
    assert found.exit_code == code


def test_nothing_recorded_and_nothing_selected(project: StubProject) -> None:
    """Each is said, and nothing is asked."""
    with pytest.raises(CassetteMissing):
        verify(project.open(), (), "stub-judge")
    with pytest.raises(UsageError):
        verify(project.open(), ("nobody",), None)


def test_a_broken_cassette_is_named_from_the_root(project: StubProject) -> None:
    """As every other command names it, with the command that records it for its model."""
    project.cassette().write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(CassetteInvalid) as broken:
        verify(project.open(), (), "stub")
    assert broken.value.where == "cassettes/home/stub/001_x.yaml"
