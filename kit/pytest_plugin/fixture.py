"""The fixture `kit_cassette`: one test under the recording, from its set-up to its tear-down."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from kit.pytest_plugin.options import MARKER, marked, record_mode

if TYPE_CHECKING:
    from kit.pytest_plugin.tape import Tape
    from kit.recording.session import Session

TAPE: pytest.StashKey[Tape] = pytest.StashKey()
KEPT = "kit_kept"
"""Property of a test's report: what it wrote, from the project's root."""


@dataclass(frozen=True, slots=True)
class KitCassette:
    """What a test that asks for the fixture gets.

    Attributes:
        path: the cassette.
        mode: `record` or `replay`.
    """

    path: Path
    mode: Literal["record", "replay"]
    _session: Session

    @property
    def live_requests(self) -> int:
        """How many requests left the program for real until now; 0 in replay."""
        return self._session.live_requests


@pytest.fixture
def kit_cassette(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KitCassette]:
    """Record, or replay, what the test asks of models and tools; see the marker of the same name."""
    from kit.errors import CassetteRefused, EnvironmentFault, KitError
    from kit.pytest_plugin.items import failed
    from kit.recording.session import start

    item = request.node
    try:
        tape = _tape(item, tmp_path_factory)
        options = tape.options()
    except (KitError, ValueError) as error:
        raise failed(str(error)) from None
    try:
        with start(options) as session:
            tape.began_in(session)
            item.stash[TAPE] = tape
            yield KitCassette(tape.facts.path, tape.mode, session)
            tape.step_back()
            del item.stash[TAPE]
    except EnvironmentFault as error:
        raise failed(str(tape.stopped(error))) from None
    try:
        errors, kept = tape.finish(session.result)
    except CassetteRefused as error:
        raise failed(str(error)) from None
    if notices := (*session.result.notices, *tape.notices):
        item.add_report_section("teardown", "kit", "\n".join(notices))
    if kept is not None:
        item.user_properties.append((KEPT, kept.relative_to(tape.facts.root).as_posix()))
    if errors:
        raise failed("\n".join(errors))


def _tape(item: pytest.Item, temporary: pytest.TempPathFactory) -> Tape:
    from kit import clock
    from kit.pytest_plugin.naming import cassette_of_test, id_of_test
    from kit.pytest_plugin.plan import project_of
    from kit.pytest_plugin.tape import Tape, TapeFacts

    project = project_of(item.config)
    said = marked(item)
    folder = temporary.getbasetemp()
    facts = TapeFacts(
        root=project.root,
        settings=project.settings,
        test_id=id_of_test(project.root, item),
        node_id=item.nodeid,
        path=cassette_of_test(project.root, item, said.name),
        marked=said,
        temporary=folder,
        journal=folder / f"kit-{clock.fresh_id()}.jsonl",
    )
    return Tape(facts, record_mode(item.config))


def ask_for_fixture(item: pytest.Item) -> None:
    """Gives a marked test the fixture, first of its own ones: what they ask is recorded too.

    Fixtures that outlive the test come before it, so that nothing of theirs lands in the cassette of
    whichever test happens to be first.
    """
    names = getattr(item, "fixturenames", None)
    if names is None or MARKER in names:
        return
    # A list of its own: pytest shares one among all parameters of a function, marked or not.
    item.fixturenames = [*names]  # type: ignore[attr-defined]
    item.fixturenames.insert(_first_own(item, names), MARKER)  # type: ignore[attr-defined]


def _first_own(item: pytest.Item, names: list[str]) -> int:
    known: dict[str, Any] = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for position, name in enumerate(names):
        found = known.get(name)
        if found is None or found[-1].scope == "function":
            return position
    return len(names)


@contextlib.contextmanager
def running_bound(item: Any, tape: Tape) -> Iterator[None]:
    """While the body of the `with` lasts, the function of a test runs in the test's session."""
    original = item.obj
    item.obj = bound(original, tape)
    unittest = sys.modules.get("unittest")
    case = item.instance if unittest and isinstance(item.instance, unittest.TestCase) else None
    if case is not None:
        # Where it is async, pytest leaves it to unittest, which looks it up by its name.
        setattr(case, item.name, item.obj)
    try:
        yield
    finally:
        item.obj = original


def bound(function: Callable[..., Any], tape: Tape) -> Callable[..., Any]:
    """The test's function so that it runs in its session, whatever context its runner has kept.

    A runner of async tests may have made its task before the session began.
    """
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def run_async(*args: Any, **kwargs: Any) -> Any:
            from kit.recording.virtual_loop import bind

            with tape.at_work() as session:
                bind(session)
                return await function(*args, **kwargs)

        return run_async

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with tape.at_work():
            return function(*args, **kwargs)

    return run
