"""The QA agent's terminal, on real programs."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kit.agents.terminal import MAX_OUTPUT, terminal_tool
from tests.fakes.qa_cases import REPO, repository


def run(root: Path, code: str, time_limit_s: float = 60) -> dict[str, Any]:
    """What the terminal says of a Python program."""
    workspace = repository(root, **{"run.py": code})
    return terminal_tool(workspace, REPO, time_limit_s)(f"{sys.executable} run.py")


def is_alive(number: int) -> bool:
    """Whether a process runs; one that ended and waits for its parent to look does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


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


@pytest.mark.parametrize(("hangs", "code"), [(True, None), (False, 0)])
def test_what_a_program_started_ends_with_it(tmp_path: Path, hangs: bool, code: int | None) -> None:
    """As npm starts a shell and that starts Node: a test that hangs would spin on for good."""
    child = "import time; time.sleep(600)"
    starts = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.DEVNULL,"
        " stderr=subprocess.DEVNULL)\n"
        "print(child.pid, flush=True)\n"
        f"time.sleep({600 if hangs else 0})\n"
    )
    done = run(tmp_path, starts, time_limit_s=3 if hangs else 60)
    assert done["exit"] == code
    number = int(done["output"].split()[0])
    deadline = time.monotonic() + 10
    while is_alive(number) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_alive(number)


def test_ctrl_c_does_not_wait_for_the_program(tmp_path: Path) -> None:
    """The loop notes it and goes on with the agent, which sits in the terminal: the program ends at once."""
    presses = "import os, signal, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(600)"

    async def working() -> None:
        run(tmp_path, presses, time_limit_s=30)
        await asyncio.wait_for(asyncio.get_running_loop().create_future(), 10)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(working())
    assert time.monotonic() - began < 30


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """As a shell says it."""
    assert terminal_tool(repository(tmp_path), REPO)("no-such-program x") == {
        "exit": 127,
        "output": "no-such-program: not found",
    }


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    """As a shell says it."""
    assert terminal_tool(repository(tmp_path), REPO)("./a.js")["exit"] == 126
