"""A whole suite: CPU and memory of the committed twenty, vcrpy beside it, and kit's share of one run."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
from rich.table import Table

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.cassette.store import read
from kit.workflow.project import open_project
from kit.workflow.scenarios import RunRequest, run_scenarios
from tests.fakes.tiny_project import TinyProject, tiny_project

ROOT = Path(__file__).resolve().parents[2]
IMPORTS = "import kit.cli.main, kit.workflow.scenarios, kit.report.terminal, kit.agents.home"
CELLS = 40

TEST = """
from pathlib import Path

import httpx
import pytest
import yaml
import vcr

FOLDER = Path(__file__).parent
PLAYER = vcr.VCR(match_on=["method", "uri", "body"], record_mode="none")


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.yaml")))
def test_case(name):
    path = FOLDER / f"{name}.yaml"
    recorded = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)["interactions"]
    with PLAYER.use_cassette(str(path)), httpx.Client(verify=False, trust_env=False) as client:
        for one in recorded:
            asked = one["request"]
            answer = client.request(asked["method"], asked["uri"], content=asked["body"], headers=HEADERS)
            assert answer.status_code == one["response"]["status"]["code"]


HEADERS = {"content-type": "application/json"}
"""
"""The same exchanges as the twenty, by the usual tools: no agent, no oracles, no baselines, no report."""

AGENT = """
import httpx

CLIENT = httpx.Client(verify=False, trust_env=False)


def agent(turn):
    body = {"model": turn.endpoint.model, "messages": [{"role": "user", "content": turn.message}]}
    answer = CLIENT.post(f"{turn.endpoint.base_url}/chat/completions", json=body)
    return answer.json()["choices"][0]["message"]["content"]
"""


@dataclass(frozen=True)
class Used:
    """What a process took: CPU seconds and bytes of memory at its peak."""

    cpu_s: float
    peak: int


_MEASURE = """
import os, sys
folder, *command = sys.argv[1:]
shell = ["sh", "-c", 'cd "$0" && exec "$@" >/dev/null 2>&1', folder, *command]
pid = os.posix_spawn("/bin/sh", shell, os.environ)
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""Runs in a small process of its own: a child's peak memory is never told below that of who started it."""


def used(command: Sequence[str], folder: Path, runs: int) -> Used:
    """The least of some runs, with bytecode kept and no plugin of pytest but those it brings."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    found = []
    for _ in range(runs):
        measure = [sys.executable, "-I", "-S", "-c", _MEASURE, str(folder), *command]
        code, cpu, kilobytes = subprocess.run(
            measure, capture_output=True, text=True, check=True, env=environ
        ).stdout.split()
        if code not in {"0", "1"}:
            raise SystemExit(f"{' '.join(command)} exited with {code}")
        found.append(Used(float(cpu), int(kilobytes) * 1024))
    return Used(min(one.cpu_s for one in found), min(one.peak for one in found))


def table(runs: int, *, with_vcrpy: bool) -> Table:
    """The twenty with their gate, and the peer."""
    python, kit = sys.executable, str(Path(sys.executable).with_name("kit"))
    imports = used([python, "-c", IMPORTS], ROOT, runs)
    rows = {
        "(its imports alone)": imports,
        "kit replay --model stub": used([kit, "replay", "--model", "stub"], ROOT, runs),
    }
    if with_vcrpy:
        with tempfile.TemporaryDirectory() as folder:
            write_vcr_project(Path(folder))
            plain = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
            rows["pytest + vcrpy, the same exchanges"] = used(plain, Path(folder), runs)
    shown = Table(title="the committed twenty on one model, with the gate")
    for column in ("command", "CPU", "/ imports", "peak memory"):
        shown.add_column(column, justify="left" if column == "command" else "right")
    for name, one in rows.items():
        shown.add_row(
            name,
            f"{one.cpu_s * 1000:.0f} ms",
            f"{one.cpu_s / imports.cpu_s:.2f}x",
            f"{one.peak / 1e6:.0f} MB",
        )
    return shown


def write_vcr_project(folder: Path) -> None:
    """A test file and a vcrpy cassette for each of the twenty, made of kit's own recordings."""
    from vcr.request import Request
    from vcr.serialize import serialize
    from vcr.serializers import yamlserializer

    for path in sorted((ROOT / "cassettes/home/stub").glob("*.yaml")):
        if path.name.endswith(".judge.yaml"):
            continue
        pairs = [
            (one.request, one.response)
            for one in read(path).interactions
            if isinstance(one.request, HttpRequest) and isinstance(one.response, HttpResponse)
        ]
        requests = [
            Request(asked.method, asked.url, asked.body, {"content-type": "application/json"})
            for asked, _ in pairs
        ]
        responses = [
            {"status": {"code": said.status, "message": ""}, "headers": {}, "body": {"string": said.body}}
            for _, said in pairs
        ]
        text = serialize({"requests": requests, "responses": responses}, yamlserializer)
        (folder / path.name).write_text(text, encoding="utf-8")
    (folder / "test_twenty.py").write_text(TEST, encoding="utf-8")


def overhead(runs: int) -> Table:
    """What kit takes of a scenario beyond the agent's own time, with an agent that asks once and repeats."""
    with tempfile.TemporaryDirectory() as folder:
        project = tiny_project(Path(folder))
        project.agent(AGENT)
        for number in range(2, CELLS + 1):
            project.scenario(f"{number:03d}_france")
        with contextlib.redirect_stdout(io.StringIO()):
            recorded = project.kit("record", "--model", "stub")
        if recorded.code != 0:
            raise SystemExit(recorded.said)
        own = min(_agent_alone(project) for _ in range(runs))
        whole = min(_replay(project) for _ in range(runs))
    shown = Table(title=f"one scenario of {CELLS} with an agent that asks once (CPU)")
    for column in ("the agent alone", "with kit", "kit's share"):
        shown.add_column(column, justify="right")
    shown.add_row(*(f"{seconds * 1000:.2f} ms" for seconds in (own, whole, whole - own)))
    return shown


def _replay(project: TinyProject) -> float:
    opened = open_project(start=project.root)
    before = time.process_time()
    outcome = run_scenarios(opened, RunRequest(mode="replay"))
    taken = time.process_time() - before
    if outcome.exit_code != 0:
        raise SystemExit("the scenarios of the benchmark do not pass")
    return taken / CELLS


def _agent_alone(project: TinyProject) -> float:
    names: dict[str, Any] = {}
    exec(compile(AGENT, "agent", "exec"), names)  # noqa: S102 - the text stands above
    said = {"choices": [{"message": {"content": "It is Paris."}}]}
    names["CLIENT"] = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, json=said)))
    turn = SimpleNamespace(endpoint=SimpleNamespace(model="stub", base_url="http://m/v1"), message="France?")
    before = time.process_time()
    for _ in range(CELLS):
        names["agent"](turn)
    return (time.process_time() - before) / CELLS
