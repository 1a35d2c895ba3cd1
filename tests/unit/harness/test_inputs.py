"""What a run was made from."""

from __future__ import annotations

from pathlib import Path

from kit.harness.inputs import changed_inputs, inputs_of
from kit.scenario.load import load_suites
from kit.scenario.select import Selected, select
from tests.fakes.stub_project import StubProject


def test_changed_come_and_gone_inputs_are_named(tmp_path: Path) -> None:
    """An edited scenario is named by its path; one that is as recorded is not, and nor is an old cassette."""
    project = StubProject(tmp_path)
    project.scenario()
    chosen = _first(project.root)
    recorded = inputs_of(chosen, project.root)
    path = chosen.path.relative_to(project.root).as_posix()
    assert list(recorded) == [path]
    assert changed_inputs(recorded, chosen, project.root) == ()
    assert changed_inputs({}, chosen, project.root) == ()
    with_one_more = {**recorded, "fixtures/gone.txt": "0"}
    assert changed_inputs(with_one_more, chosen, project.root) == ("fixtures/gone.txt",)
    chosen.path.write_text(chosen.path.read_text(encoding="utf-8") + "# a thought\n", encoding="utf-8")
    assert changed_inputs(recorded, chosen, project.root) == (path,)


def _first(root: Path) -> Selected:
    return select(load_suites(root))[0]
