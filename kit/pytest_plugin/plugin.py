"""The entry point `kit` of pytest: hooks that do nothing until `--kit` or a marker asks for them.

pytest imports this in every session of an environment that has kit: what costs is imported when it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.pytest_plugin import unmarked
from kit.pytest_plugin.fixture import KEPT, TAPE, ask_for_fixture, kit_cassette, running_bound
from kit.pytest_plugin.options import GOLDEN_MARKER, MARKER, add_marker, add_options, record_mode

__all__ = ["kit_cassette"]

_OUTLIVED = "kit_outlived"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds kit's options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known; refuses to record in CI; with `--kit` has pytest look into `scenarios/`."""
    add_marker(config)
    if record_mode(config) != "none":
        _refuse_in_ci(config)
    is_golden = config.getoption("kit_golden")
    if config.getoption("kit_scenarios") or is_golden:
        from kit.errors import KitError
        from kit.pytest_plugin.golden import add_golden
        from kit.pytest_plugin.plan import add_scenarios

        try:
            (add_golden if is_golden else add_scenarios)(config)
        except KitError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Finds out what there is to run; anything wrong with it stops pytest before its first test."""
    if not session.config.getoption("kit_scenarios") or session.config.getoption("kit_golden"):
        return
    from kit.errors import KitError
    from kit.pytest_plugin.plan import PLAN, make_plan

    try:
        session.config.stash[PLAN] = make_plan(session.config)
    except KitError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A scenario's file, with `--kit`; the golden set's, with `--golden`."""
    if parent.config.getoption("kit_golden"):
        from kit.pytest_plugin.golden import GoldenFile, golden_file

        is_it = file_path == golden_file(parent.config)
        found: pytest.Collector | None = GoldenFile.from_parent(parent, path=file_path) if is_it else None
        return found
    if not parent.config.getoption("kit_scenarios"):
        return None
    from kit.pytest_plugin.items import ScenarioFile, is_scenario_file
    from kit.pytest_plugin.plan import PLAN

    if not is_scenario_file(file_path, parent.config.stash[PLAN]):
        return None
    file: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
    return file


def pytest_itemcollected(item: pytest.Item) -> None:
    """Puts a marked test under the recording."""
    if item.get_closest_marker(MARKER) is not None:
        ask_for_fixture(item)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Golden tests run where they are asked for, alone; anywhere else they are deselected (S4-05)."""
    unmarked.decide(config, items)
    if config.getoption("kit_golden") or any(item.get_closest_marker(GOLDEN_MARKER) for item in items):
        from kit.pytest_plugin.golden import select_golden

        select_golden(config, items)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """A fixture that outlives the test is not watched with a test that has no marker."""
    if fixturedef.scope == "function" or not request.config.stash.get(unmarked.IS_GUARDED, False):
        return (yield)
    with unmarked.outliving():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """What happens between a test's set-up and its own code is not the test's."""
    if unmarked.is_watched(item):
        with unmarked.watching(item):
            yield
        return
    try:
        yield
    finally:
        tape = item.stash.get(TAPE, None)
        if tape is not None:
            tape.step_aside()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: Any) -> Generator[None, None, None]:
    """Runs the code of a test under the recording in its session."""
    tape = item.stash.get(TAPE, None)
    if tape is None:
        if not unmarked.is_watched(item):
            return (yield)
        with unmarked.watching(item):
            return (yield)
    with running_bound(item, tape):
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A session in which something outlived its replay failed, though no test of it can any more."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_OUTLIVED] = list(_outlived())
    elif _outlived() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a worker of pytest-xdist has to tell."""
    told = getattr(node, "workeroutput", {}).get(_OUTLIVED)
    if told:
        from kit.recording.guard import stray

        stray.TOLD.extend(text for text in told if text not in stray.TOLD)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says what was recorded, what the golden set gave, and what outlived its replay."""
    outlived = _outlived()
    if outlived:
        terminalreporter.section("kit: after its replay was over")
        for text in outlived:
            terminalreporter.write_line(text)
        outlived.clear()
    if config.getoption("kit_golden"):
        from kit.pytest_plugin.golden import told

        for text in told(terminalreporter.stats):
            terminalreporter.section("golden set")
            terminalreporter.write_line(text)
    if record_mode(config) == "none":
        return
    kept = sorted(set(_kept(terminalreporter.stats)))
    if kept:
        terminalreporter.section("kit")
    for path in kept:
        is_partial = path.endswith(".partial")
        terminalreporter.write_line(
            f"kept {path}: the test failed, an earlier recording stays as it was"
            if is_partial
            else f"recorded {path}"
        )


def _outlived() -> list[str]:
    """What tasks and threads tried after their replay was over; most sessions never load the module."""
    stray = sys.modules.get("kit.recording.guard.stray")
    told: list[str] = stray.TOLD if stray is not None else []
    return told


def _kept(stats: dict[str, list[Any]]) -> Iterator[str]:
    # Under pytest-xdist a worker's properties come with its reports.
    for reports in stats.values():
        for report in reports:
            yield from (str(value) for name, value in getattr(report, "user_properties", ()) if name == KEPT)


def _refuse_in_ci(config: pytest.Config) -> None:
    from kit.errors import KitError
    from kit.pytest_plugin.plan import project_of
    from kit.workflow.project import refuse_in_ci

    try:
        refuse_in_ci(project_of(config), "record")
    except KitError as error:
        raise pytest.UsageError(f"--kit-record={record_mode(config)}: {error}") from None
