"""Every row of the home agent's policy table, and the ways out of the workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from kit.agent.protocol import Autonomy
from kit.agents.policy import PRESETS, Action, Effect, preset, rule_on
from tests.fakes.home_turns import place

ROWS: list[tuple[str, Effect, tuple[Action, Action, Action]]] = [
    # preset, effect, manual / supervised / autonomous
    ("default", "read", ("ask", "allow", "allow")),
    ("default", "write", ("ask", "ask", "allow")),
    ("default", "forget", ("ask", "ask", "ask")),
    ("default", "run", ("ask", "allow", "allow")),
    ("default", "fetch", ("ask", "allow", "allow")),
    ("default", "ask_model", ("ask", "allow", "allow")),
    ("read-only", "read", ("ask", "allow", "allow")),
    ("read-only", "write", ("block", "block", "block")),
    ("read-only", "forget", ("block", "block", "block")),
    ("read-only", "run", ("ask", "allow", "allow")),
    ("read-only", "fetch", ("ask", "allow", "allow")),
    ("read-only", "ask_model", ("ask", "allow", "allow")),
    ("strict", "read", ("ask", "allow", "allow")),
    ("strict", "write", ("ask", "ask", "ask")),
    ("strict", "forget", ("ask", "ask", "ask")),
    ("strict", "run", ("ask", "ask", "ask")),
    ("strict", "fetch", ("block", "block", "block")),
    ("strict", "ask_model", ("ask", "ask", "ask")),
]
CALLS: dict[Effect, dict[str, Any]] = {
    "read": {"path": "note.md"},
    "write": {"path": "note.md"},
    "forget": {"key": "city"},
    "run": {"argv": ["ls"]},
    "fetch": {"url": "https://wttr.in/Roma"},
    "ask_model": {"prompt": "why"},
}
AUTONOMIES: tuple[Autonomy, ...] = get_args(Autonomy)


@pytest.mark.parametrize(("name", "effect", "actions"), ROWS)
def test_row(tmp_path: Path, name: str, effect: Effect, actions: tuple[Action, ...]) -> None:
    """A call inside the workspace gets what its row says at each autonomy."""
    rulings = [
        rule_on(effect, CALLS[effect], preset(name), autonomy, place(tmp_path)) for autonomy in AUTONOMIES
    ]
    assert tuple(ruling.action for ruling in rulings) == actions


def test_rows_cover_the_table() -> None:
    """A preset or effect that is added gets its row here."""
    assert {(name, effect) for name, effect, _ in ROWS} == {
        (name, effect) for name in PRESETS for effect in get_args(Effect)
    }


def test_unknown_preset_is_an_error() -> None:
    """A mistyped policy must not fall back to a laxer one."""
    with pytest.raises(ValueError, match="no policy preset 'defualt'; it has default"):
        preset("defualt")


@pytest.mark.parametrize(
    "path",
    [
        "../etc/passwd",
        "../../etc/passwd",
        "/etc/passwd",
        "/workspace/../etc/passwd",
        "/tmp/../root/x",
        "/",
        "/workspacex/a",
    ],
)
@pytest.mark.parametrize("effect", ["read", "write"])
def test_paths_outside_of_the_folders_are_blocked(tmp_path: Path, path: str, effect: Effect) -> None:
    """Whatever way a path is written, what counts is where it ends; autonomy does not matter."""
    ruling = rule_on(effect, {"path": path}, preset("default"), "autonomous", place(tmp_path))
    assert ruling.action == "block"
    assert "is outside of /workspace and /tmp" in ruling.reason


@pytest.mark.parametrize("path", ["a.md", "sub/../a.md", "/workspace", "/workspace/a/b", "/tmp/x.log", "."])
def test_paths_inside_of_the_folders_are_free(tmp_path: Path, path: str) -> None:
    """A dot-dot that stays inside is no escape."""
    assert rule_on("read", {"path": path}, preset("default"), "supervised", place(tmp_path)).action == "allow"


def test_strict_reads_home_only(tmp_path: Path) -> None:
    """The strict preset does not know /tmp."""
    assert (
        rule_on("read", {"path": "/tmp/x"}, preset("strict"), "autonomous", place(tmp_path)).action == "block"
    )


def test_a_link_out_of_the_workspace_is_blocked(tmp_path: Path) -> None:
    """A link in a free folder to the real machine leaves the workspace; its target is not named."""
    inner = tmp_path / "root"
    inner.mkdir()
    workspace = place(inner)
    (tmp_path / "secret.txt").write_text("s", encoding="utf-8")
    (inner / "workspace" / "link").symlink_to(tmp_path / "secret.txt")
    (inner / "workspace" / "folder").symlink_to(tmp_path)
    for path in ("link", "folder/secret.txt", "/workspace/folder"):
        ruling = rule_on("read", {"path": path}, preset("default"), "autonomous", workspace)
        assert (ruling.action, ruling.reason) == ("block", f"{path} leaves the workspace")


def test_a_link_into_a_forbidden_folder_is_blocked(tmp_path: Path) -> None:
    """A link from home to another folder of the workspace does not widen what may be read."""
    workspace = place(tmp_path)
    (tmp_path / "srv").mkdir()
    (tmp_path / "srv" / "safe.txt").write_text("47", encoding="utf-8")
    (tmp_path / "workspace" / "link").symlink_to(tmp_path / "srv")
    assert (
        rule_on("read", {"path": "link/safe.txt"}, preset("default"), "autonomous", workspace).action
        == "block"
    )


@pytest.mark.parametrize(
    "path", [".env", "conf/.env.local", "/tmp/server.key", "ID_RSA", ".ssh/config", "plain"]
)
def test_secrets_are_blocked_whatever_the_autonomy(tmp_path: Path, path: str) -> None:
    """Keys and passwords never reach a model, not through a link of another name either."""
    workspace = place(tmp_path)
    (tmp_path / "workspace" / "plain").symlink_to(tmp_path / "workspace" / ".env")
    for name in ("default", "read-only"):
        ruling = rule_on("read", {"path": path}, preset(name), "autonomous", workspace)
        assert (ruling.action, ruling.reason) == ("block", f"{path} holds secrets")


@pytest.mark.parametrize("path", ["memory/city.md", "/workspace/x/../memory/city.md", "link/city.md"])
def test_memory_is_not_written_as_a_file(tmp_path: Path, path: str) -> None:
    """Else an empty file would forget without a search and without a confirmation."""
    workspace = place(tmp_path)
    (tmp_path / "workspace" / "memory").mkdir()
    (tmp_path / "workspace" / "link").symlink_to(tmp_path / "workspace" / "memory")
    ruling = rule_on("write", {"path": path}, preset("default"), "autonomous", workspace)
    assert (ruling.action, ruling.reason) == ("block", f"{path} is changed through the memory tools only")
    assert rule_on("read", {"path": path}, preset("default"), "autonomous", workspace).action == "allow"


@pytest.mark.parametrize(
    ("effect", "arguments", "text"),
    [
        ("run", {"argv": ["rm", "-rf", "/workspace"]}, "nothing else, not rm"),
        ("run", {"argv": ["cat", "/etc/passwd"]}, "/etc/passwd is outside of /workspace and /tmp"),
        ("fetch", {"url": "https://evil.example/?q=1"}, "evil.example is not a host that the policy allows"),
    ],
)
def test_what_a_tool_is_told_is_looked_into(
    tmp_path: Path, effect: Effect, arguments: dict[str, Any], text: str
) -> None:
    """Programs, their paths and web hosts are ruled on before anything is started."""
    ruling = rule_on(effect, arguments, preset("default"), "autonomous", place(tmp_path))
    assert ruling.action == "block"
    assert text in ruling.reason
