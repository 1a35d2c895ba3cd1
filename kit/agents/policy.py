"""What the home agent may do, as a table: allow, ask the user first, or block."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Literal

from kit.agent.protocol import Autonomy, Workspace

Effect = Literal["read", "write", "ask_model"]
Action = Literal["allow", "ask", "block"]

HOME = "~"
"""Stands for the workspace's `home` in the table."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One policy.

    Attributes:
        rules: what happens to a call, by its effect and the agent's autonomy.
        readable: folders, as the agent sees them, that may be read with all that is in them.
        writable: folders that may be written.
    """

    rules: dict[Effect, dict[Autonomy, Action]]
    readable: tuple[str, ...]
    writable: tuple[str, ...]


_FREE: dict[Autonomy, Action] = {"manual": "ask", "supervised": "allow", "autonomous": "allow"}
_GUARDED: dict[Autonomy, Action] = {"manual": "ask", "supervised": "ask", "autonomous": "allow"}
_ASKED: dict[Autonomy, Action] = {"manual": "ask", "supervised": "ask", "autonomous": "ask"}
_NEVER: dict[Autonomy, Action] = {"manual": "block", "supervised": "block", "autonomous": "block"}

PRESETS: dict[str, Preset] = {
    "default": Preset(
        rules={"read": _FREE, "write": _GUARDED, "ask_model": _FREE},
        readable=(HOME, "/tmp"),  # noqa: S108 - a folder of the workspace, as the agent sees it
        writable=(HOME, "/tmp"),  # noqa: S108 - see above
    ),
    "read-only": Preset(
        rules={"read": _FREE, "write": _NEVER, "ask_model": _FREE},
        readable=(HOME, "/tmp"),  # noqa: S108 - see above
        writable=(),
    ),
    "strict": Preset(
        rules={"read": _FREE, "write": _ASKED, "ask_model": _ASKED},
        readable=(HOME,),
        writable=(HOME,),
    ),
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What happens to a call; `reason` says why it is blocked, in words for model and user."""

    action: Action
    reason: str = ""


def preset(name: str) -> Preset:
    """The policy behind a name.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in PRESETS:
        raise ValueError(f"the home agent has no policy preset {name!r}; it has {', '.join(PRESETS)}")
    return PRESETS[name]


def rule_on(
    effect: Effect, path: str | None, policy: Preset, autonomy: Autonomy, workspace: Workspace
) -> Ruling:
    """Decide on a call before it is made.

    Args:
        effect: what the tool does to the world.
        path: the path it is called with, as the model gave it; None for a tool without one.
        policy: the preset of the turn.
        autonomy: the autonomy of the turn.
        workspace: to tell home, and where links lead.
    """
    action = policy.rules[effect][autonomy]
    if action == "block":
        return Ruling("block", f"the policy allows no call that would {effect.replace('_', ' ')}")
    if path is not None:
        folders = policy.writable if effect == "write" else policy.readable
        reason = _out_of_bounds(path, folders, workspace)
        if reason:
            return Ruling("block", reason)
    return Ruling(action)


def _out_of_bounds(path: str, folders: tuple[str, ...], workspace: Workspace) -> str:
    """Why a path may not be touched; empty where it may."""
    allowed = tuple(workspace.home if folder == HOME else folder for folder in folders)
    outside = f"{path} is outside of {' and '.join(allowed)}"
    if not _lies_in(posixpath.normpath(posixpath.join(workspace.home, path)), allowed):
        return outside
    try:
        real = workspace.resolve(path)
    except (OSError, ValueError):
        return f"{path} leaves the workspace"
    # A link may lead to a folder of the workspace that the path does not show.
    seen = f"/{real.relative_to(workspace.root.resolve()).as_posix()}"
    return "" if _lies_in(seen, allowed) else outside


def _lies_in(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
