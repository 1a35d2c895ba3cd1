"""The six repositories of the golden set, on the machine's Node: each tests its rule, or not (S4-37)."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios" / "golden"

pytestmark = pytest.mark.skipif(shutil.which("npm") is None, reason="this machine has no npm")


@dataclass(frozen=True)
class Break:
    """A change of the code that breaks a case's rule, or a part of it.

    Attributes:
        case: the golden case.
        old: text of the code.
        new: what stands there instead; the same text leaves the code as it is.
        is_noticed: whether `npm test` fails then.
    """

    case: str
    old: str
    new: str
    is_noticed: bool

    def __str__(self) -> str:
        return f"{self.case}:{self.new.strip() or 'removed'}"


BREAKS = (
    Break("rf-covered", "enviado: true", "enviado: false", is_noticed=True),
    Break("rf-covered", "{ payload, enviado", "{ payload: {}, enviado", is_noticed=True),
    # The code does not do it at all, and every test passes.
    Break("rf-uncovered", "return {", "return {", is_noticed=False),
    Break(
        "rf-uncovered",
        "  return {",
        "  if (!payload) throw new Error('empty');\n  return {",
        is_noticed=False,
    ),
    Break("rf-single-clean", "includes(wanted)", "startsWith(wanted)", is_noticed=True),
    Break("rf-single-clean", "termo.toLowerCase()", "termo", is_noticed=True),
    Break("rf-single-clean", "produtos.filter(", "produtos.slice(0, 0).filter(", is_noticed=True),
    Break("rf-mismatched-filename", "pedido.enviadoEm = new Date();", "", is_noticed=True),
    Break("rf-mismatched-filename", "new Date()", "new Date(0)", is_noticed=True),
    Break("rf-partial-coverage", "pedido.status = 'cancelado'", "pedido.status = 'x'", is_noticed=True),
    Break("rf-partial-coverage", "throw new Error(", "void (", is_noticed=False),
    Break("rf-skipped-test", "nota.arquivada = true;", "", is_noticed=False),
)
"""Of an approved case every break is noticed; of the others at least one is not."""


def repository(case: str) -> Path:
    """The repository of a case, as its scenario names it."""
    scenario = yaml.safe_load((SCENARIOS / f"{case}.yaml").read_text("utf-8"))
    (found,) = (
        place["content_fixture"]
        for place in scenario["setup"]["fixtures"]
        if place["path"] == "/workspace/repo"
    )
    return ROOT / str(found)


def verdict(case: str) -> str:
    """What people agreed on."""
    scenario = yaml.safe_load((SCENARIOS / f"{case}.yaml").read_text("utf-8"))
    return str(scenario["expected"]["verdict"])


def npm_test(folder: Path) -> int:
    """The exit code of `npm test`."""
    return subprocess.run(["npm", "test"], cwd=folder, capture_output=True, check=False).returncode


def node_test(folder: Path) -> int:
    """The same without npm and in one process, since both take longer than the tests."""
    files = [f"require('./{path.relative_to(folder)}')" for path in sorted(folder.glob("test/*.test.js"))]
    assert files
    return subprocess.run(
        ["node", "-e", ";".join(files)], cwd=folder, capture_output=True, check=False
    ).returncode


CASES = sorted(file.stem for file in SCENARIOS.glob("rf-*.yaml"))


def test_the_six_cases_are_those_of_the_source() -> None:
    """With the agreed verdicts (S4-19)."""
    assert {case: verdict(case) for case in CASES} == {
        "rf-covered": "approved",
        "rf-uncovered": "changes_requested",
        "rf-single-clean": "approved",
        "rf-mismatched-filename": "approved",
        "rf-partial-coverage": "changes_requested",
        "rf-skipped-test": "changes_requested",
    }


@pytest.mark.parametrize("case", CASES)
def test_tests_pass_as_they_stand(case: str, tmp_path: Path) -> None:
    """So that a verdict is about the rule and not about red tests."""
    assert node_test(shutil.copytree(repository(case), tmp_path / "repo")) == 0


# Of the others the same tests pass above, and what `npm test` runs is compared below.
@pytest.mark.parametrize(
    "case", [CASES[0], *(pytest.param(case, marks=pytest.mark.slow) for case in CASES[1:])]
)
def test_npm_test_passes_as_it_stands(case: str, tmp_path: Path) -> None:
    """As AGENTS.md tells the agent to run them."""
    assert npm_test(shutil.copytree(repository(case), tmp_path / "repo")) == 0


@pytest.mark.parametrize("change", BREAKS, ids=str)
def test_a_broken_rule_is_noticed_or_not(change: Break, tmp_path: Path) -> None:
    """Covered means: break what the rule says and a test fails."""
    copied = shutil.copytree(repository(change.case), tmp_path / "repo")
    (code,) = (copied / "src").iterdir()
    text = code.read_text("utf-8")
    assert text.count(change.old) == 1
    code.write_text(text.replace(change.old, change.new), encoding="utf-8")
    assert (node_test(copied) != 0) == change.is_noticed


@pytest.mark.parametrize("case", CASES)
def test_verdicts_agree_with_what_tests_notice(case: str) -> None:
    """Approved is right where every break is noticed, changes_requested where one is not."""
    noticed = [change.is_noticed for change in BREAKS if change.case == case]
    assert noticed
    assert ("approved" if all(noticed) else "changes_requested") == verdict(case)


@pytest.mark.parametrize("case", CASES)
def test_repositories_need_nothing_installed(case: str) -> None:
    """No dependencies, and AGENTS.md says never to install any and exactly what to run."""
    folder = repository(case)
    package = yaml.safe_load((folder / "package.json").read_text("utf-8"))
    assert not {"dependencies", "devDependencies"} & set(package)
    assert package["scripts"] == {"test": "node --test --test-reporter=spec"}
    assert "type" not in package, "CommonJS is Node's default"
    said = (folder / "AGENTS.md").read_text("utf-8")
    assert "Never run `npm install`" in said
    assert "run exactly `npm test`" in said
