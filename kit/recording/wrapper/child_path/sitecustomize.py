"""Runs first in every Python process of a wrapped program: starts the recording, or ends the process.

Python prints one line for an exception in a `sitecustomize` and runs the program on, live and with exit
code 0. So no fault may leave this module but by `os._exit(4)`. It must parse and run on any Python from 3.6
on, whatever the program is run with, to be able to say what is wrong; and it imports nothing of kit before
it knows that it can. This folder, and nothing else of kit, stands on the program's PYTHONPATH.
"""
# A folder for PYTHONPATH is no package, and pathlib would cost every process of the program 10 ms.
# ruff: noqa: INP001, PTH100, PTH112, PTH118, PTH120, PTH123

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


class _KitFinder:
    """Finds kit and the few packages that its child side needs, after everything else, and nothing more."""

    def __init__(self, sources: "dict[str, str]") -> None:
        self._sources = sources

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:  # noqa: ARG002
        from importlib.machinery import PathFinder

        folder = self._sources.get(name) if path is None else None
        return PathFinder.find_spec(name, [folder]) if folder else None

    def invalidate_caches(self) -> None:
        """Part of the protocol of finders; there is no cache."""


def _refuse(folder: str, text: str) -> None:
    """Leaves word why this process cannot be recorded or replayed, and ends it.

    The parent tells the user of its own child; of a grandchild, only the grandchild itself can.
    """
    try:
        if os.environ.get("KIT_PARENT") != str(os.getppid()):
            sys.stderr.write(f"kit: {text}\n")
            sys.stderr.flush()
        with open(os.path.join(folder, "refusals", f"{os.getpid()}.txt"), "w", encoding="utf-8") as refusal:
            refusal.write(text)
    finally:
        os._exit(4)


def _enter(folder: str) -> None:
    import json
    from importlib.util import find_spec

    with open(os.path.join(folder, "job.json"), "rb") as job:
        told = json.loads(job.read().decode("utf-8"))
    missing = [name for name in told["sources"] if name != "kit" and find_spec(name) is None]
    if missing and told["cache_tag"] != sys.implementation.cache_tag:
        _refuse(folder, _other_python(told["cache_tag"], told["interpreter"]))
    kit = find_spec("kit")
    places = list((kit.submodule_search_locations if kit else None) or [])
    if kit is not None and not any(
        os.path.isdir(os.path.join(place, "recording", "wrapper")) for place in places
    ):
        other = kit.origin or places
        _refuse(folder, f"the program's Python has another package named `kit` in the way: {other}")
    sys.meta_path.append(_KitFinder(told["sources"]))  # type: ignore[arg-type]
    from kit.recording.wrapper.child import begin

    begin(folder)


def _other_python(cache_tag: str, interpreter: str) -> str:
    here = sys.executable
    other = f"the program runs on {sys.implementation.cache_tag} ({here}), kit on {cache_tag} ({interpreter})"
    install = f"\n  next: {here} -m pip install cassette-kit" if sys.version_info >= (3, 11) else ""
    return f"{other}{install}\n  {'or:  ' if install else 'next:'} run the program with {interpreter}"


def _leave_path() -> None:
    """The program sees the path that it would have without kit; children inherit the folder by PYTHONPATH."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE]


def _run() -> None:
    folder = os.environ.get("KIT_JOB")
    if not folder:
        return
    try:
        _enter(folder)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the program must not run live
        here = f"{sys.executable} ({sys.implementation.cache_tag})"
        why = f"{type(error).__name__}: {error}"
        _refuse(folder, f"this Python cannot be recorded or replayed: {here}\n  why:  {why}")


def _chain() -> None:
    """Runs the `sitecustomize` that this one hides, as Python would have."""
    import importlib.util
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if entry])
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_leave_path()
_run()
_chain()
