"""The home agent's `shell`: one program that only looks, started without a shell.

What it prints differs from machine to machine, so replay serves it from the recording and starts nothing.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.bounds import SECRET_FOLDERS, SECRET_NAMES
from kit.agents.command import objection, path_positions
from kit.agents.speaking import as_the_agent_sees, shortened

TIME_LIMIT_S = 10.0
_QUIET = "(no output)"


def shell_tool(
    workspace: Workspace, folders: tuple[str, ...], time_limit_s: float = TIME_LIMIT_S
) -> dict[str, Callable[..., str]]:
    """`shell` on one workspace.

    Args:
        workspace: its home is the program's working directory; paths are those that the agent sees.
        folders: that may be read, as the agent sees them.
        time_limit_s: seconds after which the program is stopped.
    """

    def shell(argv: list[str]) -> str:
        # The policy has looked already; a tool that can start programs does not rely on that.
        reason = objection(argv, folders, workspace)
        if reason:
            raise PermissionError(reason)
        return _printed(_run(_with_real_paths(argv, workspace), workspace, time_limit_s), argv, workspace)

    return {"shell": tool(shell)}


def _with_real_paths(argv: list[str], workspace: Workspace) -> list[str]:
    """The arguments as they are started: absolute paths are real ones, relative ones start at home anyway."""
    positions = path_positions(argv)
    words = [
        str(workspace.resolve(word)) if position in positions and word.startswith("/") else word
        for position, word in enumerate(argv)
    ]
    if words[0] == "grep":
        hidden = [f"--exclude={name}" for name in SECRET_NAMES]
        hidden += [f"--exclude-dir={name}" for name in SECRET_FOLDERS]
        words[1:1] = hidden
    return words


def _run(words: list[str], workspace: Workspace, time_limit_s: float) -> subprocess.CompletedProcess[bytes]:
    home = workspace.resolve(workspace.home)
    try:
        return subprocess.run(
            words,
            cwd=home,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=time_limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{words[0]} took longer than {time_limit_s:g} s") from None
    except FileNotFoundError:
        raise FileNotFoundError(f"this machine has no {words[0]}") from None
    except OSError as exc:
        raise OSError(f"{words[0]} cannot be started: {exc.strerror or type(exc).__name__}") from None


def _printed(done: subprocess.CompletedProcess[bytes], argv: list[str], workspace: Workspace) -> str:
    """What the program printed; complaints behind it, or as an error where there is nothing else.

    Raises:
        OSError: it failed and printed complaints only.
    """
    text, complaints = (
        as_the_agent_sees(raw.decode("utf-8", "replace"), workspace).rstrip()
        for raw in (done.stdout, done.stderr)
    )
    if done.returncode and complaints and not text:
        raise OSError(f"{argv[0]} failed: {shortened(complaints)}")
    return shortened("\n".join(part for part in (text, complaints) if part)) or _QUIET
