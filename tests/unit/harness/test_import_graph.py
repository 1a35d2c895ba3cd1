"""Which files an agent is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.harness.import_graph import import_graph


def written(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py" if name != "init" else root / "pack/__init__.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def existing(root: Path, agent: str = "main_agent:agent") -> set[str]:
    graph = import_graph(agent, root)
    assert graph.unknown is None
    return {path.relative_to(root).as_posix() for path in graph.files if path.exists()}


def test_imports_are_followed_however_far(tmp_path: Path) -> None:
    """Of a module, of a package, relative ones, those inside functions, and packages on the way."""
    written(
        tmp_path,
        main_agent="import first_own, json\n\ndef f():\n    from pack.inner import thing\n",
        first_own="import second_own as s\n",
        second_own="",
        init="",
        pack__inner="from . import beside\nfrom .deeper import x\n",
        pack__beside="",
        pack__deeper="from ..nowhere import y\n",
        pack__unused="",
        unused_own="",
    )
    assert existing(tmp_path) == {
        "main_agent.py",
        "first_own.py",
        "second_own.py",
        "pack/__init__.py",
        "pack/inner.py",
        "pack/beside.py",
        "pack/deeper.py",
    }


def test_a_star_takes_the_whole_package(tmp_path: Path) -> None:
    """`__all__` may name any module of it."""
    written(tmp_path, main_agent="from pack import *\n", init="", pack__one="", pack__two="")
    assert existing(tmp_path) == {"main_agent.py", "pack/__init__.py", "pack/one.py", "pack/two.py"}


def test_a_module_named_at_run_time_is_as_good_as_an_import(tmp_path: Path) -> None:
    """If its name is written there."""
    written(tmp_path, main_agent="import importlib\nimportlib.import_module('other_own')\n", other_own="")
    assert existing(tmp_path) == {"main_agent.py", "other_own.py"}


@pytest.mark.parametrize(
    "text",
    [
        "import importlib\nimportlib.import_module(name)\n",
        "from importlib import import_module as import_module\nimport_module('.x', 'y')\n",
        "\n__import__(name)\n",
        "\nexec(code)\n",
        "import runpy\nrunpy.run_path(p)\n",
    ],
)
def test_what_decides_at_run_time_is_named(tmp_path: Path, text: str) -> None:
    """Nobody can say what it loads."""
    written(tmp_path, main_agent=text)
    assert import_graph("main_agent:agent", tmp_path).unknown == "main_agent.py:2"


def test_a_file_that_is_no_python_is_unknown(tmp_path: Path) -> None:
    """Whatever it imports."""
    written(tmp_path, main_agent="def (\n")
    assert import_graph("main_agent:agent", tmp_path).unknown == "main_agent.py:1"


def test_a_module_that_is_gone_counts(tmp_path: Path) -> None:
    """Its path is among the files, so that its removal is a change."""
    written(tmp_path, main_agent="try:\n    import gone_own\nexcept ImportError:\n    pass\n")
    assert tmp_path / "gone_own.py" in import_graph("main_agent:agent", tmp_path).files


def test_installed_packages_are_not_followed(tmp_path: Path) -> None:
    """Only files below home count."""
    written(tmp_path, main_agent="import pytest, yaml\n")
    assert existing(tmp_path) == {"main_agent.py"}


def test_a_package_elsewhere_in_the_repository_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed in place, as a repository of several projects does."""
    written(tmp_path / "agents", main_agent="import shared_own\n")
    written(tmp_path / "libs", shared_own="")
    monkeypatch.syspath_prepend(tmp_path / "libs")
    graph = import_graph("main_agent:agent", tmp_path / "agents", tmp_path)
    assert tmp_path / "libs/shared_own.py" in graph.files
