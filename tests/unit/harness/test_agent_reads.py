"""What the import of an agent reads."""

from __future__ import annotations

import sys
from pathlib import Path

from kit.harness.agent_reads import load_noted, read_at_import
from kit.recording.guard.reads import FileRead
from tests.fakes.stub_project import StubProject

AGENT = """
from pathlib import Path

PROMPT = (Path(__file__).parent / "prompt.md").read_text()


def agent(turn):
    return PROMPT
"""


def test_prompt_at_the_top_of_a_module_is_read_at_import(project: StubProject) -> None:
    """It is remembered for the process, since a second import reads nothing."""
    name = "agent_that_reads_at_import:agent"
    project.write("agent_that_reads_at_import.py", AGENT)
    project.write("prompt.md", "Be brief.")
    root = Path(project.root).resolve()
    assert read_at_import(name, root) == ()
    assert callable(load_noted(name, root))
    first = read_at_import(name, root)
    assert [Path(FileRead.parse(text).path).name for text in first] == ["prompt.md"]
    assert callable(load_noted(name, root))
    assert read_at_import(name, root) == first
    del sys.modules["agent_that_reads_at_import"]
