"""The workflows in `.github/`: what they may do, and their own shell steps, run here in a fresh clone.

`make lint` checks them against the schema of GitHub. GitHub's machines are not here: the steps behind `uses:`
are the ones that nobody runs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.models.stub import StubServer
from tests.fakes.model_server import ModelServer, serving

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "workflows"
GATE, LIVE = "merge-gate.yml", "weekly-live.yml"
ON: Any = True
"""YAML 1.1 reads the key `on` so."""


def workflow(name: str) -> dict[Any, Any]:
    """A workflow as data."""
    value: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return value


def steps(name: str, job: str | None = None) -> list[dict[str, Any]]:
    """All steps of a workflow, or of one job."""
    jobs = workflow(name)["jobs"]
    return [step for key in jobs if job in {None, key} for step in jobs[key]["steps"]]


@pytest.mark.parametrize("name", [GATE, LIVE])
def test_least_permissions(name: str) -> None:
    """Reading the repository is all that any job may do; checkout leaves no token behind."""
    assert workflow(name)["permissions"] == {"contents": "read"}
    assert not [job for job in workflow(name)["jobs"].values() if "permissions" in job]
    checkouts = [step for step in steps(name) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@pytest.mark.parametrize("name", [GATE, LIVE])
def test_actions_are_githubs_own_and_pinned_by_major_version(name: str) -> None:
    """Nobody else's code runs beside the recordings."""
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used
    assert not [one for one in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", one)]


@pytest.mark.parametrize("name", [GATE, LIVE])
def test_no_expression_stands_inside_a_shell_command(name: str) -> None:
    """The name of a branch is text from outside: it reaches a shell as a variable only."""
    assert not [step["run"] for step in steps(name) if "${{" in step.get("run", "")]


def test_merge_gate_needs_no_secret() -> None:
    """So it works on the pull request of a fork, and never runs a fork's code with keys in reach."""
    text = (FOLDER / GATE).read_text(encoding="utf-8")
    assert "secrets." not in text
    assert set(workflow(GATE)[ON]) == {"pull_request", "push"}


def test_tests_run_on_every_python_that_the_package_names() -> None:
    """And with the same command that CI here runs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if "Python :: 3." in one]
    assert workflow(GATE)["jobs"]["tests"]["strategy"]["matrix"]["python"] == named
    assert [step["run"] for step in steps(GATE, "tests") if "run" in step] == ["make test PYTHON=python"]
    assert "make test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_github_and_ci_here_call_the_same_commands() -> None:
    """A check that only one of the two makes is a surprise at the other, but for the clients."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    wanted = {line for line in lines if line.startswith(("make ", ".venv/bin/kit "))}
    called = {
        line.strip().removesuffix(" PYTHON=python")
        for step in steps(GATE)
        for line in step.get("run", "").splitlines()
    }
    # A branch has a base to be compared with: `kit gate` replays more than `kit replay` does.
    assert wanted - called == {".venv/bin/kit replay"}
    assert any(line.startswith(".venv/bin/kit gate ") for line in called)
    extra = {line for line in called if line.startswith("make ")} - wanted
    assert extra == {"make .venv/.kit", "make test-clients"}


def test_weekly_run_is_on_thursday_night_or_by_hand() -> None:
    """S2-34: (3) and (4)."""
    events = workflow(LIVE)[ON]
    assert [entry["cron"].split()[4] for entry in events["schedule"]] == ["4"]
    assert "workflow_dispatch" in events


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a runner checks out, with what the last commit changed as a branch before `origin/main`."""
    folder = tmp_path / "clone"
    _run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(folder)], tmp_path, {})
    _run(["git", "update-ref", "refs/remotes/origin/main", "HEAD^"], folder, {})
    return folder


def _run(
    command: list[str], folder: Path, environ: dict[str, str], codes: tuple[int, ...] = (0,)
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "CI": "true", "GITHUB_ACTIONS": "true", **environ},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    said = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if not line.startswith("WARNING: ")]
    assert done.returncode in codes, "\n".join([f"{command} exited with {done.returncode}", *said])
    return done


def _run_job(
    name: str, job: str, folder: Path, environ: dict[str, str], codes: tuple[int, ...] = (0,)
) -> str:
    """Each `run:` step as a runner starts it, `python` being this one; what they printed.

    The steps behind one that fails with an allowed code run too: each of them says `!cancelled()`.
    """
    home = folder.parent
    (home / "bin").mkdir(exist_ok=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    shared = {
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_STEP_SUMMARY": str(home / "summary.md"),
        "GITHUB_OUTPUT": str(home / "output"),
    }
    printed = []
    for step in steps(name, job):
        if "run" in step:
            values = {key: environ.get(key, "") for key in step.get("env", {})}
            script = home / "step.sh"
            script.write_text(step["run"], encoding="utf-8")
            printed.append(_run(["bash", "-e", str(script)], folder, shared | values, codes).stdout)
    return "\n".join(printed)


@pytest.mark.slow
def test_dry_run_of_the_gate(clone: Path) -> None:
    """Installs, replays and decides in a clone, without a key; leaves the report and the step's summary."""
    printed = _run_job(GATE, "gate", clone, {"BASE": "origin/main"})
    assert "::stop-commands::" in printed
    assert (clone / "report" / "junit.xml").is_file()
    assert "success_rate" in (clone.parent / "summary.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_dry_run_of_lint(clone: Path) -> None:
    """What stands beside the gate passes too."""
    _run_job(GATE, "lint", clone, {})


@pytest.mark.slow
def test_dry_run_of_the_weekly_run(clone: Path) -> None:
    """Against a scripted model and a chat on the loopback address: the chat gets the three numbers."""

    def thanks(handler: Any, body: bytes) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "0")
        handler.end_headers()

    chat: ModelServer
    with (
        StubServer(clone / "fixtures" / "stub", ("stub", "stub-judge")) as model,
        serving(hook=thanks) as chat,
    ):
        environ = {
            "KIT_BASE_URL": f"{model.base_url}",
            "KIT_MODEL": "stub",
            "KIT_WEBHOOK_URL": f"{chat.url}/hook",
            "KIT_WEBHOOK_BODY": '{"chat_id": "1", "text": "{text}"}',
            "ONLY": "happy_path",
        }
        # 1: a scripted model on a busy machine is slower today than when it was recorded.
        _run_job(LIVE, "live", clone, environ, codes=(0, 1))
    assert (clone.parent / "output").read_text(encoding="utf-8") == "configured=true\n"
    [(_, body)] = chat.requests
    assert b"Q1 Does it work? success_rate: 5/5" in body


def test_weekly_run_without_a_model_runs_nothing(tmp_path: Path) -> None:
    """The first step says so, and every other one waits for its word."""
    first, *others = steps(LIVE)
    script = tmp_path / "step.sh"
    script.write_text(first["run"], encoding="utf-8")
    environ = {"KIT_BASE_URL": "", "GITHUB_OUTPUT": str(tmp_path / "output")}
    said = _run(["bash", "-e", str(script)], tmp_path, environ).stdout
    assert said.startswith("::notice title=weekly live run::Nothing was run")
    assert not (tmp_path / "output").exists()
    assert all("steps.model.outputs.configured == 'true'" in step["if"] for step in others)
