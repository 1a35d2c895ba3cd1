"""Putting the stubs in and out."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import httpx2
import pytest

from kit.errors import SideEffect
from kit.recording.patching import installed
from kit.recording.session import start
from tests.fakes.runs import recording, replaying

PROGRAM = """
import sys
from pathlib import Path
from tests.fakes.model_server import serving
from tests.fakes.runs import recording
from kit.recording.session import start
assert not {"httpx", "httpx2", "asyncio"} & set(sys.modules), "too early"
with serving() as server, start(recording(Path(sys.argv[1]))) as session:
    import asyncio
    import importlib
    library = importlib.import_module(sys.argv[2])
    library.post(server.url + "/v1/chat/completions", json={"messages": []})

    async def ask() -> None:
        await asyncio.sleep(0.01)
        async with library.AsyncClient() as client:
            await client.get(server.url)

    asyncio.run(ask())
print(len(session.result.interactions), len(session.result.sleeps))
print(library.__spec__.loader.get_source(sys.argv[2]) is not None)
"""


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_a_client_that_is_imported_in_the_run_is_recorded(library: str, tmp_path: Path) -> None:
    """The patch goes in right after the import, and the module's loader keeps working."""
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), library], capture_output=True, text=True, check=False
    )
    assert said.stderr == ""
    assert said.stdout.split() == ["2", "1", "True"]


def test_patches_are_counted_and_leave_nothing_behind() -> None:
    """The last one out puts everything back, in whatever order they go."""
    before = (httpx.HTTPTransport.handle_request, httpx2.AsyncHTTPTransport.handle_async_request, time.sleep)
    finders = list(sys.meta_path)
    one, two = installed(virtual_time=True), installed(virtual_time=False)
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert httpx.HTTPTransport.handle_request is not before[0]
    two.__exit__(None, None, None)
    after = (httpx.HTTPTransport.handle_request, httpx2.AsyncHTTPTransport.handle_async_request, time.sleep)
    assert after == before
    assert sys.meta_path == finders


def test_the_guards_are_in_force_with_the_session(tmp_path: Path) -> None:
    """A write outside of the workspace is stopped in replay and told by the result; afterwards it is not."""
    outside = Path("/var/tmp/kit-never-written")

    def write() -> None:
        with start(replaying(tmp_path, (), workspace=tmp_path / "inside")) as session:
            sessions.append(session)
            outside.write_text("x", encoding="utf-8")

    sessions: list[object] = []
    with pytest.raises(SideEffect):
        write()
    assert not outside.exists()
    assert len(sessions[0].result.side_effects) == 1  # type: ignore[attr-defined]
    with start(recording(tmp_path)):
        pass
