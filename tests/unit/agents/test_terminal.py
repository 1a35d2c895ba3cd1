"""The QA agent's terminal, on real programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kit.agents.terminal import MAX_OUTPUT, terminal_tool
from tests.fakes.qa_cases import REPO, repository


def run(root: Path, code: str, time_limit_s: float = 60) -> dict[str, Any]:
    """What the terminal says of a Python program."""
    workspace = repository(root, **{"run.py": code})
    return terminal_tool(workspace, REPO, time_limit_s)(f"{sys.executable} run.py")


def test_exit_code_and_both_outputs(tmp_path: Path) -> None:
    """In the repository, in the order they were printed."""
    code = "import sys, os; print(os.getcwd(), flush=True); print('oh', file=sys.stderr); sys.exit(3)"
    assert run(tmp_path, code) == {"exit": 3, "output": f"{REPO}\noh"}


def test_the_end_of_a_long_output_is_kept(tmp_path: Path) -> None:
    """A test runner says the result last."""
    done = run(tmp_path, f"print('x' * {MAX_OUTPUT}); print('the end')")
    assert done["output"].startswith("[8 characters before this are left out]\n")
    assert done["output"].endswith("\nthe end")


def test_no_key_and_no_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs in the repository is whatever its tests are."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    done = run(tmp_path, "import os; print(os.environ.get('OPENAI_API_KEY'), os.environ['HOME'])")
    assert done["output"] == "None ~"


def test_a_program_that_hangs_is_stopped(tmp_path: Path) -> None:
    """It has no exit code then, and so never exit 0."""
    done = run(tmp_path, "import time; time.sleep(600)", time_limit_s=0.3)
    assert done == {"exit": None, "output": "[stopped after 0.3 s]"}


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """As a shell says it."""
    assert terminal_tool(repository(tmp_path), REPO)("no-such-program x") == {
        "exit": 127,
        "output": "no-such-program: not found",
    }


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    """As a shell says it."""
    assert terminal_tool(repository(tmp_path), REPO)("./a.js")["exit"] == 126
