from __future__ import annotations

import pytest

from tests.fakes.tiny_project import AGENT, TinyProject, tiny_project
from tests.unit.pytest_plugin.conftest import PYPROJECT

pytest_plugins = ["pytester"]
ID = "scenarios/quiz/001_france.yaml::stub"


@pytest.fixture
def tiny(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> TinyProject:
    """A project with one recorded scenario."""
    for name in ("CI", "KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    project = tiny_project(pytester.path)
    project.write("pyproject.toml", PYPROJECT)
    assert project.kit("record", "--model", "stub").code == 0
    return project


def test_a_recorded_run_is_a_test(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """It has an id that pytest takes back."""
    result = pytester.runpytest("--kit", "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"{ID} PASSED*"])
    pytester.runpytest("--kit", ID).assert_outcomes(passed=1)


def test_every_condition_that_does_not_hold_is_listed(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """A verdict `fail` is a failed test, with its trace."""
    expected = {"outcome": "refused", "final_response": {"contains_any": ["Rome"]}}
    tiny.scenario(expected=expected)
    result = pytester.runpytest("--kit")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["quiz/001_france on stub: 2 conditions do not hold", "  - *", "  - *", "trace: *"]
    )
    trace = next(line for line in result.outlines if line.startswith("trace: ")).removeprefix("trace: ")
    assert (tiny.root / trace).is_file()


def test_a_miss_is_an_error_of_the_test(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """A verdict `error` is no failure of the agent."""
    tiny.write("tiny_agent.py", AGENT.replace("one short", "one long"))
    result = pytester.runpytest("--kit", "--junitxml=out.xml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["quiz/001_france on stub: no verdict", "*system prompt", "*kit record --model stub 001_france"]
    )
    report = (tiny.root / "out.xml").read_text()
    assert 'errors="1" failures="0"' in report


def test_a_scenario_without_cassette_is_an_error_with_its_command(
    tiny: TinyProject, pytester: pytest.Pytester
) -> None:
    """What was never recorded is never left out in silence."""
    tiny.scenario("002_italy")
    result = pytester.runpytest("--kit")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*kit record --model stub 002_italy*"])


def test_a_broken_scenario_stops_everything(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """A file that cannot be read must never look like a pass; without `--kit` it is nobody's business."""
    tiny.scenario(category="nonsense")
    result = pytester.runpytest("--kit")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*001_france.yaml*nonsense*"])


def test_an_agent_that_cannot_be_imported_is_an_error(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """The message is the one of `kit replay`."""
    tiny.write("tiny_agent.py", "import nonsense\n")
    result = pytester.runpytest("--kit")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*agent `tiny_agent:agent` cannot be imported*"])


def test_a_suites_own_file_may_be_named(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """As a shell does that expands `scenarios/quiz/*.yaml`."""
    result = pytester.runpytest("--kit", "scenarios/quiz/001_france.yaml", "scenarios/quiz/suite.yaml")
    result.assert_outcomes(passed=1)
