"""A folder with programs that a test records and replays through the wrapper."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.recording.wrapper.parent import WrappedResult, WrappedRun, run_wrapped

START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)

ASK = """
import os, json; from urllib.request import Request, urlopen; KIND = {"Content-Type": "application/json"}
def ask(text):
    body = {"model": "stub", "messages": [{"role": "user", "content": text}]}
    asked = Request(os.environ["MODEL_URL"] + "/v1/chat/completions", json.dumps(body).encode(), KIND)
    return json.load(urlopen(asked, timeout=20))["choices"][0]["message"]["content"]
"""
"""A client of a few lines, for programs that do not need a whole SDK, which is long to import."""


@dataclass
class Stage:
    """Where the programs lie; `python` is the interpreter they run on."""

    folder: Path
    python: str = sys.executable

    def script(self, text: str, name: str = "program.py") -> tuple[str, str]:
        """Writes a program that may `ask` a model, and returns its command."""
        (self.folder / name).write_text(ASK + text, encoding="utf-8")
        return self.python, name

    def record(self, *command: str, **options: Any) -> WrappedResult:
        """Runs the command under the recording."""
        return run_wrapped(self._run("record", command, options))

    def replay(self, recorded: WrappedResult, *command: str, **options: Any) -> WrappedResult:
        """Runs the command against what was recorded."""
        return run_wrapped(
            self._run("replay", command, options | {"recorded": recorded.session.interactions})
        )

    def _run(self, mode: Any, command: tuple[str, ...], options: dict[str, Any]) -> WrappedRun:
        told: dict[str, Any] = {"name": "tape", "start": START, "cwd": self.folder} | options
        return WrappedRun(mode=mode, command=command, **told)
