from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.pytest_plugin.conftest import Own

pytest_plugins = ["pytester"]

ASYNC = """
@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.kit_cassette
@pytest.mark.asyncio
async def test_asyncio():
    await asyncio.sleep(0.05)
    now = f"{datetime.datetime.now()} {random.random()}"
    assert now in await ask_async(now)

@pytest.mark.kit_cassette
@pytest.mark.anyio
async def test_anyio():
    import httpx2
    now = f"{datetime.datetime.now()} {random.random()}"
    assert now in await ask_async(now, httpx2)

import unittest

class Case(unittest.TestCase):
    @pytest.mark.kit_cassette
    def test_case(self):
        self.assertIn("Rome", weather("Rome"))

class AsyncCase(unittest.IsolatedAsyncioTestCase):
    @pytest.mark.kit_cassette
    async def test_case(self):
        now = f"{datetime.datetime.now()} {random.random()}"
        self.assertIn(now, await ask_async(now))
"""


def test_clock_chance_and_folders_are_the_recorded_ones(own: Own) -> None:
    """A prompt that holds the time, a random number or a temporary path matches in every later session."""
    own.tests("""
@pytest.fixture
def drawn():
    return random.random()

@pytest.mark.kit_cassette
def test_it(drawn, tmp_path):
    import httpx2
    for client in (httpx, httpx2):
        said = f"{datetime.datetime.now()} {random.random()} {drawn} {tmp_path}"
        assert said in ask(said, client)
    assert weather("Rome") == "sunny in Rome"
""")
    own.run("--kit-record=all", "-p", "no:xdist", "-p", "randomly", "--randomly-seed=1", passed=1)
    own.model.requests.clear()
    own.run("--randomly-seed=2", passed=1)
    assert own.model.requests == []
    (text,) = own.cassettes().values()
    assert "/kit-tmp/" in text


def test_async_tests_run_in_their_session_whoever_runs_them(own: Own) -> None:
    """pytest-asyncio, anyio and unittest have loops and contexts of their own."""
    own.tests(ASYNC)
    own.run("--kit-record=missing", passed=4)
    assert len(own.cassettes()) == 4
    own.model.requests.clear()
    own.run(passed=4)
    assert own.model.requests == []


def test_only_a_marked_test_is_recorded(own: Own) -> None:
    """Without the marker traffic is untouched, even beside a marked set of the same parameters."""
    own.tests("""
@pytest.mark.parametrize("word", ["bare", pytest.param("kept", marks=pytest.mark.kit_cassette)])
def test_it(word):
    assert word in ask(word)
""")
    own.run("--kit-record=all", passed=2)
    assert list(own.cassettes()) == ["test_own/test_it.kept.yaml"]
    own.model.requests.clear()
    own.run(passed=2)
    assert [b"bare" in body for _, body in own.model.requests] == [True]


def test_what_outlives_a_test_is_not_in_its_cassette(own: Own) -> None:
    """A fixture of the module asks for itself; one of the test belongs to the test."""
    own.tests("""
@pytest.fixture(scope="module")
def shared():
    return ask("shared")

@pytest.fixture
def single():
    return ask("single")

@pytest.mark.kit_cassette
def test_it(single, shared):
    pass
""")
    own.run("--kit-record=all", passed=1)
    (text,) = own.cassettes().values()
    assert "single" in text
    assert "shared" not in text


def test_the_fixture_tells_mode_path_and_live_requests(own: Own) -> None:
    """A test may ask for the fixture, with or without the marker."""
    own.tests("""
def test_it(kit_cassette):
    ask("hello")
    assert kit_cassette.live_requests == (1 if kit_cassette.mode == "record" else 0)
    assert kit_cassette.path.name == "test_it.yaml"
""")
    own.run("--kit-record=missing", passed=1)
    own.run("--kit-record=missing", passed=1)
    assert len(own.model.requests) == 1


def test_a_slip_in_the_marker_is_an_error_of_the_test(own: Own) -> None:
    """The marker says what it takes."""
    own.tests("""
@pytest.mark.kit_cassette(nam="x")
def test_it():
    pass
""")
    own.run(errors=1).stdout.fnmatch_lines(["*takes no argument `nam`*"])


def test_a_test_may_write_where_it_was_allowed(own: Own, tmp_path_factory: pytest.TempPathFactory) -> None:
    """In replay a side effect stops the test, unless it is declared."""
    own.tests("""
def remove():
    ask("hello")
    name = os.path.join(os.path.dirname(__file__), "report.txt")
    if os.path.exists(name):
        os.remove(name)

@pytest.mark.kit_cassette
def test_strict():
    remove()

@pytest.mark.kit_cassette(allow=["write:report.txt"])
def test_allowed():
    remove()
""")
    own.run("--kit-record=all", passed=2)
    report: Path = own.root / "report.txt"
    report.write_text("x")
    own.run("-k", "strict", failed=1).stdout.fnmatch_lines(["*would delete*report.txt*"])
    assert report.exists()
    own.run("-k", "allowed", passed=1)
    assert not report.exists()
