"""The command `kit`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kit.cli
from kit import __version__
from kit.cli.main import COMMANDS, application, main, split_command
from kit.errors import UsageError
from tests.fakes.stub_project import StubProject

HEAVY = ("pydantic", "httpx", "rich", "yaml", "orjson", "time_machine", "filelock")


def called(*words: str) -> int:
    """The exit code of a command line."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    return int(stop.value.code or 0)


@pytest.mark.parametrize(
    ("argv", "own", "program"),
    [
        ([], [], []),
        (["record", "001"], ["record", "001"], []),
        (["record", "--", "python", "a.py"], ["record"], ["python", "a.py"]),
        (
            ["record", "--tape", "x", "--", "python", "a.py", "--", "-m"],
            ["record", "--tape", "x"],
            ["python", "a.py", "--", "-m"],
        ),
        (["--", "python"], [], ["python"]),
    ],
)
def test_split_command(argv: list[str], own: list[str], program: list[str]) -> None:
    """The first `--` divides; what stands behind is the program's, other `--` included."""
    assert split_command(argv) == (own, program)


def test_nothing_behind_the_dashes_is_refused() -> None:
    """`kit record --` must not record every scenario."""
    with pytest.raises(UsageError, match="no program stands behind"):
        split_command(["record", "--"])


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """One line."""
    assert called("--version") == 0
    assert capsys.readouterr().out == f"kit {__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """It names every command and every exit code; without a word it is what one gets."""
    assert called(*words) == 0
    told = " ".join(capsys.readouterr().out.split())
    for command in ("record", "replay", "run", "show", "accept"):
        assert f" {command} " in told
    for code in (
        "0 pass",
        "1 the gate",
        "2 usage",
        "3 a cassette",
        "4 environment",
        "70 bug",
        "130 interrupted",
    ):
        assert code in told


@pytest.mark.parametrize("command", ["record", "replay", "run", "show", "accept"])
def test_help_of_each_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command explains itself."""
    assert called(command, "--help") == 0
    assert f"Usage: kit {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("recrod",), "No such command 'recrod'"),
        (("replay", "--modle", "x"), "No such option"),
        (("run", "--mode", "record"), "--mode"),
        (("accept",), "--reason"),
        (("show",), "Missing argument"),
        (("record", "--repeat", "0"), "--repeat"),
        (("--", "python", "x.py"), "Missing command"),
        (("record", "--"), "no program stands behind `--`"),
        (("run", "--", "python", "x.py"), "kit run takes no program behind `--`"),
        (("accept", "--reason", "r", "--", "python"), "kit accept takes no program behind `--`"),
        (("record", "001", "--", "python", "x.py"), "exclude each other"),
        (("replay", "--only", "security", "--", "python", "x.py"), "exclude each other"),
        (("record", "--tape", "x"), "--tape names the cassette of a program"),
        (("replay", "--tape", "x"), "--tape names the cassette of a program"),
    ],
)
def test_wrong_words(
    words: tuple[str, ...], told: str, project: StubProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, on stderr, with what to type next; no traceback and no log of a bug."""
    assert called(*words) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("kit: ")
    assert told in captured.err
    assert "\n  next: kit" in captured.err
    assert captured.out == ""
    assert not (project.root / ".kit").exists()


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_imports_next_to_nothing(words: list[str]) -> None:
    """`kit --help` answers at once: no pydantic, httpx, rich or yaml behind it."""
    program = (
        "import sys\n"
        "from kit.cli.main import main\n"
        "try:\n"
        f"    main({words!r})\n"
        "finally:\n"
        f"    print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


CALLS = {
    "record": ("record",),
    "replay": ("replay",),
    "run": ("run",),
    "show": ("show", "x"),
    "verify": ("verify",),
    "diff": ("diff", "a", "b"),
    "report": ("report",),
    "merge": ("merge", "x"),
    "accept": ("accept", "--reason", "r"),
    "gate": ("gate", "--base", "main"),
    "golden": ("golden", "history"),
    "scan": ("scan", "x"),
    "hook": ("hook", "pre-commit"),
    "cassette": ("cassette", "prune"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_in_each_command(
    command: str, project: StubProject, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 130, and one line that says so, in a command of a group as well."""

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("project.open_project", "show.show"):
        monkeypatch.setattr(f"kit.workflow.{name}", stopped)
    assert called(*CALLS[command]) == 130
    assert capsys.readouterr().err == "kit: interrupted\n"
    assert not (project.root / ".kit").exists()


def test_commands_are_registered() -> None:
    """Every module of a command is on the command line."""
    files = (path.stem for path in Path(kit.cli.__file__).parent.glob("*.py"))
    parts = {"__init__", "artefacts", "branching", "main", "options", "output", "results"}
    app = application()
    named = [command.name for command in app.registered_commands]
    groups = [group.name for group in app.registered_groups]
    assert {*named, *groups} == set(COMMANDS) == {name for name in files if "_" not in name} - parts
