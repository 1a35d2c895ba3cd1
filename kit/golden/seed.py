"""Cases that another system prepares: one JSON object on stdout, and nothing else there (S4-09).

    {"model": "…", "cases": [{"id": "…", "projectId": "…", "sessionId": "…", "worktreePath": "…",
                              "story": "…", "task": "…", "expectedVerdict": "…"}, …]}

The hook is told the model in `GOLDEN_SET_QA_MODEL`. It is a command, or `package.module:function`, which is
called with the model and returns the object. Logs belong on stderr.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError

from kit.errors import ConfigError, EnvironmentFault
from kit.scenario.schema import Scenario
from kit.scenario.select import Selected
from kit.scenario.suite import Suite
from kit.wire.json_text import without_twins

MODEL_VARIABLE = "GOLDEN_SET_QA_MODEL"
DEFAULT_MODEL = "qwen2.5-coder:latest"
"""Of the source (S4-11); recommending another one is a decision of people (S4-33)."""
_CALLABLE = re.compile(r"[\w.]+:[\w.]+")
_SHOWN = 200
_PERMISSIONS = "permissions.json"

Word = Annotated[str, Strict(), Field(min_length=1)]


class SeededCase(BaseModel):
    """One prepared case.

    Attributes:
        id: of the case.
        project_id: of the project it lies in, in the other system.
        session_id: of the session it is judged in, in the other system.
        worktree_path: folder of the checked-out repository.
        story: the business rules.
        task: what is to be judged.
        expected_verdict: what people agreed on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Strict(), Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    project_id: Annotated[Word, Field(alias="projectId")]
    session_id: Annotated[Word, Field(alias="sessionId")]
    worktree_path: Annotated[Word, Field(alias="worktreePath")]
    story: Word
    task: Word
    expected_verdict: Annotated[Word, Field(alias="expectedVerdict")]


class Seed(BaseModel):
    """What a hook prepared.

    Attributes:
        model: tag of the model the cases are bound to; fixed for the run (S4-30).
        cases: in the order they are judged.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Word
    cases: tuple[SeededCase, ...]


@dataclass(frozen=True, slots=True)
class Seeded:
    """A seed ready to be run; `text` is the object as the hook gave it."""

    model: str
    selected: tuple[Selected, ...]
    text: str


def run_seed(hook: str, model: str, suite: Suite, root: Path) -> Seeded:
    """Have the cases prepared.

    Args:
        hook: `package.module:function` or a command.
        model: to prepare them for.
        suite: whose agent, verdicts and sampling hold for them.
        root: the project; commands start there, and relative paths of worktrees too.

    Raises:
        EnvironmentFault: the command cannot be started, or the hook fails.
        ConfigError: the callable cannot be had, or what came back is not the object of S4-09.
    """
    is_callable = _CALLABLE.fullmatch(hook) is not None
    text = _called(hook, model, root) if is_callable else _printed(hook, model, root)
    seed = parse_seed(text, hook)
    chosen = tuple(_selected(case, suite, root, hook) for case in seed.cases)
    return Seeded(seed.model, chosen, text)


def parse_seed(text: str, hook: str) -> Seed:
    """Read what a hook printed.

    Raises:
        ConfigError: it is anything else than one JSON object of this form, or an id stands there twice.
    """
    try:
        found = json.loads(text, object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as broken:
        raise _wrong(hook, f"stdout must hold one JSON object and nothing else: {broken}", text) from broken
    try:
        seed = Seed.model_validate(found)
    except ValidationError as invalid:
        places = (
            f"{'.'.join(str(part) for part in error['loc']) or 'object'}: {error['msg']}"
            for error in invalid.errors(include_url=False)
        )
        raise _wrong(hook, "; ".join(places), text) from invalid
    if not seed.cases:
        raise _wrong(hook, "cases: there is none", text)
    ids = [case.id for case in seed.cases]
    if twins := sorted({one for one in ids if ids.count(one) > 1}):
        raise _wrong(hook, f"the id {twins[0]} stands there twice", text)
    return seed


def _wrong(hook: str, why: str, text: str) -> ConfigError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return ConfigError(f"the seed of the golden set is wrong; it gave {shown!r}", where=hook, why=why)


def _printed(hook: str, model: str, root: Path) -> str:
    if not hook.strip():
        raise ConfigError("the seed of the golden set is empty: it must be a command or a callable")
    try:
        done = subprocess.run(
            shlex.split(hook),
            cwd=root,
            env={**os.environ, MODEL_VARIABLE: model},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # stderr stays the person's: logs
            check=False,
        )
    except (OSError, ValueError) as fault:
        raise EnvironmentFault(
            f"the seed of the golden set cannot be started: {fault}", where=hook
        ) from fault
    if done.returncode:
        raise EnvironmentFault(
            f"the seed of the golden set ended with exit code {done.returncode}", where=hook
        )
    try:
        return done.stdout.decode("utf-8")
    except UnicodeDecodeError as broken:
        raise _wrong(
            hook, f"stdout must be UTF-8: {broken}", done.stdout.decode("utf-8", "replace")
        ) from broken


def _called(hook: str, model: str, root: Path) -> str:
    """The callable's object; what it prints goes to stderr, where logs belong."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    with contextlib.redirect_stdout(sys.stderr):
        function = _imported(hook)
        try:
            found = function(model)
        except (Exception, SystemExit) as failed:
            raise EnvironmentFault(
                f"the seed of the golden set failed: {type(failed).__name__}: {failed}", where=hook
            ) from failed
    try:
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as unfit:
        raise ConfigError(f"the seed of the golden set returned no JSON: {unfit}", where=hook) from unfit


