"""What a run was made from."""

from __future__ import annotations

from pathlib import Path

from kit.canonical import digest_file
from kit.harness.inputs import changed_files, changed_inputs, files_read, inputs_of, told_changes
from kit.recording.guard.reads import FileRead
from kit.scenario.load import load_suites
from kit.scenario.select import Selected, select
from tests.fakes.repository import repository
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


def test_files_read_are_those_that_git_would_take(tmp_path: Path) -> None:
    """Tracked or new, but neither ignored, nor written by the run, nor changed since it read them."""
    made = repository(tmp_path)
    for name in ("tracked.md", "new.md", "ignored.md", "written.md", "changed.md", "sub/deep.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / ".gitignore").write_text("ignored.md\n", encoding="utf-8")
    made.git("add", "tracked.md", "sub")
    root = tmp_path.resolve()
    reads = [_read(path) for path in sorted(root.rglob("*")) if path.suffix in {".md", ".toml"}]
    (root / "changed.md").write_text("by the run", encoding="utf-8")
    found = files_read(reads, [str(root / "written.md")], root)
    assert list(found) == ["new.md", "sub/deep.toml", "tracked.md"]
    assert found["new.md"] == digest_file(root / "new.md")


def test_outside_git_every_file_read_counts(tmp_path: Path) -> None:
    """A project without git has inputs too, and one that is gone is named."""
    file = tmp_path.resolve() / "prompt.md"
    file.write_text("a", encoding="utf-8")
    recorded = files_read([_read(file)], [], tmp_path)
    assert changed_files(recorded, {}, tmp_path) == ()
    file.write_text("b", encoding="utf-8")
    assert changed_files(recorded, {}, tmp_path) == ("prompt.md",)
    file.unlink()
    assert changed_files(recorded, {}, tmp_path) == ("prompt.md",)
    assert told_changes(("prompt.md",)) == "changed since it was recorded: prompt.md"


def test_fixture_that_is_gone_is_named_and_no_crash(tmp_path: Path) -> None:
    """Its scenario still names it; the run says that it cannot be copied."""
    project = StubProject(tmp_path)
    setup = {
        "autonomy": "manual",
        "available_tools": ["t"],
        "fixtures": [{"path": "/a.txt", "content_fixture": "fixtures/one.txt"}],
    }
    fixture = project.write("fixtures/one.txt", "1")
    project.scenario(setup=setup)
    chosen = _first(project.root)
    recorded = inputs_of(chosen, project.root)
    fixture.unlink()
    assert changed_inputs(recorded, chosen, project.root) == ("fixtures/one.txt",)


def _read(path: Path) -> str:
    status = path.stat()
    return FileRead(str(path), status.st_mtime_ns, status.st_size).text
