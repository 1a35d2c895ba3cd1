"""`files`: what lies in the workspace after the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kit.oracle.finding import Finding
from kit.oracle.paths import path_matches
from kit.oracle.state import problems
from kit.oracle.text import listed
from kit.scenario.expected import FileExpected
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "files"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding a path or glob that conditions are stated of; its reason lists all that is wrong."""
    for entry in scenario.expected.files or ():
        wrong = [problem for problem in (_state(entry, trace), _changes(entry, trace)) if problem is not None]
        reason = f"{ORACLE}: {entry.path} {', and '.join(wrong) or 'is as stated'}"
        yield Finding(ORACLE, not wrong, reason)


def _state(entry: FileExpected, trace: ExecutionTrace) -> str | None:
    found = _matching(entry.path, trace.files)
    if entry.exists is False:
        return f"exists ({listed(found, 'and')}), expected not to" if found else None
    if not found:
        return None if _only_unchanged(entry) else "does not exist"
    wrong = {path: problems(trace.files[path], entry) for path in found}
    if any(problem is None for problem in wrong.values()):
        return None
    if found == (entry.path,):
        return wrong[entry.path]
    return "matches no file as stated: " + "; ".join(f"{path} {problem}" for path, problem in wrong.items())


def _only_unchanged(entry: FileExpected) -> bool:
    stated = entry.exists is not None or entry.content is not None or entry.has_text_condition
    return entry.unchanged and not stated


def _changes(entry: FileExpected, trace: ExecutionTrace) -> str | None:
    if not entry.unchanged:
        return None
    paths = sorted({*_matching(entry.path, trace.files), *_matching(entry.path, trace.files_before)})
    changes = [f"{path} {change}" for path in paths if (change := _change(path, trace)) is not None]
    return f"is not unchanged: {', '.join(changes)}" if changes else None


def _change(path: str, trace: ExecutionTrace) -> str | None:
    if path not in trace.files:
        return "is gone"
    if path not in trace.files_before:
        return "is new"
    before, after = trace.files_before[path], trace.files[path]
    if before is None and after is None:
        # The trace keeps no bytes: what cannot be shown to be unchanged does not pass.
        return "is binary, so its content cannot be compared"
    return None if before == after else "has another content"


def _matching(pattern: str, files: Mapping[str, str | None]) -> tuple[str, ...]:
    return tuple(sorted(path for path in files if path_matches(path, pattern)))
