"""The home agent's memory on a real workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agents.memory import Memory
from tests.fakes.home_turns import place
from tests.fakes.runs import recording, replaying, run

COFFEE = "Roberto beve il caffè amaro"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """Two things are remembered."""
    made = Memory(place(tmp_path))
    made.write("caffe", COFFEE)
    made.write("cane", "il cane si chiama Argo")
    return made


def test_search_ignores_case_and_accents(memory: Memory) -> None:
    """People type as they like; the entry comes with its key."""
    assert memory.search("CAFFE") == f"caffe: {COFFEE}"
    assert memory.search("che caffè beve?") == f"caffe: {COFFEE}"


def test_search_gives_the_best_first_and_all_for_nothing(memory: Memory) -> None:
    """More words found is better; an empty query lists everything."""
    assert memory.search("cane caffè amaro").splitlines()[0] == f"caffe: {COFFEE}"
    assert len(memory.search("  ").splitlines()) == 2


def test_search_without_a_hit_names_the_keys(memory: Memory) -> None:
    """The model can look under another word; but shown is nothing."""
    assert memory.search("passaporto il") == "(nothing found; the keys are: caffe, cane)"
    assert memory.why_not_delete("cane")


def test_empty_memory(tmp_path: Path) -> None:
    """There need not even be a folder."""
    assert Memory(place(tmp_path)).search("x") == "(nothing found; the keys are: none)"


def test_write_replaces(memory: Memory, tmp_path: Path) -> None:
    """One file a key, as the scenario's oracle reads it."""
    assert memory.write("cane", "si chiama Ulisse") == "remembered under cane"
    assert (tmp_path / "workspace/memory/cane.md").read_text("utf-8") == "si chiama Ulisse"


def test_delete_wants_a_search_first(memory: Memory, tmp_path: Path) -> None:
    """The search must have shown this very key, and shows it for one deletion only."""
    with pytest.raises(PermissionError, match="search first"):
        memory.delete("cane")
    memory.search("caffè")
    with pytest.raises(PermissionError, match="search first"):
        memory.delete("cane")
    memory.search("Argo")
    assert memory.delete("cane") == "forgot cane"
    assert not (tmp_path / "workspace/memory/cane.md").exists()
    with pytest.raises(PermissionError, match="search first"):
        memory.delete("cane")


def test_what_is_gone_meanwhile_is_not_found(memory: Memory, tmp_path: Path) -> None:
    """The error names no path of the machine."""
    memory.search("cane")
    (tmp_path / "workspace/memory/cane.md").unlink()
    with pytest.raises(FileNotFoundError, match=r"\Anot found: memory of cane\Z"):
        memory.delete("cane")


@pytest.mark.parametrize("key", ["", "../x", "a/b", "a b", ".x", "x" * 65, "è"])
def test_keys_are_plain_words(memory: Memory, key: str) -> None:
    """A key never becomes a path."""
    with pytest.raises(ValueError, match="is no key"):
        memory.write(key, "x")
    with pytest.raises(ValueError, match="is no key"):
        memory.delete(key)


def test_memory_that_links_out_is_not_followed(tmp_path: Path) -> None:
    """The folder may not lead out of the workspace, nor may an entry."""
    inner = tmp_path / "root"
    inner.mkdir()
    memory = Memory(place(inner))
    memory.write("a", "here")
    (inner / "workspace/memory/b.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "secret.md").write_text("there", encoding="utf-8")
    assert memory.search("") == "a: here"
    with pytest.raises(PermissionError, match="not permitted: memory of b"):
        memory.write("b", "x")


def test_replay_runs_the_tools_again(tmp_path: Path) -> None:
    """The world changes in replay as it did live, and a difference is drift."""

    def forget(root: Path) -> str:
        tools = Memory(place(root)).tools()
        tools["memory_write"](key="cane", text="Argo")
        tools["memory_search"](query="Argo")
        return tools["memory_delete"](key="cane")

    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    _, recorded = run(recording(first), lambda: forget(first))
    said, replayed = run(replaying(second, recorded.interactions), lambda: forget(second))
    assert said == "forgot cane"
    assert (replayed.tool_drift, replayed.misses, replayed.side_effects) == ((), (), ())
    assert (second / "workspace/memory").is_dir()
