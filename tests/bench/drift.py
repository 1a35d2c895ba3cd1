"""Two traces of many steps compared: aligned first and by DeepDiff alone, which is what most kits do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rich.table import Table

from kit.baseline.drift import Side, drift
from kit.baseline.skeleton import plain_facts, skeleton_of
from tests.bench.conversations import smallest

STEPS = 1000
CHANGED = 20


def steps(count: int) -> list[dict[str, Any]]:
    """A long run: the model asks for a tool, the tool answers."""
    chance = random.Random(7)
    made: list[dict[str, Any]] = []
    for turn in range(count // 2):
        name, path = f"tool_{turn % 8}", f"/var/log/{chance.getrandbits(40):x}.log"
        arguments = {"path": path, "limit": chance.randrange(100), "options": {"follow": bool(turn % 3)}}
        made += [
            {"kind": "model_call", "name": "bench", "text": f"I read {path}", "finish_reason": "tool_calls",
             "calls": [{"name": name, "arguments": arguments}], "prompt_tokens": 300, "completion_tokens": 40,
             "ms": 900},
            {"kind": "tool_call", "name": name, "arguments": arguments, "result": f'"{path}"', "ms": 5},
        ]  # fmt: skip
    return made


def changed(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same run with other arguments here and there."""
    chance = random.Random(8)
    other = [dict(step) for step in made]
    for place in chance.sample(range(1, len(made), 2), CHANGED):
        other[place]["arguments"] = {**other[place]["arguments"], "limit": -1}
    return other


def cases(made: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What a second run may look like."""
    first = {"kind": "tool_call", "name": "fresh", "arguments": {"path": "/"}, "result": "1"}
    return {
        "equal": [dict(step) for step in made],
        f"{CHANGED} other arguments": changed(made),
        "one step in front": [first, *made],
        f"one in front, {CHANGED} others": [first, *changed(made)],
    }


def _aligned(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> Callable[[], int]:
    before, after = (Side(skeleton=skeleton_of({"steps": made})) for made in (one, other))
    return lambda: len(drift(before, after))


def _deepdiff(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> Callable[[], int]:
    from deepdiff import DeepDiff

    before, after = (plain_facts(skeleton_of({"steps": made}))["steps"] for made in (one, other))
    return lambda: sum(len(found) for found in DeepDiff(before, after).values())


def table(runs: int) -> Table:
    """CPU of both, and how many differences each tells."""
    import deepdiff

    shown = Table(
        title=f"{STEPS} steps compared (CPU); kit aligns steps first, DeepDiff {deepdiff.__version__} alone"
    )
    for column in ("second run", "kit", "kit tells", "DeepDiff alone", "it tells", "kit / DeepDiff"):
        shown.add_column(column, justify="left" if column == "second run" else "right")
    made = steps(STEPS)
    for name, other in cases(made).items():
        ours, alone = _aligned(made, other), _deepdiff(made, other)
        kit = smallest(lambda ours=ours: _call(ours), runs)  # type: ignore[misc]
        peer = smallest(lambda alone=alone: _call(alone), runs)  # type: ignore[misc]
        shown.add_row(
            name,
            f"{kit * 1000:.1f} ms",
            str(ours()),
            f"{peer * 1000:.0f} ms",
            str(alone()),
            f"{kit / peer:.3f}x",
        )
    return shown


def _call(compare: Callable[[], int]) -> None:
    compare()
