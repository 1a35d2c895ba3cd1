"""Which files of the project a recording notes as inputs."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from kit.recording import context
from kit.recording.guard.allow import Allow
from kit.recording.guard.audit import Watch, guarded
from kit.recording.guard.passing import BEHIND_TOOL, inside_stub
from kit.recording.guard.reads import FileRead


class Heard:
    """A session that only listens."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.told: list[tuple[str, str]] = []

    def report(self, kind: Literal["side_effects", "escapes", "reads", "writes"], text: str) -> None:
        """Keeps what the guard tells."""
        self.told.append((kind, text))

    @property
    def read(self) -> list[str]:
        """What was read, relative to the project."""
        paths = [Path(FileRead.parse(text).path) for kind, text in self.told if kind == "reads"]
        return [path.relative_to(self._root).as_posix() for path in paths]

    @property
    def written(self) -> list[str]:
        """What was written, relative to the project."""
        paths = [Path(text) for kind, text in self.told if kind == "writes"]
        return [path.relative_to(self._root).as_posix() for path in paths]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with prompts in some formats."""
    root = tmp_path.resolve() / "project"
    for name in ("prompts/system.md", "prompts/user.jinja", "tools.json", ".env", "cassettes/x.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}", encoding="utf-8")
    (tmp_path / "elsewhere.md").write_text("not of the project", encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@contextlib.contextmanager
def noting(project: Path, mode: Literal["record", "replay"] = "record", **given: Any) -> Iterator[Heard]:
    """Code in the `with` belongs to a run that notes its reads."""
    heard = Heard(project)
    watch = Watch(mode, heard, Allow(), current=context.current, inputs=project, **given)
    with guarded(watch):
        token = context.enter(cast("Any", heard))
        try:
            yield heard
        finally:
            context.leave(cast("Any", heard), token)


def test_every_way_of_python_to_read_is_noted_once(project: Path) -> None:
    """Whatever the format: `open`, pathlib, `os.open`, bytes, an absolute or a winding path."""
    with noting(project) as heard:
        Path("prompts/system.md").read_text(encoding="utf-8")
        Path("prompts/../prompts/system.md").read_bytes()
        with open(b"tools.json", encoding="utf-8"):  # noqa: PTH123 - one of the ways
            pass
        os.close(os.open(project / "prompts" / "user.jinja", os.O_RDONLY))
    assert heard.read == ["prompts/system.md", "tools.json", "prompts/user.jinja"]


def test_what_is_no_input_is_not_noted(project: Path) -> None:
    """Other places, recordings, secrets, files that are not there, and the numbers of open files."""
    with noting(project) as heard:
        Path("../elsewhere.md").read_text(encoding="utf-8")
        Path("cassettes/x.yaml").read_text(encoding="utf-8")
        Path(".env").read_text(encoding="utf-8")
        with pytest.raises(FileNotFoundError):
            Path("prompts/gone.md").read_text(encoding="utf-8")
        number = os.open("/dev/null", os.O_RDONLY)
        with open(number, encoding="utf-8"):  # noqa: PTH123 - pathlib takes no number
            pass
    assert heard.told == []


def test_link_into_the_project_is_the_file_it_leads_to(project: Path, tmp_path: Path) -> None:
    """And a link that leads out of it is no file of the project."""
    (tmp_path / "into.md").symlink_to(project / "prompts" / "system.md")
    (project / "out.md").symlink_to(tmp_path / "elsewhere.md")
    with noting(project) as heard:
        (tmp_path / "into.md").read_text(encoding="utf-8")
        Path("out.md").read_text(encoding="utf-8")
    assert heard.read == ["prompts/system.md"]


def test_workspace_in_the_project_is_not_the_project(project: Path) -> None:
    """A temporary folder may lie below the root; what an agent reads there was put there for the run."""
    workspace = project / "tmp" / "kit-run"
    workspace.mkdir(parents=True)
    (workspace / "note.md").write_text("x", encoding="utf-8")
    with noting(project, workspace=workspace) as heard:
        (workspace / "note.md").read_text(encoding="utf-8")
    assert heard.told == []


def test_imported_module_is_no_input_but_source_read_as_text_is(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A coding agent that reads a module as text has read a file like any other."""
    (project / "loaded_by_import.py").write_text("VALUE = 1\n", encoding="utf-8")
    (project / "read_as_text.py").write_text("VALUE = 2\n", encoding="utf-8")
    monkeypatch.syspath_prepend(project)
    with noting(project) as heard:
        assert importlib.import_module("loaded_by_import").VALUE == 1
        assert "VALUE" in Path("read_as_text.py").read_text(encoding="utf-8")
    del sys.modules["loaded_by_import"]
    assert heard.read == ["read_as_text.py"]


def test_written_file_is_told_and_read_no_more(project: Path) -> None:
    """What a run makes and reads again came out of it; a file renamed into its place was written too."""
    with noting(project) as heard:
        Path("out.txt").write_text("made", encoding="utf-8")
        Path("out.txt").read_text(encoding="utf-8")
        Path("fresh").write_text("made", encoding="utf-8")
        Path("fresh").replace("tools.json")
        Path("tools.json").read_text(encoding="utf-8")
    assert heard.read == []
    assert set(heard.written) == {"out.txt", "fresh", "tools.json"}


def test_thread_without_context_belongs_to_the_only_run(project: Path) -> None:
    """A pool made before the run reads prompts for it."""
    with noting(project) as heard:
        thread = threading.Thread(target=lambda: Path("tools.json").read_text(encoding="utf-8"))
        thread.start()
        thread.join()
    assert heard.read == ["tools.json"]


def test_replay_notes_nothing(project: Path) -> None:
    """Reading costs a replay nothing."""
    with noting(project, "replay") as heard:
        Path("tools.json").read_text(encoding="utf-8")
    assert heard.told == []


def test_a_file_knows_whether_it_is_as_it_was_read(project: Path) -> None:
    """One line keeps what it takes, whatever the path holds."""
    path = project / "a b\n.md"
    path.write_text("old", encoding="utf-8")
    with noting(project) as heard:
        path.read_text(encoding="utf-8")
    (text,) = [text for kind, text in heard.told if kind == "reads"]
    found = FileRead.parse(text)
    assert found.text == text
    assert found.is_as_read()
    path.write_text("other", encoding="utf-8")
    assert not found.is_as_read()
    path.unlink()
    assert not found.is_as_read()


def test_what_a_recorded_tool_reads_is_an_input_and_what_kit_does_is_none(project: Path) -> None:
    """Replay serves the tool's result: a change of its data would never be a miss."""
    with noting(project) as heard:
        with inside_stub():
            Path("tools.json").read_bytes()
        before = BEHIND_TOOL.set(True)
        with inside_stub():
            Path("prompts/system.md").read_bytes()
            Path("out.txt").write_text("x", encoding="utf-8")
            Path("out.txt").read_bytes()
        BEHIND_TOOL.reset(before)
    assert (heard.read, heard.written) == (["prompts/system.md"], ["out.txt"])


def test_a_tool_beside_a_replay_is_not_judged(project: Path) -> None:
    """What a tool does that runs for real is its own, whatever the run that is guarded."""
    before = BEHIND_TOOL.set(True)
    with noting(project) as heard, noting(project, "replay") as replay, inside_stub():
        Path("cassettes/y.yaml").write_text("x", encoding="utf-8")
    BEHIND_TOOL.reset(before)
    assert (heard.told, replay.told) == ([], [])
