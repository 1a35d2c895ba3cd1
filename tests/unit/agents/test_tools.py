"""The home agent's tools on a real workspace."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kit.agents.speaking import MAX_TEXT
from kit.agents.tools import file_tools, model_tool
from tests.fakes.home_turns import place


def test_write_read_and_list(tmp_path: Path) -> None:
    """What is written can be read again, byte for byte, and is listed; folders are made on the way."""
    tools = file_tools(place(tmp_path))
    assert tools["fs_write"]("note/a.md", "è\r\nfine\n") == "wrote 8 characters to note/a.md"
    assert tools["fs_read"]("/workspace/note/a.md") == "è\r\nfine\n"
    assert (tmp_path / "workspace/note/a.md").read_bytes() == "è\r\nfine\n".encode()
    assert tools["fs_list"](".") == "note/"
    assert tools["fs_list"]("note") == "a.md"


def test_empty_folder_says_so(tmp_path: Path) -> None:
    """An empty result is no result for a model."""
    assert file_tools(place(tmp_path))["fs_list"]("/workspace") == "(empty)"


def test_long_file_is_cut_and_says_so(tmp_path: Path) -> None:
    """A small model's context must hold it, and nobody may think that it was all."""
    tools = file_tools(place(tmp_path))
    tools["fs_write"]("a", "x" * (MAX_TEXT + 5))
    assert tools["fs_read"]("a") == "x" * MAX_TEXT + "\n[5 more characters are left out]"


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "text"),
    [
        ("fs_read", ("gone.txt",), FileNotFoundError, "not found: gone.txt"),
        ("fs_list", ("gone",), FileNotFoundError, "not found: gone"),
        ("fs_read", ("/workspace",), IsADirectoryError, "is a folder: /workspace"),
        ("fs_write", ("/workspace", "x"), IsADirectoryError, "is a folder: /workspace"),
        ("fs_list", ("file",), NotADirectoryError, "not a folder: file"),
        ("fs_write", ("file/below", "x"), NotADirectoryError, "not a folder: file/below"),
        ("fs_read", ("../out",), PermissionError, "not permitted: ../out"),
        ("fs_write", ("../out", "x"), PermissionError, "not permitted: ../out"),
        ("fs_read", ("binary",), ValueError, "not a text file: binary"),
        ("fs_read", ("x" * 5000,), OSError, "failed on x"),
        ("fs_write", ("half", "\ud83d"), ValueError, "not a text file: half"),
    ],
)
def test_errors_name_the_path_as_given(
    tmp_path: Path, name: str, arguments: tuple[str, ...], kind: type[Exception], text: str
) -> None:
    """A tool fails with a plain exception, which the trace shows, and no text holds a path of the machine."""
    tools = file_tools(place(tmp_path))
    (tmp_path / "workspace/file").write_text("x", encoding="utf-8")
    (tmp_path / "workspace/binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(kind) as failed:
        tools[name](*arguments)
    assert str(failed.value).startswith(text)
    assert str(tmp_path) not in str(failed.value)


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    """Text that cannot be encoded must not empty the file that is there."""
    tools = file_tools(place(tmp_path))
    tools["fs_write"]("a", "old")
    with pytest.raises(ValueError, match="not a text file"):
        tools["fs_write"]("a", "\ud83d")
    assert tools["fs_read"]("a") == "old"


def test_write_through_a_link_out_of_the_workspace_fails(tmp_path: Path) -> None:
    """The tool guards itself, whatever the policy before it said."""
    inner = tmp_path / "root"
    inner.mkdir()
    tools = file_tools(place(inner))
    (inner / "workspace" / "link").symlink_to(tmp_path / "target")
    with pytest.raises(PermissionError, match="not permitted: link"):
        tools["fs_write"]("link", "x")
    assert not (tmp_path / "target").exists()


def test_model_tool_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """`supra_llm` hands the prompt on and the answer back."""

    async def ask(prompt: str) -> str:
        return f"asked: {prompt}"

    async def use() -> str:
        return await model_tool(ask)["supra_llm"](prompt="why")

    assert asyncio.run(use()) == "asked: why"
