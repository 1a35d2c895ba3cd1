"""Two sets of runs side by side."""

from __future__ import annotations

import pytest

from kit.baseline.accepted import CellId
from kit.baseline.drift import Side
from kit.errors import UsageError
from kit.workflow import diff as module
from kit.workflow.diff import Comparison, diff
from kit.workflow.source import Source
from tests.fakes.stub_project import StubProject


def cell(scenario: str = "001_x", model: str = "m", variant: str = "", suite: str = "home") -> CellId:
    return CellId(suite, model, scenario, variant)


class Known:
    """Sources by name, in place of a project's."""

    def __init__(self, project: StubProject, patch: pytest.MonkeyPatch) -> None:
        self.project = project
        self.sources: dict[str, Source] = {}
        self.asked: list[str] = []
        patch.setattr(module, "find_source", self._find)

    def add(self, name: str, *cells: CellId, verdict: str = "pass") -> None:
        """A source that a word of the command line will mean."""
        self.sources[name] = Source(name, {one: Side(model=one.model, verdict=verdict) for one in cells})

    def diff(self, *sources: str, models: tuple[str, ...] = ()) -> Comparison:
        """What `kit diff` does."""
        return diff(self.project.open(), sources, models)

    def _find(self, _project: object, text: str) -> Source:
        self.asked.append(text)
        return self.sources[text]


@pytest.fixture
def known(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> Known:
    """No sources yet."""
    return Known(project, monkeypatch)


def test_sides_that_are_not_named(known: Known) -> None:
    """None compares baseline with last, one compares it with last, two models are two sides."""
    for name in ("baseline", "last", "last~1", "a", "b"):
        known.add(name, cell())
    known.diff()
    known.diff("last~1")
    known.diff(models=("a", "b"))
    assert known.asked == ["baseline", "last", "last~1", "last", "a", "b"]
    for sources, models in ((("a", "b", "last"), ()), (("a",), ("m", "n")), ((), ("a", "b", "c"))):
        with pytest.raises(UsageError, match="a comparison has two sides"):
            known.diff(*sources, models=models)


def test_the_same_cells_are_compared(known: Known) -> None:
    """What one side alone has is told, if the other ran that suite and model at all."""
    known.add("a", cell(), cell("002_y"), cell(model="n"), cell(suite="work"))
    known.add("b", cell(), cell("003_z"), verdict="fail")
    found = known.diff("a", "b")
    assert [(one.before, one.after) for one in found.cells] == [(cell(), cell())]
    assert (found.only_before, found.only_after) == ((cell("002_y"),), (cell("003_z"),))
    assert found.exit_code == 1
    assert [one.sentence for one in found.cells[0].drift] == ["pass → fail"]
    assert known.diff("b", "a").exit_code == 0


def test_models_and_variants_are_compared_scenario_by_scenario(known: Known) -> None:
    """Where each side has one model, or one variant, and not the same."""
    known.add("a", cell(), cell("002_y"))
    known.add("b", cell(model="n"), cell("002_y", "n"), cell("003_z", "n"))
    found = known.diff("a", "b")
    assert [(one.before.model, one.after.model) for one in found.cells] == [("m", "n")] * 2
    assert found.only_after == (cell("003_z", "n"),)
    known.add("terse", cell(variant="terse"), cell("002_y", variant="terse"))
    assert [one.after.variant for one in known.diff("a", "terse").cells] == ["terse", "terse"]


def test_single_runs_are_compared_whatever_they_are(known: Known) -> None:
    """Two cassettes, for instance."""
    known.add("a", cell())
    known.add("b", cell("002_y", "n", suite="work"))
    assert len(known.diff("a", "b").cells) == 1


def test_nothing_in_common_is_a_mistake(known: Known) -> None:
    """Said with what each side has."""
    known.add("a", cell(), cell("002_y"))
    known.add("b", cell(suite="work"), cell("002_y", suite="work"))
    with pytest.raises(UsageError, match="both sides have no scenario in common") as refused:
        known.diff("a", "b")
    assert refused.value.why == "a has home on m; b has work on m"


def test_one_model_of_both_sides(known: Known) -> None:
    """The others are left out."""
    known.add("a", cell(), cell(model="n"))
    known.add("b", cell(), cell(model="n"))
    assert [one.after.model for one in known.diff("a", "b", models=("n",)).cells] == ["n"]


def test_weights_are_configured(known: Known) -> None:
    """A project for which a worse verdict only warns has exit code 0."""
    known.project.write("pyproject.toml", '[tool.kit.drift]\nverdict = "warn"\n')
    known.add("a", cell())
    known.add("b", cell(), verdict="fail")
    assert known.diff("a", "b").exit_code == 0
