"""Names of recordings on a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.harness.address import Address, parse_address, samples_of
from kit.scenario.load import load_suites
from tests.fakes.stub_project import StubProject


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("001", Address("001")),
        ("home", Address("home")),
        ("001_x@2", Address("001_x", None, 2)),
        ("001_x.fork-3", Address("001_x", "fork-3")),
        ("001_x.fork-3@12", Address("001_x", "fork-3", 12)),
        ("scenarios/home/001_x.yaml", Address("scenarios/home/001_x.yaml")),
        ("001_x.yaml", Address("001_x.yaml")),
        ("001_x@0", Address("001_x@0")),
        ("001_x@two", Address("001_x@two")),
    ],
)
def test_a_name_a_variant_and_a_sample(text: str, address: Address) -> None:
    """A path stays a path, and a number that counts nothing is part of a name that will not be found."""
    assert parse_address(text) == address


def test_samples_stand_by_their_scenario(project: StubProject) -> None:
    """A scenario that is named whole is in no entry; one that is named twice has both."""
    one, two = project.scenario("001_x"), project.scenario("002_y")
    suites = load_suites(project.root)
    named = samples_of(suites, [parse_address(text) for text in ("001@2", "001_x.fork", "002_y")])
    assert {path.name: chosen for path, chosen in named.items()} == {one.name: [(None, 2), ("fork", None)]}
    assert two.name not in {path.name for path in named}
    with pytest.raises(UsageError, match="`003`"):
        samples_of(suites, [Address("003", None, 1)])


@pytest.fixture
def project(tmp_path: Path) -> StubProject:
    """A project on disk; nothing of it is run."""
    return StubProject(tmp_path)
