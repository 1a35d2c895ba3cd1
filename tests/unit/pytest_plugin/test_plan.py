from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import CassetteMissing, ConfigError, UsageError
from kit.pytest_plugin.plan import add_scenarios, make_plan, project_of
from tests.fakes.templates import Templates
from tests.fakes.tiny_project import TinyProject, tiny_project
from tests.unit.pytest_plugin.conftest import PYPROJECT

pytest_plugins = ["pytester"]


@pytest.fixture
def tiny(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, templates: Templates) -> TinyProject:
    """A project with one recorded scenario in a default suite, and one suite that is none."""
    for name in ("CI", "KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    templates.copy("two suites", record_two, pytester.path)
    return TinyProject(pytester.path)


def record_two(root: Path) -> None:
    project = tiny_project(root)
    project.write("pyproject.toml", PYPROJECT)
    project.suite("extra", default=False)
    project.scenario("001_italy", suite="extra")
    assert project.kit("record", "--model", "stub", "quiz", "extra").code == 0


def planned(pytester: pytest.Pytester, *words: str) -> list[str]:
    """The scenarios' files that a command line means, with their models."""
    config = pytester.parseconfigure("--kit", *words)
    plan = make_plan(config)
    return [f"{path.stem} {cell.model}" for path, cells in plan.cells.items() for cell in cells]


@pytest.mark.parametrize("words", [(), (".",), ("scenarios",), ("scenarios/quiz",), ("tests",)])
def test_the_default_suites_are_meant(
    tiny: TinyProject, pytester: pytest.Pytester, words: tuple[str, ...]
) -> None:
    """With or without paths that have nothing to do with scenarios."""
    (tiny.root / "tests").mkdir()
    assert planned(pytester, *words) == ["001_france stub"]


@pytest.mark.parametrize(
    "word", ["scenarios/extra", "scenarios/extra/001_italy.yaml::stub", "scenarios/extra/suite.yaml"]
)
def test_a_suite_that_is_named_is_meant(tiny: TinyProject, pytester: pytest.Pytester, word: str) -> None:
    """As `kit replay` does where a suite is no default one."""
    assert planned(pytester, word) == ["001_italy stub"]


def test_scenarios_are_looked_into_once(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """Their folder joins what pytest collects from, unless something named holds it or lies in it."""
    (tiny.root / "tests").mkdir()
    added = str(tiny.root / "scenarios")
    assert pytester.parseconfigure("--kit", "tests").args[-1] == added
    assert added not in pytester.parseconfigure("--kit", str(tiny.root)).args
    assert added not in pytester.parseconfigure("--kit", "scenarios/quiz").args


def test_what_cannot_be_is_refused(tiny: TinyProject, pytester: pytest.Pytester) -> None:
    """An unknown category or an unrecorded model is an error, never an empty pass."""
    with pytest.raises(UsageError, match="category"):
        planned(pytester, "--kit-only", "happy")
    with pytest.raises(CassetteMissing, match="nothing is recorded for quiz on other:1b"):
        planned(pytester, "--kit-model", "other:1b")


def test_wrong_settings_are_told(pytester: pytest.Pytester) -> None:
    """The project's settings are read as by every command."""
    path: Path = pytester.path / "pyproject.toml"
    path.write_text("[tool.kit]\nmodle = 'x'\n")
    config = pytester.parseconfig("-p", "no:asyncio")
    with pytest.raises(ConfigError, match="modle"):
        project_of(config)
    with pytest.raises(ConfigError, match="modle"):
        add_scenarios(config)
