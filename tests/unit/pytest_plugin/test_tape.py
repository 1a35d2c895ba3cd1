from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kit.recording.pending import left

if TYPE_CHECKING:
    from tests.unit.pytest_plugin.conftest import Own

pytest_plugins = ["pytester"]

ONE = """
@pytest.mark.kit_cassette
def test_it():
    ask(os.environ.get("WORD", "hello"))
    if os.environ.get("TWICE"):
        ask("again")
    assert "FAIL" not in os.environ
"""
SWALLOWING = """
@pytest.mark.kit_cassette
def test_it():
    try:
        ask(os.environ.get("WORD", "hello"))
    except BaseException:
        pass
"""


def test_a_test_without_cassette_is_an_error_with_the_command(own: Own) -> None:
    """By default nothing is recorded, and the next command is said."""
    own.tests(ONE)
    result = own.run(errors=1)
    result.stdout.fnmatch_lines(
        [
            "cassettes/tests/test_own/test_it.yaml: nothing was recorded yet for this test",
            "  next: pytest --kit-record=missing test_own.py::test_it",
        ]
    )
    assert own.model.requests == []
    assert own.cassettes() == {}


def test_a_changed_request_fails_the_test_at_its_line(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """The miss explains itself and names the line of the test that asked."""
    own.tests(ONE)
    own.run("--kit-record=all", passed=1)
    monkeypatch.setenv("WORD", "bye")
    result = own.run(failed=1)
    result.stdout.fnmatch_lines(
        ["MISS  test_own.py::test_it, step 1*", "*pytest --kit-record=all test_own.py::test_it", "*: in ask"]
    )
    result.stdout.no_fnmatch_line("*httpx/_client.py*")


def test_a_swallowed_miss_is_found_out(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that catches everything proves nothing all the same."""
    own.tests(SWALLOWING)
    own.run("--kit-record=all", passed=1)
    monkeypatch.setenv("WORD", "bye")
    own.run(passed=1, errors=1).stdout.fnmatch_lines(["*ERROR at teardown of test_it*", "MISS *"])


def test_what_is_left_over_is_an_error(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that no longer asks all it asked for is not the recorded one."""
    own.tests(ONE)
    monkeypatch.setenv("TWICE", "1")
    own.run("--kit-record=all", passed=1)
    monkeypatch.delenv("TWICE")
    own.run(passed=1, errors=1).stdout.fnmatch_lines(["recorded but never played: interaction 2 (POST *"])


def test_a_failed_test_explains_what_it_did_not_get_to(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own failure is enough: leftovers behind it are not said."""
    own.tests(ONE)
    monkeypatch.setenv("TWICE", "1")
    own.run("--kit-record=all", passed=1)
    monkeypatch.delenv("TWICE")
    monkeypatch.setenv("FAIL", "1")
    own.run(failed=1)


def test_capturing_nothing_is_an_error(own: Own) -> None:
    """A marked test that asks nobody is not under the recording."""
    own.tests("""
@pytest.mark.kit_cassette
def test_it():
    pass
""")
    own.run("--kit-record=all", passed=1, errors=1).stdout.fnmatch_lines(["nothing was captured*"])
    assert own.cassettes() == {}


@pytest.mark.parametrize("end", ["FAIL", "INTERRUPT"])
def test_a_recording_that_ended_badly_goes_beside_the_good_one(
    own: Own, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Neither a failed assertion nor Ctrl-C costs the earlier recording."""
    own.tests(ONE + '    if "INTERRUPT" in os.environ:\n        raise KeyboardInterrupt\n')
    own.run("--kit-record=all", passed=1)
    before = own.cassettes()["test_own/test_it.yaml"]
    monkeypatch.setenv(end, "1")
    monkeypatch.setenv("WORD", "changed")
    result = own.pytester.runpytest("--kit-record=all", no_reraise_ctrlc=True)
    assert result.ret == (pytest.ExitCode.TESTS_FAILED if end == "FAIL" else pytest.ExitCode.INTERRUPTED)
    now = own.cassettes()
    assert now["test_own/test_it.yaml"] == before
    assert "changed" in now["test_own/test_it.yaml.partial"]
    monkeypatch.delenv(end)
    own.run("--kit-record=all", passed=1).stdout.fnmatch_lines(["recorded cassettes/tests/test_own/*"])
    assert set(own.cassettes()) == {"test_own/test_it.yaml"}


def test_a_displaced_recording_is_told_and_no_error(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another kit recorded the same test meanwhile: this recording is good, and that one is kept."""
    own.tests(f"""{ONE}
    if os.environ.get("OTHER"):
        with open("cassettes/tests/test_own/test_it.yaml", "a") as file:
            file.write("# another one\\n")
""")
    own.run("--kit-record=all", passed=1)
    monkeypatch.setenv("OTHER", "1")
    own.run("--kit-record=all", "-rP", passed=1).stdout.fnmatch_lines(
        ["another kit recorded it meanwhile; that recording is kept as .kit/displaced/*"]
    )


def test_a_displaced_recording_of_another_test_is_an_error(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tests whose names lead to one file are told apart, whether they met or came in turn."""
    own.tests(f"""{ONE}
    if os.environ.get("OTHER"):
        path = "cassettes/tests/test_own/test_it.yaml"
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace("scenario: test_own.py::test_it", "scenario: test_own.py::test_other"))
""")
    own.run("--kit-record=all", passed=1)
    monkeypatch.setenv("OTHER", "1")
    own.run("--kit-record=all", passed=1, errors=1).stdout.fnmatch_lines(
        [
            "*test_it.yaml: this is the recording of another test, test_own.py::test_other",
            '*next: @pytest.mark.kit_cassette("another_name")*',
            "another kit recorded it meanwhile; that recording is kept as .kit/displaced/*",
        ]
    )


def test_a_journal_that_cannot_be_written_says_the_way_back(own: Own) -> None:
    """What was recorded before is not lost, and nobody takes it for a recording under way."""
    own.tests("""
@pytest.mark.kit_cassette
def test_it(monkeypatch):
    ask("hello")

    def full(fd, octets):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "write", full)
    ask("again")
""")
    own.run("--kit-record=all", failed=1, errors=1).stdout.fnmatch_lines(
        [
            "*ERROR at teardown of test_it*",
            "*the journal of this run cannot be written: No space left on device",
            "*what was recorded is not lost: it lies in *",
            "*next: kit cassette recover",
        ]
    )
    assert len(left(own.root / ".kit")) == 1


def test_a_tool_is_served_and_its_drift_told(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorded tool is not called again; an executed one must give what it gave."""
    own.tests("""
@kit.tool(replay="execute")
def count():
    return os.environ.get("WEATHER", "sunny")

@pytest.mark.kit_cassette
def test_served():
    assert weather("Rome") == "sunny in Rome"

@pytest.mark.kit_cassette
def test_executed():
    count()
""")
    own.run("--kit-record=all", passed=2)
    monkeypatch.setenv("WEATHER", "rainy")
    own.run(passed=2, errors=1).stdout.fnmatch_lines(["*teardown of test_executed*"])


def test_another_tests_recording_is_not_overwritten(own: Own) -> None:
    """Two tests whose names lead to one file are told apart."""
    own.tests("""
@pytest.mark.kit_cassette("same")
def test_one():
    ask("one")

@pytest.mark.kit_cassette("same")
def test_two():
    ask("two")
""")
    own.run("--kit-record=all", "-p", "no:randomly", passed=1, errors=1).stdout.fnmatch_lines(
        ["*this is the recording of another test, test_own.py::test_one*"]
    )
    assert "one" in own.cassettes()["test_own/same.yaml"]


def test_another_models_answer_is_no_recording(own: Own) -> None:
    """What answers must be what was asked (decision 20)."""
    own.tests("""
@pytest.mark.kit_cassette
def test_it():
    body = {"model": "gpt-oss:20b", "messages": [{"role": "user", "content": "hello"}]}
    httpx.post(os.environ["MODEL_URL"], json=body, timeout=20)
""")
    own.run("--kit-record=all", passed=1, errors=1).stdout.fnmatch_lines(["the model `stub` answered*"])
    assert list(own.cassettes()) == ["test_own/test_it.yaml.partial"]


def test_a_broken_cassette_is_an_error_with_its_place(own: Own) -> None:
    """A file that is no cassette never plays."""
    own.tests(ONE)
    own.run("--kit-record=all", passed=1)
    path = own.root / "cassettes/tests/test_own/test_it.yaml"
    path.write_text("kit: [")
    own.run(errors=1).stdout.fnmatch_lines(
        ["cassettes/tests/test_own/test_it.yaml*", "*next: pytest --kit-record=all test_own.py::test_it"]
    )
    own.run("--kit-record=all", passed=1)
