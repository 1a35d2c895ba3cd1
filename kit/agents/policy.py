"""What the home agent may do, as a table: allow, ask the user first, or block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kit.agent.protocol import Autonomy, Workspace
from kit.agents import command, web_address
from kit.agents.bounds import holds_secrets, is_memory, out_of_bounds

Effect = Literal["read", "write", "forget", "run", "fetch", "ask_model"]
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
        hosts: web hosts that may be asked.
    """

    rules: dict[Effect, dict[Autonomy, Action]]
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    hosts: tuple[str, ...]


_FREE: dict[Autonomy, Action] = {"manual": "ask", "supervised": "allow", "autonomous": "allow"}
_GUARDED: dict[Autonomy, Action] = {"manual": "ask", "supervised": "ask", "autonomous": "allow"}
_ASKED: dict[Autonomy, Action] = {"manual": "ask", "supervised": "ask", "autonomous": "ask"}
_NEVER: dict[Autonomy, Action] = {"manual": "block", "supervised": "block", "autonomous": "block"}
_WEATHER = ("wttr.in", "api.open-meteo.com")

PRESETS: dict[str, Preset] = {
    "default": Preset(
        rules={
            "read": _FREE,
            "write": _GUARDED,
            "forget": _ASKED,  # what is forgotten cannot be had back
            "run": _FREE,
            "fetch": _FREE,
            "ask_model": _FREE,
        },
        readable=(HOME, "/tmp"),  # noqa: S108 - a folder of the workspace, as the agent sees it
        writable=(HOME, "/tmp"),  # noqa: S108 - see above
        hosts=_WEATHER,
    ),
    "read-only": Preset(
        rules={
            "read": _FREE,
            "write": _NEVER,
            "forget": _NEVER,
            "run": _FREE,
            "fetch": _FREE,
            "ask_model": _FREE,
        },
        readable=(HOME, "/tmp"),  # noqa: S108 - see above
        writable=(),
        hosts=_WEATHER,
    ),
    "strict": Preset(
        rules={
            "read": _FREE,
            "write": _ASKED,
            "forget": _ASKED,
            "run": _ASKED,
            "fetch": _NEVER,
            "ask_model": _ASKED,
        },
        readable=(HOME,),
        writable=(HOME,),
        hosts=(),
    ),
}

_WOULD: dict[Effect, str] = {
    "read": "read",
    "write": "write",
    "forget": "forget something",
    "run": "run a program",
    "fetch": "use the network",
    "ask_model": "ask a model",
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
    effect: Effect, arguments: Mapping[str, Any], policy: Preset, autonomy: Autonomy, workspace: Workspace
) -> Ruling:
    """Decide on a call before it is made.

    Args:
        effect: what the tool does to the world.
        arguments: what it is called with; `path`, `argv` and `url` are looked into.
        policy: the preset of the turn.
        autonomy: the autonomy of the turn.
        workspace: to tell home, and where links lead.
    """
    action = policy.rules[effect][autonomy]
    if action == "block":
        return Ruling("block", f"the policy allows no call that would {_WOULD[effect]}")
    reason = _objection(effect, arguments, policy, workspace)
    return Ruling("block", reason) if reason else Ruling(action)


def folders(wanted: tuple[str, ...], workspace: Workspace) -> tuple[str, ...]:
    """Folders of a preset with `~` put in as the agent sees it."""
    return tuple(workspace.home if folder == HOME else folder for folder in wanted)


def _objection(effect: Effect, arguments: Mapping[str, Any], policy: Preset, workspace: Workspace) -> str:
    if effect == "run":
        return command.objection(arguments["argv"], folders(policy.readable, workspace), workspace)
    if effect == "fetch":
        return web_address.objection(arguments["url"], policy.hosts)
    path = arguments.get("path")
    if path is None:
        return ""
    wanted = policy.writable if effect == "write" else policy.readable
    reason = out_of_bounds(path, folders(wanted, workspace), workspace)
    if not reason and holds_secrets(path, workspace):
        return f"{path} holds secrets"
    if not reason and effect == "write" and is_memory(path, workspace):
        return f"{path} is changed through the memory tools only"
    return reason
