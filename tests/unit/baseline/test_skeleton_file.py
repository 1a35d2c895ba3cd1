"""Trace skeletons on disk: readable, the same bytes for the same values, refused where they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from kit.baseline import store
from kit.baseline.accepted import CellId
from kit.baseline.skeleton import digest_of, facts_of, skeleton_of
from kit.baseline.skeleton_file import dumps, skeleton_path
from kit.errors import BaselineError
from kit.trace.export import read_json_lines, step_objects, to_json_lines
from kit.trace.trace import Asked, RequestedCall, Step, Usage
from tests.builders import trace
from tests.fakes.json_values import broken_texts, texts, values

CELL = CellId("home", "m:1b", "001_x")
STEPS = (
    Step(0, "user", text="read /log"),
    Step(
        1, "model_call", 0, 500, name="m:1b", usage=Usage(10, 3), finish_reason="tool_calls", interaction=1,
        requested=(RequestedCall("c1", "fs_read", {"path": "/log"}, '{"path":"/log"}'),),
        asked=Asked((("system", "Be kind.\nBe brief."),), ({"name": "fs_read"},), {"seed": 1}),
    ),
    Step(2, "tool_call", 500, 505, name="fs_read", arguments={"path": "/log"}, result="all is well"),
    Step(3, "answer", 900, 900, text="All is well."),
)  # fmt: skip

TEXT = """\
schema_version: 1
suite: home
model: m:1b
scenario: '001_x'
requests:
- prompt:
  - role: system
    text: |-
      Be kind.
      Be brief.
  tools:
  - name: fs_read
  parameters:
    seed: 1
steps:
- kind: user
  text: read /log
- kind: model_call
  name: m:1b
  calls:
  - name: fs_read
    arguments:
      path: /log
  finish_reason: tool_calls
  prompt_tokens: 10
  completion_tokens: 3
  request: 1
  ms: 500
- kind: tool_call
  name: fs_read
  arguments:
    path: /log
  result: '"all is well"'
  ms: 5
- kind: answer
  text: All is well.
"""


def facts() -> dict[str, Any]:
    return facts_of(step_objects(trace(*STEPS)))


def test_text_is_for_people() -> None:
    """A reviewer reads what was said and called, prompts as they are; the last line is for the machine."""
    text, _, last = dumps(CELL, facts()).rpartition("digest: ")
    assert text == TEXT
    assert last.split()[0] == digest_of(facts())


def test_what_is_written_is_found_by_its_digest(tmp_path: Path) -> None:
    """An equal run needs no reading; what is read is the same."""
    path = store.write_skeleton(tmp_path, CELL, facts())
    assert path == tmp_path / "baselines/home/m-1b/001_x.trace.yaml"
    kept = store.skeleton_at(tmp_path, CELL)
    assert kept is not None
    assert kept.digest == digest_of(facts())
    assert kept.read() == skeleton_of(facts())
    assert store.load(tmp_path, "home", "m:1b") == {}


def test_what_was_changed_by_hand_is_read(tmp_path: Path) -> None:
    """The digest of an edited file says nothing any more."""
    path = store.write_skeleton(tmp_path, CELL, facts())
    path.write_text(path.read_text("utf-8").replace("All is well.", "All is bad."), "utf-8")
    kept = store.skeleton_at(tmp_path, CELL)
    assert kept is not None
    assert kept.digest is None
    assert kept.read().steps[-1].text == "All is bad."


def test_nothing_was_kept(tmp_path: Path) -> None:
    """A baseline may be older than skeletons."""
    assert store.skeleton_at(tmp_path, CELL) is None


def test_a_wrong_file_is_refused_with_its_lines(tmp_path: Path) -> None:
    """Unknown keys and wrong values are told together."""
    path = store.write_skeleton(tmp_path, CELL, facts())
    path.write_text(path.read_text("utf-8").replace("ms: 5\n", "mss: 5\n").replace("kind: user", "kind: u"))
    kept = store.skeleton_at(tmp_path, CELL)
    assert kept is not None
    with pytest.raises(BaselineError) as refused:
        kept.read()
    said = str(refused.value)
    assert "baselines/home/m-1b/001_x.trace.yaml:16:" in said
    assert "unknown key `steps[2].mss`" in said or "mss" in said


@settings(max_examples=40)
@given(text=broken_texts, value=values, name=texts)
def test_any_run_survives(tmp_path_factory: pytest.TempPathFactory, text: str, value: Any, name: str) -> None:
    """Whatever a model or a tool says is read as it was written."""
    step = Step(
        0, "tool_call", name="t", text=text, arguments={name: value, "y": [value, value]}, result=value
    )
    kept_facts = facts_of(read_json_lines(to_json_lines(trace(step, Step(1, "answer", text=text)))))
    root = tmp_path_factory.mktemp("b")
    store.write_skeleton(root, CELL, kept_facts)
    kept = store.skeleton_at(root, CELL)
    assert kept is not None
    assert kept.digest == digest_of(kept_facts)
    assert kept.read() == skeleton_of(kept_facts)


def test_the_skeleton_lies_beside_its_baseline() -> None:
    """One name tells the other."""
    assert skeleton_path(Path("a/001_x.terse@2.yaml")) == Path("a/001_x.terse@2.trace.yaml")
