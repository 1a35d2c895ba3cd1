"""A project of a few files, with an agent of a few lines, on which tests drive the real command line."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import yaml

from kit.cli.main import main

MODEL = "tiny:1b"
"""The model that the scripted server answers as."""
KIT = Path(sys.executable).parent / "kit"
"""The installed command."""

AGENT = """
import httpx

SYSTEM = "You answer in one short sentence."


def agent(turn):
    messages = [{"role": "system", "content": SYSTEM}]
    for said in turn.history:
        messages.append({"role": said.role, "content": said.text})
    messages.append({"role": "user", "content": turn.message})
    return ask(turn.endpoint, messages)


def ask(endpoint, messages):
    body = {"model": endpoint.model, "messages": messages}
    with httpx.Client(verify=False, trust_env=False, timeout=20) as client:
        answer = client.post(f"{endpoint.base_url}/chat/completions", json=body)
    answer.raise_for_status()
    return answer.json()["choices"][0]["message"]["content"]
"""

STUB = {
    "model": "stub",
    "rules": [
        {"name": "France", "when": {"user": {"contains": "France"}}, "answer": {"text": "It is Paris."}},
        {"name": "Italy", "when": {"user": {"contains": "Italy"}}, "answer": {"text": "It is Rome."}},
    ],
}

SUITE = {
    "description": "Questions with one right answer",
    "agent": "tiny_agent:agent",
    "default": True,
    "categories": ["happy_path", "error_handling"],
    "time_limit_s": 20,
}


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Both outputs, for messages that may stand in either."""
        return self.out + self.err


@dataclass
class TinyProject:
    """A project in a throwaway folder; `environ` is what commands see beside the test's own environment."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    def kit(self, *words: str) -> Ran:
        """Runs `kit` in this process: fifty times faster than the installed command, and the same code."""
        out, err = io.StringIO(), io.StringIO()
        return Ran(self._here(words, out, err), out.getvalue(), err.getvalue())

    def kit_with_program(self, *words: str) -> Ran:
        """The same where a program stands behind `--`: what it prints comes too, it being another process."""
        with captured_descriptors() as (out, err):
            code = self._here(words, out, err)
            printed = []
            for stream in (out, err):
                stream.seek(0)
                printed.append(stream.read())
        return Ran(code, *printed)

    def _here(self, words: tuple[str, ...], out: TextIO, err: TextIO) -> int:
        known, path, environ = set(sys.modules), list(sys.path), dict(os.environ)
        os.environ.update(self.environ)
        try:
            with (
                contextlib.chdir(self.root),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                main(words)
        except SystemExit as stop:
            return int(stop.code or 0)
        finally:
            sys.path[:] = path
            os.environ.clear()
            os.environ.update(environ)
            for name in set(sys.modules) - known:
                # The next command must read an agent that the test has changed meanwhile.
                if self._is_own(sys.modules[name]):
                    del sys.modules[name]
        raise AssertionError("kit ended without an exit code")

    def installed_kit(self, *words: str) -> Ran:
        """Runs the installed command in a process of its own."""
        return self.command(str(KIT), *words)

    def command(self, *words: str) -> Ran:
        """Runs any command in a process of its own."""
        done = subprocess.run(
            words,
            cwd=self.root,
            env={**os.environ, **self.environ},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def write(self, path: str, content: str | bytes) -> Path:
        """A file of the project; its folder is made."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def agent(self, text: str) -> None:
        """Another agent; `ask` of the usual one stays below it."""
        self.write("tiny_agent.py", AGENT + text)

    def changed_agent(self, old: str, new: str) -> None:
        """The usual agent, with one place of its text replaced."""
        assert old in AGENT
        self.write("tiny_agent.py", AGENT.replace(old, new))

    def suite(self, name: str = "quiz", **changes: Any) -> None:
        """`suite.yaml` of a suite."""
        self.write(f"scenarios/{name}/suite.yaml", yaml.safe_dump(SUITE | changes, sort_keys=False))

    def scenario(self, id_: str = "001_france", suite: str = "quiz", **changes: Any) -> None:
        """A scenario's file; each change replaces one key at the top."""
        content = scenario(id_) | changes
        self.write(f"scenarios/{suite}/{id_}.yaml", yaml.safe_dump(content, sort_keys=False))

    def cassette(self, id_: str = "001_france", model: str = "stub", suite: str = "quiz") -> Path:
        """Where a scenario is recorded."""
        return self.root / "cassettes" / suite / model.replace(":", "-") / f"{id_}.yaml"

    def cassettes(self) -> dict[str, bytes]:
        """Everything below cassettes/ by its path: what must not change by accident."""
        folder = self.root / "cassettes"
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    def _is_own(self, module: Any) -> bool:
        file = getattr(module, "__file__", None)
        return file is not None and Path(file).is_relative_to(self.root)


@contextlib.contextmanager
def captured_descriptors() -> Iterator[tuple[TextIO, TextIO]]:
    """Files in the place of descriptors 1 and 2, for this process and all that it starts."""
    with contextlib.ExitStack() as stack:
        files = []
        for descriptor in (1, 2):
            # Appending, for a program that is started writes to it by another way.
            file = stack.enter_context(tempfile.TemporaryFile("a+", buffering=1, encoding="utf-8"))
            kept = os.dup(descriptor)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, descriptor)
            os.dup2(file.fileno(), descriptor)
            files.append(file)
        yield files[0], files[1]


def scenario(id_: str) -> dict[str, Any]:
    """A scenario as data: one question about a country, which the answer must name the capital of."""
    country, capital = ("Italy", "Rome") if "italy" in id_ else ("France", "Paris")
    return {
        "id": id_,
        "category": "happy_path",
        "description": f"The capital of {country}",
        "setup": {"autonomy": "supervised", "available_tools": []},
        "conversation": [{"user": f"What is the capital of {country}?"}],
        "expected": {"outcome": "success", "final_response": {"contains_any": [capital]}},
    }


def tiny_project(root: Path, server_url: str | None = None) -> TinyProject:
    """The project with one suite, one scenario, the usual agent and a stub script.

    Args:
        root: an empty folder.
        server_url: address of a scripted server that answers as `MODEL`, without `/v1`.
    """
    project = TinyProject(root)
    settings = "[tool.kit]\n"
    if server_url is not None:
        settings += f'model = "{MODEL}"\nbase_url = "{server_url}/v1"\n'
    project.write("pyproject.toml", settings)
    project.write("tiny_agent.py", AGENT)
    project.write("fixtures/stub/quiz.yaml", json.dumps(STUB))
    project.suite()
    project.scenario()
    return project
