"""`pytest --golden`: one item, never without being asked for (S4-05 … S4-08, S4-28)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.golden_project import GoldenProject
from tests.fakes.model_server import serving

pytest_plugins = ["pytester"]

PYPROJECT = """[tool.kit]
agent = "tests.fakes.golden_project:agent"
{settings}
[tool.pytest.ini_options]
addopts = ["--strict-markers", "--import-mode=importlib", "-p", "no:hypothesispytest"]
asyncio_default_fixture_loop_scope = "function"
"""
OTHERS = """
import pytest, urllib.request

def test_plain():
    pass

@pytest.mark.kit_golden
def test_deliberate():
    urllib.request.urlopen("{url}", timeout=5)
"""

BESIDE = """
import pytest, socket

@pytest.mark.kit_cassette
def test_recorded():
    pass

@pytest.mark.kit_golden
def test_deliberate():
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", 9))
"""


@pytest.fixture
def golden(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoldenProject]:
    """A project with a golden set, on which pytest runs inside the test."""
    for name in ("CI", "GOLDEN_SET_QA_MODEL", "KIT_MODEL", "KIT_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    made = GoldenProject(pytester.path)
    made.write("pyproject.toml", PYPROJECT.format(settings=""))
    yield made


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Runs pytest in the project."""
    return pytester.runpytest_inprocess(*words)


def test_one_item_counts_all_cases(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """And prints every outcome, though it passed."""
    golden.floor(2)
    golden.write("test_others.py", OTHERS.format(url="http://127.0.0.1:9"))
    result = run(pytester, "--golden", "--golden-model", "stub")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*NOT deterministic*", "*stub, pass 1 (live): 2/6", "*rf-f*crash*"])


@pytest.mark.slow
def test_a_worker_tells_its_outcomes_too(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """Under pytest-xdist the item runs in another process than the one that prints; once it is said."""
    golden.floor(2)
    result = run(pytester, "--golden", "--golden-model", "stub", "-n", "1")
    result.assert_outcomes(passed=1)
    assert str(result.stdout).count("stub, pass 1 (live): 2/6") == 1
    result.stdout.fnmatch_lines(["*rf-f*crash*"])


def test_below_the_floor_fails_with_the_sentence(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """Of the floor, and no traceback through kit."""
    golden.floor(3)
    result = run(pytester, "--golden", "--golden-model", "stub")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*2/6 is below the floor 3/6 of stub*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_f04_without_a_floor_it_fails(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """And says the line to add."""
    result = run(pytester, "--golden", "--golden-model", "stub")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*observed 2/6*"stub": {"passRate": 2, "of": 6}*'])
    assert not (golden.root / "baselines").exists()


def test_f10_an_unreachable_backend_is_a_visible_skip(
    golden: GoldenProject, pytester: pytest.Pytester
) -> None:
    """With its reason, and not a pass (S4-08)."""
    settings = 'base_url = "http://127.0.0.1:9/v1"'
    golden.write("pyproject.toml", PYPROJECT.format(settings=settings))
    result = run(pytester, "--golden", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*skipped: no model server answers at http://127.0.0.1:9/v1*"])


def test_f11_not_selected_makes_no_call(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """Deselected, though the backend is up: nothing looks for one."""
    with serving() as server:
        golden.write("pyproject.toml", PYPROJECT.format(settings=f'base_url = "{server.url}/v1"'))
        golden.write("test_others.py", OTHERS.format(url=server.url))
        result = run(pytester)
        result.assert_outcomes(passed=1, deselected=1)
        everything = run(pytester, ".", "scenarios/golden/suite.yaml", "-m", "kit_golden")
        everything.assert_outcomes(deselected=2)
        assert server.requests == []


def test_named_paths_join_in(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """Golden tests of a user run with it, others do not."""
    golden.floor(2)
    with serving() as server:
        golden.write("test_others.py", OTHERS.format(url=server.url))
        result = run(pytester, "--golden", "--golden-model", "stub", "test_others.py")
    result.assert_outcomes(passed=2, deselected=1)
    assert len(server.requests) == 1


def test_a_recorded_test_beside_them_stops_no_golden_one(
    golden: GoldenProject, pytester: pytest.Pytester
) -> None:
    """Who is to ask a model has not forgotten the marker of the recording."""
    golden.floor(2)
    golden.write("test_beside.py", BESIDE)
    result = run(pytester, "--golden", "--golden-model", "stub", "test_beside.py")
    result.assert_outcomes(passed=2, deselected=1)


def test_replay_needs_no_model(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """The recorded passes, each against the floor; a cassette that is gone fails."""
    golden.floor(2)
    golden.golden(keep=True, passes=2)
    result = run(pytester, "--golden", "--golden-mode", "replay")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*stub, pass 2 (recorded): 2/6"])
    golden.floor(0)
    (golden.root / "cassettes/golden/stub/rf-a.yaml").unlink()
    result = run(pytester, "--golden", "--golden-mode", "replay")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the harness or a cassette is broken*"])


def test_a_project_without_a_golden_set(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """Stops before any test; so does a wrong floor file, as a failure."""
    golden.floor(7)
    result = run(pytester, "--golden", "--golden-model", "stub")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*invalid floor file*"])
    (golden.root / "scenarios/golden/suite.yaml").unlink()
    result = run(pytester, "--golden")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*there is no golden set here*"])


def test_the_file_of_a_named_item(golden: GoldenProject, pytester: pytest.Pytester) -> None:
    """It can be named by its id."""
    golden.floor(2)
    file = Path("scenarios/golden/suite.yaml")
    result = run(pytester, "--golden", "--golden-model", "stub", f"{file}::golden")
    result.assert_outcomes(passed=1)
