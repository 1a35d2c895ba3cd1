"""The QA agent's terminal: one command in the repository, started without a shell.

What tests print differs from run to run, so replay serves it from the recording and starts nothing: it needs
neither Node nor npm.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable
from typing import Any

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.speaking import as_the_agent_sees

TIME_LIMIT_S = 300.0
_LOOK_S = 0.5
"""Seconds between two looks for a Ctrl-C."""
MAX_OUTPUT = 2_000
"""Characters of the output's end that the model gets: a test runner says the result last."""


def terminal_tool(
    workspace: Workspace, cwd: str, time_limit_s: float = TIME_LIMIT_S
) -> Callable[[str], dict[str, Any]]:
    """`terminal` in one folder; whoever calls it has asked the permissions.

    Args:
        workspace: the run's.
        cwd: where commands run, as the agent sees it.
        time_limit_s: seconds after which the program is stopped, so that a hanging test ends.
    """

    def terminal(command: str) -> dict[str, Any]:
        words = shlex.split(command)
        with tempfile.TemporaryDirectory(prefix="kit-terminal-") as home:
            code, raw = _run(words, str(workspace.resolve(cwd)), home, time_limit_s)
            text = as_the_agent_sees(raw.decode("utf-8", "replace"), workspace).replace(home, "~").strip()
        return {"exit": code, "output": _end_of(text)}

    return tool(terminal)


def _run(words: list[str], cwd: str, home: str, time_limit_s: float) -> tuple[int | None, bytes]:
    """Exit code and output; no code where the program was stopped."""
    try:
        # In a group of its own, as npm starts a shell and that starts Node: all of them have to end.
        program = subprocess.Popen(
            words,
            cwd=cwd,
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except FileNotFoundError:
        return 127, f"{words[0]}: not found".encode()
    except OSError as exc:
        return 126, f"{words[0]}: {exc.strerror or type(exc).__name__}".encode()
    with program:
        try:
            return _ending(program, time_limit_s)
        finally:
            _stop_group(program)


def _ending(program: subprocess.Popen[bytes], time_limit_s: float) -> tuple[int | None, bytes]:
    left_s = time_limit_s
    while left_s > 0 and not _is_cancelled():
        try:
            output, _ = program.communicate(timeout=min(left_s, _LOOK_S))
        except subprocess.TimeoutExpired:
            left_s -= _LOOK_S
        else:
            return program.returncode, output
    _stop_group(program)
    output, _ = program.communicate()  # what was printed before stays
    return None, output + f"\n[stopped after {time_limit_s:g} s]".encode()


def _is_cancelled() -> bool:
    """Whether somebody pressed Ctrl-C: the loop only notes it, and a group of its own never gets it."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0


def _stop_group(program: subprocess.Popen[bytes]) -> None:
    """End what is left of the group; the program's id is not reused while a member of it lives."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)


def _environment(home: str) -> dict[str, str]:
    """No keys of the user, a home of its own, and nothing that makes npm go to the network by itself."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "npm_config_offline": "true",
        "npm_config_update_notifier": "false",
        "npm_config_audit": "false",
        "npm_config_fund": "false",
    }


def _end_of(text: str) -> str:
    left_out = len(text) - MAX_OUTPUT
    return (
        text if left_out <= 0 else f"[{left_out} characters before this are left out]\n{text[-MAX_OUTPUT:]}"
    )
