"""The one place that prints, and the one edge where errors become exit codes (decision 14)."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import pytest
import typer

from kit import errors
from kit.cli import output

PROBLEM = errors.Problem("scenarios/home/x.yaml:3", "`expcted` is not a key")


def raising(error: BaseException) -> int:
    """The exit code of a command that raises."""

    def command() -> None:
        raise error

    return output.guarded(command)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("x"), 2),
        (errors.ConfigError("x"), 2),
        (errors.ScenarioError((PROBLEM,)), 2),
        (errors.BaselineError((PROBLEM,)), 2),
        (errors.CassetteError("x"), 3),
        (errors.CassetteMissing("x"), 3),
        (errors.CassetteInvalid("x"), 3),
        (errors.EnvironmentFault("x"), 4),
        (errors.ModelUnreachable("x"), 4),
        (errors.CassetteRefused("x"), 3),
        (errors.Miss("x"), 3),
        (errors.SideEffect("x"), 3),
        (errors.Escape("x"), 3),
        (errors.TimeLimit("x"), 1),
        (KeyboardInterrupt(), 130),
        (typer.Abort(), 130),
        (typer.Exit(7), 7),
        (typer.BadParameter("x"), 2),
    ],
)
def test_every_error_has_its_code(
    error: BaseException, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of them is a bug, so none leaves a log."""
    monkeypatch.chdir(tmp_path)
    assert raising(error) == code
    assert list(tmp_path.iterdir()) == []


def test_every_class_of_the_tree_is_tried() -> None:
    """A new error class comes with its line above."""

    def below(kind: type[BaseException]) -> set[type[BaseException]]:
        public = {kind} if not kind.__name__.startswith("_") else set()
        return public.union(*map(below, kind.__subclasses__()))

    marks = test_every_error_has_its_code.pytestmark  # type: ignore[attr-defined]
    tried = {type(error) for error, _ in marks[0].args[1]}
    own = {
        kind for kind in below(errors.KitError) | below(errors.ReplayStop) if kind.__module__ == "kit.errors"
    }
    assert own - tried == {errors.KitError, errors.ReplayStop}


def test_error_says_what_where_why_and_next(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr; stdout stays for results."""
    raising(
        errors.CassetteMissing("nothing was recorded", where="a.yaml:1", why="w", next_command="kit record")
    )
    captured = capsys.readouterr()
    assert captured.err == "kit: a.yaml:1: nothing was recorded\n  why:  w\n  next: kit record\n"
    assert captured.out == ""


def test_all_problems_of_files_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Not only the first."""
    raising(errors.ScenarioError((PROBLEM, errors.Problem("y.yaml", "is empty"))))
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  scenarios/home/x.yaml:3: `expcted` is not a key",
        "  y.yaml: is empty",
    ]


@pytest.mark.parametrize(("returned", "code"), [(0, 0), (3, 3), (None, 0), ("text", 0)])
def test_command_that_returns(returned: object, code: int) -> None:
    """Its own code, or 0 where it has none."""
    assert output.guarded(lambda: returned) == code


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), typer.Abort()])
def test_only_who_was_interrupted_says_so(stop: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    """A command that returns 130 has said why by itself."""
    assert output.guarded(lambda: 130) == 130
    assert capsys.readouterr().err == ""
    assert raising(stop) == 130
    assert capsys.readouterr().err == "kit: interrupted\n"


def test_bug_leaves_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 70; no traceback on the terminal, the whole one in a file that git ignores."""
    monkeypatch.chdir(tmp_path)
    assert raising(ZeroDivisionError("half \ud800")) == 70
    (log,) = (tmp_path / ".kit").glob("bug-*.log")
    text = log.read_text("utf-8")
    assert "ZeroDivisionError: half \\ud800" in text
    assert "Traceback" in text
    assert f"python {sys.version.split()[0]}" in text
    assert (tmp_path / ".kit" / ".gitignore").read_text("utf-8") == "*\n"
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert told.splitlines() == [
        "kit: a bug in kit, not in your agent: ZeroDivisionError: half \\ud800",
        f"  next: report it with .kit/{log.name} attached",
    ]


def test_bug_where_no_log_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The traceback is then all there is, so it is printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".kit").write_text("no folder", encoding="utf-8")
    assert raising(ZeroDivisionError("boom")) == 70
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert "the lines above" in told


def test_what_a_model_said_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither on stdout nor in an error; colours of a report pass."""
    output.line("says \x1b[2J")
    output.problem("kit: \x07")
    output.line("\x1b[1mhome\x1b[0m", is_styled=True)
    captured = capsys.readouterr()
    assert captured.out == "says \\x1b[2J\n\x1b[1mhome\x1b[0m\n"
    assert captured.err == "kit: \\x07\n"


def test_terminal_that_knows_few_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A character it has not is shown as its escape; printing never is a bug of kit."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    output.line("perché …")
    assert written.getvalue() == b"perch\\xe9 \\u2026\n"


def test_reader_that_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """`kit replay | head` still ends with the code of the run."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)

        def command() -> int:
            output.line("one")
            output.line("two")
            return 3

        assert output.guarded(command) == 3
        monkeypatch.undo()


def test_other_faults_of_writing_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is told."""

    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(OSError, match="No space left"):
        output.line("x")


def test_terminal_is_asked_of_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or a pipe gets no colours."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not output.is_terminal()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_refuses_is_no_bug(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Wherever it is met: the environment's exit code, the file, and what helps."""

    def refused() -> None:
        raise OSError(number, os.strerror(number), ".kit/reports/x")

    assert output.guarded(refused) == errors.EXIT_ENVIRONMENT
    said = capsys.readouterr().err
    assert said.startswith(f"kit: .kit/reports/x: the disk refuses: {os.strerror(number)}\n  next: ")
