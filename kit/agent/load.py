"""From `package.module:function` to the agent, or a message that says which half of the name is wrong."""

from __future__ import annotations

import difflib
import importlib
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from kit.agent.protocol import Agent
from kit.errors import ConfigError


def load_agent(target: str, root: Path) -> Agent:
    """Import an agent, because a scenario names it as text.

    Args:
        target: `package.module:function`; the part after the colon may be dotted.
        root: the project's root; it goes to the front of `sys.path` and stays there, since an agent may
            import parts of itself only when it runs.

    Raises:
        ConfigError: the name is malformed, the module is missing or fails while it is imported (with file and
            line), the attribute is missing, or it cannot be called with one turn.
    """
    module_name, colon, attribute = target.partition(":")
    words = [*module_name.split("."), *attribute.split(".")]
    if not colon or not all(word.isidentifier() for word in words):
        raise ConfigError(f"`{target}` is no agent: write `package.module:function`")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    if module_name not in sys.modules:
        importlib.invalidate_caches()
    found: Any = _imported(module_name, target, root)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise _without(found, part, target)
        found = getattr(found, part)
    return _checked(found, target)


def _imported(name: str, target: str, root: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and f"{name}.".startswith(f"{missing.name}."):
            raise ConfigError(
                f"agent `{target}`: there is no module `{missing.name}`",
                why=f"looked for in {root} and in the packages of {sys.prefix}",
            ) from missing
        raise _broken(missing, target, root) from missing
    except SyntaxError as wrong:
        where = f"{_shown(wrong.filename or name, root)}:{wrong.lineno}"
        raise ConfigError(f"agent `{target}`: SyntaxError: {wrong.msg}", where=where) from wrong
    except (Exception, SystemExit) as fault:
        # The module is the user's: it may raise anything.
        raise _broken(fault, target, root) from fault


def _broken(fault: BaseException, target: str, root: Path) -> ConfigError:
    frames = [
        frame for frame in traceback.extract_tb(fault.__traceback__) if "importlib" not in frame.filename
    ]
    # The innermost line of the project is what its author can change; a library further in cannot be.
    own = [frame for frame in frames if _is_own(frame.filename, root)]
    last = (own or frames)[-1]
    return ConfigError(
        f"agent `{target}` cannot be imported: {type(fault).__name__}: {fault}",
        where=f"{_shown(last.filename, root)}:{last.lineno}",
    )


def _is_own(filename: str, root: Path) -> bool:
    path = Path(filename)
    return path.is_relative_to(root) and "site-packages" not in path.parts


def _shown(filename: str, root: Path) -> str:
    path = Path(filename)
    return str(path.relative_to(root)) if path.is_relative_to(root) else filename


def _without(owner: Any, part: str, target: str) -> ConfigError:
    name = getattr(owner, "__name__", type(owner).__name__)
    callables = [word for word in dir(owner) if not word.startswith("_") and callable(getattr(owner, word))]
    near = difflib.get_close_matches(part, callables, n=3, cutoff=0.5)
    own = [word for word in callables if getattr(getattr(owner, word), "__module__", None) == name]
    if near:
        hint = f" (did you mean {' or '.join(f'`{word}`' for word in near)}?)"
    else:
        hint = f"; it has: {', '.join(own[:8])}" if own else ""
    return ConfigError(f"agent `{target}`: `{name}` has no `{part}`{hint}")


def _checked(found: Any, target: str) -> Agent:
    if inspect.isclass(found):
        raise ConfigError(f"agent `{target}` is a class: name an instance of it, or a function")
    if not callable(found):
        raise ConfigError(f"agent `{target}` is a {type(found).__name__}: it must be callable with one turn")
    try:
        inspect.signature(found).bind(None)
    except TypeError as unfit:
        raise ConfigError(
            f"agent `{target}` must take one argument, the turn: {unfit}",
            why="an agent is `def agent(turn: kit.Turn) -> str`, see docs/scenarios.md",
        ) from unfit
    except ValueError:
        pass  # a callable written in C has no signature to look at
    agent: Agent = found
    return agent
