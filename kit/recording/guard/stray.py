"""What a task or thread does after its replay is over: it still reaches nobody, and is told at the end.

The patches go with the last run, the audit hook stays; a stray thread carries its run's context, by which it
is known.
"""

from __future__ import annotations

from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from kit.errors import SideEffect
from kit.recording.guard.frames import program_place
from kit.recording.guard.passing import is_passing

TOLD: list[str] = []
"""What strays tried, one text each; for whoever ends the process (the command line, the plugin for pytest) to
say, since no run can any more."""


class Stray:
    """What is left of the guard of a run that is over.

    Args:
        watch: the guard; its session is not kept.
    """

    def __init__(self, watch: Any) -> None:
        self._checks = watch.checks
        self.current = watch.current
        self._name = getattr(getattr(watch.witness, "options", None), "name", "a run")

    def judge(self, event: str, args: tuple[Any, ...]) -> None:
        """Stops what leads to the network.

        Raises:
            SideEffect: always, but for what the run was allowed.
        """
        check = self._checks.get(event)
        forbidden = check(args) if check is not None else None
        if forbidden is not None:
            refuse(self._name, forbidden.act)


OVER: WeakKeyDictionary[Any, Stray] = WeakKeyDictionary()
"""The replays that are over, by their session."""


def remember(watch: Any) -> None:
    """Keeps the guard of a replay that ends, for as long as a task or thread of it lives."""
    OVER[watch.witness] = Stray(watch)


def judge_stray(event: str, args: tuple[Any, ...]) -> None:
    """Looks whether the running code belongs to a replay that is over.

    Raises:
        SideEffect: it does, and it asks for the network.
    """
    for known in list(OVER.values()):
        session = known.current()
        stray = None if session is None else OVER.get(session)
        if stray is not None and not is_passing():
            stray.judge(event, args)
            return


def refuse(name: str, act: str) -> NoReturn:
    """Stops a stray request.

    Args:
        name: of the run that is over.
        act: what it would do, after «would».

    Raises:
        SideEffect: always.
    """
    text = (
        f"{program_place()} would {act}, after the replay of {name} was over: "
        "a task or thread outlived its run\n"
        "  next: wait for it before the run returns (join the thread, await or cancel the task)"
    )
    if text not in TOLD:
        TOLD.append(text)
    raise SideEffect(text)
