"""Selection: what a command names, or a clear word that it does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kit.errors import UsageError
from kit.scenario.load import LoadedSuite
from kit.scenario.select import select

if TYPE_CHECKING:
    from tests.unit.scenario.conftest import Project


@pytest.fixture
def suites(project: Project) -> tuple[LoadedSuite, ...]:
    """A default suite `home` with three scenarios, and `extra`, which is not played by default."""
    project.write(
        "scenarios/extra/suite.yaml", "description: e\ncategories: [slow, security]\ndefault: false\n"
    )
    project.scenario("001_a")
    project.scenario("002_b", category="security")
    project.scenario("003_c")
    project.scenario("101_e", "extra", category="slow", reason="seen")
    return project.load()


@pytest.mark.parametrize(
    ("wanted", "only", "ids"),
    [
        ([], [], ["001_a", "002_b", "003_c"]),
        ([], ["security"], ["002_b"]),
        ([], ["security", "happy_path"], ["001_a", "002_b", "003_c"]),
        (["003_c", "001_a"], [], ["001_a", "003_c"]),
        (["002"], [], ["002_b"]),
        (["extra"], [], ["101_e"]),
        (["101_e", "001_a"], [], ["101_e", "001_a"]),
        (["home"], ["happy_path"], ["001_a", "003_c"]),
        (["001_a", "001_a"], [], ["001_a"]),
    ],
)
def test_what_is_named_is_selected_once_in_order(
    suites: tuple[LoadedSuite, ...], wanted: list[str], only: list[str], ids: list[str]
) -> None:
    """Ids, their numbers, suites and categories narrow the list; its order is that of suites and ids."""
    assert [item.scenario.id for item in select(suites, wanted, only)] == ids


def test_paths_are_names_too(suites: tuple[LoadedSuite, ...]) -> None:
    """A file or a suite's folder, as a shell completes it."""
    home = next(loaded for loaded in suites if loaded.suite.name == "home")
    file = home.folder / "002_b.yaml"
    assert [item.path for item in select(suites, [str(file)])] == [file]
    assert len(select(suites, [str(home.folder)])) == 3


@pytest.mark.parametrize(
    ("wanted", "only", "parts"),
    [
        (["001_aa"], [], ["`001_aa` (did you mean `001_a`?)", "suites: extra, home", "101_e"]),
        ([], ["securty"], ["`securty` (did you mean `security`?)", "happy_path, security, slow"]),
        ([], ["slow"], ["no scenario is selected", "name these suites to take them in: extra"]),
        (["001_a"], ["security"], ["no scenario is selected", "security"]),
    ],
)
def test_what_does_not_exist_is_an_error_with_what_does(
    suites: tuple[LoadedSuite, ...], wanted: list[str], only: list[str], parts: list[str]
) -> None:
    """S2-46 (10) and (15): neither an unknown word nor an empty set is a pass."""
    with pytest.raises(UsageError) as refused:
        select(suites, wanted, only)
    for part in parts:
        assert part in str(refused.value)


def test_nothing_at_all_is_an_error(project: Project) -> None:
    """A suite without scenarios, or only suites that are not default, select nothing."""
    with pytest.raises(UsageError, match="no scenario is selected"):
        select(project.load())
    project.write("scenarios/home/suite.yaml", "description: h\ncategories: [happy_path]\ndefault: false\n")
    project.scenario()
    with pytest.raises(UsageError, match="default: true"):
        select(project.load())
