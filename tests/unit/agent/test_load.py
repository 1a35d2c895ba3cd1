"""Loading an agent says which half of its name is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.agent.load import load_agent
from kit.errors import ConfigError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project whose modules are forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    package = tmp_path / "kp_agents"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "good.py").write_text(
        "class Kind:\n    def __call__(self, turn): return 'x'\n"
        "def chat(turn): return 'hi'\ndef two(turn, more): ...\ntext = 'no'\nkind = Kind()\n"
    )
    (package / "bad.py").write_text("import kp_agents.good\n\nvalue = 1 / 0\n")
    (package / "needs.py").write_text("x = 1\nimport kp_not_installed\n")
    (package / "wrong.py").write_text("def f(:\n")
    (package / "leaves.py").write_text("raise SystemExit(3)\n")
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("kp_"):
            del sys.modules[name]


def test_a_function_and_a_callable_object_are_loaded(project: Path) -> None:
    """Both kinds of agents come back ready to be called; the attribute may be dotted."""
    assert load_agent("kp_agents.good:chat", project)(None) == "hi"  # type: ignore[arg-type]
    assert load_agent("kp_agents.good:kind", project)(None) == "x"  # type: ignore[arg-type]
    assert callable(load_agent("kp_agents.good:kind.__call__", project))


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("kp_agents.good", ["write `package.module:function`"]),
        ("kp_agents/good.py:chat", ["write `package.module:function`"]),
        ("kp_agents.goood:chat", ["no module `kp_agents.goood`", "looked for in"]),
        ("kp_nothing.good:chat", ["no module `kp_nothing`"]),
        ("kp_agents.good:chatt", ["`kp_agents.good` has no `chatt`", "did you mean `chat`?"]),
        ("kp_agents.good:zzz", ["has no `zzz`", "it has: Kind, chat, kind, two"]),
        ("kp_agents.good:text", ["is a str", "callable"]),
        ("kp_agents.good:Kind", ["is a class"]),
        ("kp_agents.good:two", ["must take one argument, the turn"]),
        ("kp_agents.bad:chat", ["kp_agents/bad.py:3", "ZeroDivisionError: division by zero"]),
        ("kp_agents.needs:chat", ["kp_agents/needs.py:2", "No module named 'kp_not_installed'"]),
        ("kp_agents.wrong:chat", ["kp_agents/wrong.py:1", "SyntaxError"]),
        ("kp_agents.leaves:chat", ["kp_agents/leaves.py:1", "SystemExit: 3"]),
    ],
)
def test_what_is_wrong_is_named(project: Path, target: str, parts: list[str]) -> None:
    """Each way to fail has a text of its own, with file and line where code is at fault."""
    with pytest.raises(ConfigError) as refused:
        load_agent(target, project)
    for part in parts:
        assert part in str(refused.value)
    assert str(project) not in str(refused.value).replace(f"looked for in {project}", "")
