"""Options and results of a session."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kit.recording.options import SessionResult
from tests.fakes.runs import recording


def test_options_have_harmless_defaults(tmp_path: Path) -> None:
    """Nothing is allowed, mapped or ignored unless somebody says so; time is virtual."""
    options = recording(tmp_path)
    assert (options.paths, options.model_urls, options.ignore) == ((), (), frozenset())
    assert options.virtual_time
    assert not options.allow.may_write("/etc/passwd")


def test_an_empty_result_has_nothing_to_say() -> None:
    """What a session that saw nothing hands back."""
    result = SessionResult()
    assert not any((result.interactions, result.misses, result.escapes, result.sleeps, result.notices))
    assert (result.live_requests, result.ended_ms) == (0, 0)


def test_importing_the_room_brings_no_client_and_no_heavy_library() -> None:
    """A foreign program gets the standard library and orjson, no more."""
    heavy = "httpx httpx2 time_machine yaml pydantic rich asyncio concurrent.futures.thread kit.wire.registry"
    code = (
        "import sys, kit.recording.session\n"
        f"print([name for name in {heavy.split()!r} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
