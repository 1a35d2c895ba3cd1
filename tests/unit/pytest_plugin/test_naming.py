from __future__ import annotations

from pathlib import Path

import pytest

from kit.pytest_plugin.naming import cassette_of_test, id_of_test

pytest_plugins = ["pytester"]

TESTS = """
import pytest

def test_plain(): pass

class TestGroup:
    @pytest.mark.parametrize("city", ["paris", "a/b", "a:b", "x" * 500, "è", "../../up"])
    def test_city(self, city): pass
"""


@pytest.fixture
def items(pytester: pytest.Pytester) -> list[pytest.Item]:
    """The tests of `tests/deep/test_a.py`."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    folder = pytester.mkdir("tests") / "deep"
    folder.mkdir()
    (folder / "test_a.py").write_text(TESTS)
    return pytester.genitems([pytester.getpathnode(folder / "test_a.py")])


def test_a_cassette_lies_where_its_test_lies(items: list[pytest.Item], pytester: pytest.Pytester) -> None:
    """Module, class, function and parameters name the file; the folder `tests` is not said twice."""
    root = pytester.path
    folder = root / "cassettes" / "tests" / "deep" / "test_a"
    assert cassette_of_test(root, items[0]) == folder / "test_plain.yaml"
    assert cassette_of_test(root, items[1]) == folder / "TestGroup.test_city.paris.yaml"
    assert id_of_test(root, items[1]) == "tests/deep/test_a.py::TestGroup::test_city[paris]"


def test_a_name_stands_for_the_test_and_parameters_follow(
    items: list[pytest.Item], pytester: pytest.Pytester
) -> None:
    """Each set of parameters has a recording of its own, whatever it is called."""
    assert cassette_of_test(pytester.path, items[1], "capital").name == "capital.paris.yaml"
    assert cassette_of_test(pytester.path, items[0], "../up").parent.name == "test_a"


def test_every_parameter_makes_another_file_name(items: list[pytest.Item], pytester: pytest.Pytester) -> None:
    """What no file name may hold, or what is too long, is told apart by a digest."""
    paths = [cassette_of_test(pytester.path, item) for item in items]
    assert len(set(paths)) == len(items)
    assert {path.parent for path in paths} == {paths[0].parent}
    assert all(len(path.name.encode()) < 240 for path in paths)


def test_a_module_outside_the_project_goes_by_its_place_in_pytest(
    items: list[pytest.Item], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A project's root below pytest's still finds a place."""
    elsewhere: Path = tmp_path_factory.mktemp("elsewhere")
    path = cassette_of_test(elsewhere, items[0])
    assert path == elsewhere / "cassettes" / "tests" / "deep" / "test_a" / "test_plain.yaml"
