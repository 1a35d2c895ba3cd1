"""What a change can affect."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.harness.changed import Affected, Surroundings, affected
from kit.harness.plan import Cell
from tests.fakes.stub_project import StubProject


@pytest.fixture
def project(tmp_path: Path) -> StubProject:
    found = StubProject(tmp_path)
    found.scenario("001_x", setup={
        "autonomy": "manual", "available_tools": [],
        "fixtures": [{"path": "/workspace/data", "content_fixture": "fixtures/data"}],
    })  # fmt: skip
    found.write("fixtures/data/one.txt", "")
    found.scenario("002_y")
    found.write("own_agent.py", "import own_part\n")
    found.write("own_part.py", "")
    for name in ("001_x", "002_y"):
        found.write(f"cassettes/home/stub/{name}.yaml", "")
    return found


def cells(project: StubProject) -> list[Cell]:
    return [project.cell("001_x"), project.cell("002_y")]


def told(project: StubProject, *files: str, mode: str = "replay") -> Affected:
    surroundings = Surroundings(
        root=project.root,
        home=project.root,
        mode="replay" if mode == "replay" else "live",
        agent=lambda _: "own_agent:agent",
    )
    return affected(cells(project), files, surroundings, "main")


def ids(found: Affected) -> list[str]:
    return [cell.selected.scenario.id for cell in found.cells]


BOTH = ["001_x", "002_y"]


@pytest.mark.parametrize(
    ("file", "wanted", "said"),
    [
        ("scenarios/home/001_x.yaml", ["001_x"], "their scenarios changed"),
        ("scenarios/home/suite.yaml", BOTH, "their suite.yaml changed"),
        ("fixtures/data/one.txt", ["001_x"], "their fixtures changed"),
        ("fixtures/data/two/three.txt", ["001_x"], "their fixtures changed"),
        ("cassettes/home/stub/002_y.yaml", ["002_y"], "their cassettes changed"),
        ("cassettes/home/stub/002_y.judge.yaml", ["002_y"], "their cassettes changed"),
        ("baselines/home/stub/002_y.yaml", ["002_y"], "their baselines changed"),
        ("cassettes/home/other/002_y.yaml", [], "of other scenarios, models or replicates"),
        ("cassettes/home/stub/002_y@2.yaml", [], "of other scenarios, models or replicates"),
        ("own_part.py", BOTH, "their agent imports own_part.py"),
        ("tests/test_it.py", [], "modules that no agent imports"),
        ("fixtures/stub/model.yaml", [], "scripts of the stub model, which only live runs read"),
        ("pyproject.toml", BOTH, "pyproject.toml changed"),
        ("README.md", [], "read by no run"),
        (".github/workflows/x.yml", [], "read by no run"),
        ("docs/README.md", BOTH, "nobody can say who reads docs/README.md"),
        ("own_part.so", BOTH, "nobody can say who reads own_part.so"),
        ("../other/x.txt", BOTH, "nobody can say who reads ../other/x.txt"),
    ],
)
def test_one_file(project: StubProject, file: str, wanted: list[str], said: str) -> None:
    """What it is decides which runs it affects, and is said."""
    found = told(project, file)
    assert ids(found) == wanted
    assert said in "\n".join(found.lines)
    assert found.lines[0] == f"changed since main: {len(wanted)} of 2 runs can be affected"


def test_live_runs_read_the_scripts_of_the_stub(project: StubProject) -> None:
    """So they run again where those changed."""
    assert ids(told(project, "fixtures/stub/model.yaml", mode="live")) == BOTH


def test_what_is_not_recorded_runs(project: StubProject) -> None:
    """Its error must show whatever changed."""
    project.cassette("002_y").unlink()
    found = told(project)
    assert ids(found) == ["002_y"]
    assert "  run 1: it has no cassette" in found.lines


def test_an_unsure_agent_runs_for_any_module(project: StubProject) -> None:
    """It may load any of them."""
    project.write("own_part.py", "import importlib\nimportlib.import_module(x)\n")
    assert ids(told(project, "tests/test_it.py")) == BOTH
    assert ids(told(project, "README.md")) == []


def test_why_the_rest_is_left_out(project: StubProject) -> None:
    """Files that matter to nobody are named, the first of them."""
    names = [f"tests/test_{number}.py" for number in range(5)]
    found = told(project, "scenarios/home/001_x.yaml", *names)
    assert found.lines == (
        "changed since main: 1 of 2 runs can be affected",
        "  run 1: their scenarios changed",
        "  left out 1: nothing they read changed",
        f"  no matter: {', '.join(names[:3])} and 2 more (modules that no agent imports)",
    )
