"""Recordings that nothing in the project owns any more: listed first, deleted only when told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kit import clock
from kit.cassette.header import Header
from kit.cassette.media import drop_unused
from kit.cassette.paths import FOLDER, JUDGE_SUFFIX, PARTIAL_SUFFIX, SUFFIX, TAPES, file_name
from kit.cassette.peek import peek
from kit.errors import EnvironmentFault, UsageError
from kit.harness.judges import judged_by
from kit.scenario.load import FOLDER as SCENARIOS
from kit.scenario.load import LoadedSuite, load_suites
from kit.scenario.schema import Scenario
from kit.workflow.project import Project, refuse_in_ci

TESTS = "tests"
"""Where the pytest plugin records."""
_BEING_WRITTEN_S = 3600
"""A file that a writer left unfinished is not one that is being written right now."""


@dataclass(frozen=True, slots=True)
class Orphan:
    """A file without an owner.

    Attributes:
        path: relative to the project.
        why: what is no longer there.
        size: in bytes.
    """

    path: str
    why: str
    size: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was found, and whether it is gone.

    Attributes:
        orphans: in order of paths.
        are_deleted: they were deleted just now.
        are_tests_asked: recordings of tests were looked at too.
    """

    orphans: tuple[Orphan, ...]
    are_deleted: bool
    are_tests_asked: bool


def prune(project: Project, *, delete: bool = False, tests: bool = False) -> Pruned:
    """Find recordings of scenarios, suites and judges that are no longer there, and what writers left.

    Tapes of programs have no owner that kit could know, and stay.

    Args:
        project: whose `cassettes/`.
        delete: delete what is found.
        tests: look at the recordings of the pytest plugin too.

    Raises:
        UsageError: files would be deleted, and CI is set, or there is no `scenarios/` and recordings of
            suites are among them.
        ScenarioError: a scenario or suite is invalid: what it owns cannot be told.
        EnvironmentFault: the disk refuses.
    """
    if delete:
        refuse_in_ci(project, "cassette prune --yes")
    root = project.root
    has_scenarios = (root / SCENARIOS).is_dir()  # a project of tapes has none
    owners = _Owners(root, load_suites(root) if has_scenarios else (), tests=tests)
    found = tuple(owners.orphans())
    if delete:
        if not has_scenarios:
            _refuse_suites(root, found)
        for one in found:
            _delete(root / one.path)
    return Pruned(found, delete, tests)


class _Owners:
    """Who owns what below `cassettes/`."""

    def __init__(self, root: Path, suites: tuple[LoadedSuite, ...], *, tests: bool) -> None:
        self._root = root
        self._tests = tests
        self._suites = {file_name(loaded.suite.name): loaded for loaded in suites}

    def orphans(self) -> Iterator[Orphan]:
        """Every file without an owner, in order of paths."""
        for path in sorted((self._root / FOLDER).rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            why = self._why(path)
            if why is not None:
                yield Orphan(path.relative_to(self._root).as_posix(), why, path.stat().st_size)

    def _why(self, path: Path) -> str | None:
        """What speaks against a file; None where it has an owner, or nobody can tell."""
        name = path.name
        if name.startswith(".") and name.endswith(PARTIAL_SUFFIX):
            age = clock.now().timestamp() - path.stat().st_mtime
            return "a writer that was killed left it" if age > _BEING_WRITTEN_S else None
        if name.endswith(PARTIAL_SUFFIX):
            return self._of_partial(path)
        if name.endswith(JUDGE_SUFFIX):
            return self._of_judge(path)
        if name.endswith(SUFFIX):
            return self._of_run(path, peek(path))
        return None

    def _of_run(self, path: Path, header: Header | None) -> str | None:
        folders = path.relative_to(self._root / FOLDER).parts
        if header is not None and header.suite is None:
            return self._of_test(header.scenario) if folders[0] == TESTS and self._tests else None
        if len(folders) != 3:
            return None
        loaded = self._suites.get(folders[0])
        if loaded is None:
            is_tape = header is None and folders[0] in {TAPES, TESTS}
            return None if is_tape else f"there is no suite {header.suite if header else folders[0]}"
        return None if self._scenario(path, header) else f"{loaded.suite.name} has no scenario of this name"

    def _scenario(self, path: Path, header: Header | None) -> Scenario | None:
        """The scenario of a run; by its file's name where nobody can read whose it is."""
        loaded = self._suites.get(path.parent.parent.name)
        stem = path.name.partition(".")[0].partition("@")[0]
        scenarios = loaded.scenarios if loaded else ()
        named = header.scenario if header is not None else None
        return next((one for one in scenarios if named in {one.id, None} and file_name(one.id) == stem), None)

    def _of_judge(self, path: Path) -> str | None:
        run = path.with_name(path.name.removesuffix(JUDGE_SUFFIX) + SUFFIX)
        if not run.exists():
            return "the run that was judged is not there"
        header = peek(run)
        why = self._of_run(run, header)
        scenario = self._scenario(run, header)
        if why is None and scenario is not None and judged_by(scenario) is None:
            return "its scenario asks no judge any more"
        return why

    def _of_partial(self, path: Path) -> str | None:
        """What an attempt left that ended in an error: its owner may still want to look at it."""
        whole = path.with_name(path.name.removesuffix(PARTIAL_SUFFIX))
        header = peek(path)
        if whole.name.endswith(JUDGE_SUFFIX):
            return self._of_judge(whole)
        why = self._of_run(whole, header)
        kept = peek(whole)
        if why is None and header is not None and kept is not None and kept.recorded > header.recorded:
            return "it was recorded whole since"
        return why

    def _of_test(self, test_id: str) -> str | None:
        module, _, name = test_id.partition("::")
        file = self._root / module
        if not file.is_file():
            return f"there is no {module}"
        function = name.rpartition("::")[2].partition("[")[0]
        try:
            tree = ast.parse(file.read_bytes())
        except (OSError, SyntaxError, ValueError):
            return None
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        known = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
        return None if function in known else f"{module} has no {function}"


def _refuse_suites(root: Path, found: tuple[Orphan, ...]) -> None:
    """Recordings of every suite have no owner where the whole folder is gone, which nobody may have meant."""
    of_suites = next((one.path for one in found if _is_of_suite(root, root / one.path)), None)
    if of_suites is not None:
        raise UsageError(
            f"there is no `{SCENARIOS}/` folder in {root}, and recordings of suites would be deleted",
            where=of_suites,
            next_command=f"git checkout -- {SCENARIOS}, or git rm the recordings",
        )


def _is_of_suite(root: Path, path: Path) -> bool:
    header = peek(path)
    if header is not None:
        return header.suite is not None
    return path.relative_to(root / FOLDER).parts[0] not in {TAPES, TESTS}


def _delete(path: Path) -> None:
    try:
        path.unlink()
        drop_unused(path)
        for folder in list(path.parents)[:2]:
            if folder.name != FOLDER and not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise EnvironmentFault(f"cannot be deleted: {error.strerror}", where=str(path)) from error