def _imported(hook: str) -> Callable[[str], Any]:
    module, _, name = hook.partition(":")
    try:
        function: Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except (Exception, SystemExit) as broken:
        why = f"{type(broken).__name__}: {broken}"
        raise ConfigError(f"the seed of the golden set cannot be imported: {why}", where=hook) from broken
    if not callable(function):
        raise ConfigError("the seed of the golden set is no callable", where=hook)
    return cast("Callable[[str], Any]", function)


def _selected(case: SeededCase, suite: Suite, root: Path, hook: str) -> Selected:
    worktree = _folder(root / case.worktree_path)
    if worktree is None:
        raise ConfigError(f"case {case.id}: there is no worktree {case.worktree_path!r}", where=hook)
    verdicts = suite.judging.values if suite.judging is not None else ()
    if case.expected_verdict not in verdicts:
        allowed = ", ".join(verdicts) or "none"
        raise ConfigError(
            f"case {case.id}: expectedVerdict is {case.expected_verdict}; the suite allows: {allowed}",
            where=hook,
        )
    scenario = Scenario.model_validate(
        {
            "id": case.id,
            "category": suite.categories[0],
            "description": f"prepared by {hook}",
            "setup": {
                "autonomy": "supervised",
                "channel": f"project:{case.project_id}/session:{case.session_id}",
                "workspace_state": "empty",
                "available_tools": ["read_file", "terminal", "emit_qa_verdict"],
                "fixtures": _fixtures(worktree),
            },
            "conversation": [{"user": f"{case.story}\n\n{case.task}"}],
            "expected": {"verdict": case.expected_verdict},
        }
    )
    return Selected(suite, scenario, worktree)


def _folder(path: Path) -> Path | None:
    """The folder behind a path; None where it is none, or no name of one, as with a NUL in it."""
    try:
        folder = path.resolve()
        return folder if folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _fixtures(worktree: Path) -> list[dict[str, str]]:
    """The worktree inside the scope root, with the permissions the seed wrote in it or beside it (S4-14)."""
    found = [{"path": "/workspace/repo", "content_fixture": str(worktree)}]
    for folder in (worktree, worktree.parent):
        if (folder / _PERMISSIONS).is_file():
            found.append(
                {"path": f"/workspace/{_PERMISSIONS}", "content_fixture": str(folder / _PERMISSIONS)}
            )
            break
    return found
