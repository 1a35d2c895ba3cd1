"""The explanation of a miss, from the session's side."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from kit.errors import Miss
from tests.fakes.model_server import serving
from tests.fakes.runs import recording, replaying, run


def test_a_miss_names_the_run_the_change_and_what_to_type(tmp_path: Path) -> None:
    """A changed system prompt is called so, with old and new text, and the flag stays on the session."""
    with serving() as server:
        url = f"{server.url}/v1/chat/completions"

        def ask(system: str) -> None:
            messages = [{"role": "system", "content": system}, {"role": "user", "content": "hi"}]
            httpx.post(url, json={"model": "stub", "messages": messages})

        _, recorded = run(recording(tmp_path), lambda: ask("be brief"))
    options = replaying(tmp_path, recorded.interactions, name="tried-001", next_command="kit record it")

    def program() -> None:
        with pytest.raises(Miss) as missed:
            ask("be kind")
        texts.append(str(missed.value))

    texts: list[str] = []
    _, result = run(options, program)
    assert result.misses == (texts[0],)
    for part in ("tried-001", "system prompt", "brief", "kind", "kit record it"):
        assert part in texts[0]
