from __future__ import annotations

import pytest

from kit.pytest_plugin.options import Marked, add_marker, add_options, marked, record_mode

pytest_plugins = ["pytester"]


def item_marked(pytester: pytest.Pytester, mark: str) -> pytest.Item:
    return pytester.getitem(f"import pytest\n@pytest.mark.kit_cassette{mark}\ndef test_it(): pass", "test_it")


@pytest.fixture
def quiet(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project in which no plugin has to warn."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    return pytester


@pytest.mark.parametrize(
    ("mark", "wanted"),
    [
        ("", Marked()),
        ("('paris')", Marked("paris")),
        ("(name='paris', virtual_time=False)", Marked("paris", virtual_time=False)),
        ("(allow=['write:out'])", Marked(allow=("write:out",))),
    ],
)
def test_marker_is_read(quiet: pytest.Pytester, mark: str, wanted: Marked) -> None:
    """A marker's arguments are what the recording is told."""
    assert marked(item_marked(quiet, mark)) == wanted


@pytest.mark.parametrize("mark", ["(nam='x')", "('x', 'y')", "('x', name='y')", "(allow='write:out')"])
def test_marker_with_a_slip_is_refused(quiet: pytest.Pytester, mark: str) -> None:
    """A misspelt argument is told, never passed over."""
    with pytest.raises(ValueError, match="kit_cassette"):
        marked(item_marked(quiet, mark))


def test_a_test_without_marker_has_the_defaults(quiet: pytest.Pytester) -> None:
    """The fixture alone records too."""
    assert marked(quiet.getitem("def test_it(): pass", "test_it")) == Marked()


def test_options_begin_with_kit_and_record_nothing_by_default(quiet: pytest.Pytester) -> None:
    """No option of another recorder is met (S4-06 says `--golden`); CI never records by accident."""
    parser = pytest.Parser(_ispytest=True)
    add_options(parser)
    names = [name for group in parser._groups for option in group.options for name in option.names()]
    assert names
    assert all(name.startswith(("--kit", "--golden")) for name in names)
    config = quiet.parseconfig()
    add_marker(config)
    assert record_mode(config) == "none"
    assert any(line.startswith("kit_cassette(") for line in config.getini("markers"))
