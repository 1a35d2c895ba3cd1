"""The README is true: its files are the files, its session is run and compared line by line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_VARIES = (
    (re.compile(r"\d+ ms|\d+\.\d s"), "N ms"),
    (re.compile(r"latency_ms: \d+"), "latency_ms: N"),
    (re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}"), "TIMESTAMP"),
    (re.compile(r" {2,}"), "  "),
)
"""What no two runs share: latencies, and the padding around them; the name of a report's folder."""


def same_everywhere(text: str) -> str:
    """A session with everything masked that differs between two machines."""
    for pattern, mask in _VARIES:
        text = pattern.sub(mask, text)
    return text


def block(marker: str) -> str:
    """The fenced block behind `<!-- marker -->`."""
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, f"README.md has no block {marker}"
    return found.group(1)


def typed(session: str) -> list[tuple[str, str]]:
    """Commands of a console block with the output below each."""
    parts = re.split(r"^\$ (.*)\n", session, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_the_agent_shown_is_the_agent_of_the_example() -> None:
    """What a reader copies is what the session runs."""
    path = re.search(r"<!-- file: (\S+) -->", README)
    assert path
    assert block(f"file: {path.group(1)}") == (ROOT / path.group(1)).read_text(encoding="utf-8")


def test_the_session_runs_as_shown(tmp_path: Path) -> None:
    """Record, change, replay: a newcomer sees what the README shows."""
    shutil.copytree(ROOT / "docs" / "example", tmp_path, dirs_exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    session = typed(block("session"))
    assert [command.split()[1] for command, _ in session if command.startswith("kit")] == [
        "record",
        "accept",
        "replay",
    ]
    for command, shown in session:
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert same_everywhere(done.stdout + done.stderr) == same_everywhere(shown), command


def test_the_exit_codes_shown_are_the_documented_ones() -> None:
    """The table names every code of decision 14."""
    codes = re.findall(r"^\| ([\d /]+) \|", README, flags=re.MULTILINE)
    assert codes == ["0", "1", "2", "3", "4", "70 / 130"]
