from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kit.recording.guard.stray import TOLD

if TYPE_CHECKING:
    from tests.unit.pytest_plugin.conftest import Own

pytest_plugins = ["pytester"]

HEAVY = ("kit.errors", "kit.config", "kit.cassette", "kit.recording", "pydantic", "orjson", "yaml", "httpx")


def test_the_entry_point_imports_nothing_heavy() -> None:
    """Every pytest session of an environment with kit pays for this import."""
    code = f"import sys, kit.pytest_plugin.plugin; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_kit_nothing_is_collected_or_made(own: Own) -> None:
    """A project with scenarios is not asked about them."""
    folder = own.root / "scenarios" / "quiz"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text("this is: [no suite")
    own.tests("def test_it():\n    pass\n")
    own.run(passed=1)
    assert not (own.root / ".kit").exists()


def test_ci_never_records_unless_configured(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is a person's act (decision 16)."""
    own.tests("@pytest.mark.kit_cassette\ndef test_it():\n    ask('hello')\n")
    monkeypatch.setenv("CI", "true")
    result = own.run("--kit-record=missing")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--kit-record=missing*kit record is refused where CI is set*"])
    assert own.model.requests == []
    settings = own.root / "pyproject.toml"
    settings.write_text(settings.read_text().replace("[tool.kit]", "[tool.kit]\nrecord_in_ci = true"))
    own.run("--kit-record=missing", passed=1)
    own.run(passed=1)


def test_between_tests_traffic_is_untouched(own: Own) -> None:
    """Nothing stays patched when a recorded test is over."""
    own.tests("""
untouched = httpx.HTTPTransport.handle_request

@pytest.mark.kit_cassette
def test_a():
    assert httpx.HTTPTransport.handle_request is not untouched
    ask("a")

def test_b():
    assert httpx.HTTPTransport.handle_request is untouched
""")
    own.run("-p", "no:randomly", "--kit-record=all", passed=2)


def test_what_outlives_its_replay_is_told_at_the_end(own: Own) -> None:
    """No test can say it any more, and a thread swallows what it is stopped with."""
    own.tests("""
import socket, threading
gate, threads = threading.Event(), []

def late():
    gate.wait(10)
    try:
        with socket.socket() as sock:
            sock.connect(("127.0.0.1", 9))
    except BaseException:
        pass

@pytest.mark.kit_cassette
def test_a():
    ask("hello")
    threads.append(threading.Thread(target=late))
    threads[0].start()

def test_b():
    gate.set()
    threads[0].join()
""")
    recorded = own.run("-p", "no:randomly", "--kit-record=all", "--kit-unmarked=free", passed=2)
    assert recorded.ret == pytest.ExitCode.OK
    for workers in (("-p", "no:xdist"), ("-n", "1")):
        result = own.run("-p", "no:randomly", *workers, passed=2)
        result.stdout.fnmatch_lines(
            [
                "*test_own.py:* would connect to 127.0.0.1:9, *the replay of test_own.py::test_a was over*",
                "*next: wait for it*",
            ]
        )
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        assert TOLD == []


def test_with_the_plugin_off_tests_run_as_if_kit_were_not_there(own: Own) -> None:
    """`-p no:kit` takes options, marker and fixture away."""
    own.tests("def test_it():\n    assert ask('hello')\n")
    own.run("-p", "no:kit", passed=1)
    assert own.run("-p", "no:kit", "--kit").ret == pytest.ExitCode.USAGE_ERROR
