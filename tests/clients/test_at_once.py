"""Each client at once in tasks, threads, pools and loops of threads, whole and streamed, tools crossing.

They are answered in the reverse order and call tools whose results are never the same twice. All ask the
same, so that only where a request comes from tells which answer is its own; where a client hides that, each
asks for cities of its own.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.callers import frameworks, openai_sdk, plain, sdks
from tests.clients.callers.caller import OPENED, PLAIN, Caller
from tests.clients.crowd import SIZE, Crowd
from tests.clients.provider.turns import Turns
from tests.clients.stage import Stage

pytest.importorskip("litellm", reason="run `make test-clients`")

CALLERS: dict[str, Caller] = plain.CALLERS | openai_sdk.CALLERS | sdks.CALLERS | frameworks.CALLERS
CELLS = [
    pytest.param(name, way, is_stream, id=f"{name}-{way}-{'stream' if is_stream else 'whole'}")
    for name, caller in CALLERS.items()
    for way in (PLAIN if caller.plain else ()) + (OPENED if caller.opened else ())
    if caller.has_loops or way != "loops"
    for is_stream in ((False, True) if caller.streams else (False,))
]


@pytest.mark.parametrize(("name", "way", "is_stream"), CELLS)
def test_each_gets_its_own_answers(stage: Stage, name: str, way: str, is_stream: bool) -> None:
    """Recorded, replayed as the threads happen to run, and replayed with the last thread first."""
    caller = CALLERS[name]
    stage.provider.turns = Turns(SIZE)
    questions = [
        f"turned weather in both{f' {place}' if way in caller.hides_in else ''}" for place in range(SIZE)
    ]

    def program(*, is_reversed: bool = False) -> list[str]:
        crowd = Crowd(questions, is_reversed=is_reversed)
        make: Any = caller.plain if way in PLAIN else caller.opened
        run = getattr(crowd, way)
        told: list[str] = run(make(stage, is_stream) if way in PLAIN else lambda: make(stage, is_stream))
        return told

    both = stage.both(program)
    assert len(set(both.output)) == SIZE
    effects = len(stage.effects) + len(stage.provider.called)
    assert effects == 2 * SIZE
    if way != "tasks":
        again, result = stage.replay(lambda: program(is_reversed=True), stage.folder / "cassette.yaml")
        assert (again, result.live_requests, result.leftovers) == (both.output, 0, ())
    assert len(stage.effects) + len(stage.provider.called) == effects
