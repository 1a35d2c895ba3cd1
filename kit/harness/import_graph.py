"""Which files an agent is made of, found without running any of them."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_AT_RUN_TIME = frozenset(
    {
        "__import__",
        "entry_points",
        "exec",
        "import_module",
        "iter_modules",
        "run_module",
        "run_path",
        "spec_from_file_location",
        "walk_packages",
    }
)
"""Calls that load modules which no `import` names."""


@dataclass(slots=True)
class ImportGraph:
    """The modules that an agent imports, however many steps away.

    Attributes:
        home: the folder whose files count; the rest of the world is what is installed.
        files: their paths, and those where a module would be found before another one, existing or not.
        unknown: `file:line` of what decides only at run time what it loads; None where all is plain.
    """

    home: Path
    files: set[Path] = field(default_factory=set)
    unknown: str | None = None


def import_graph(agent: str, root: Path, home: Path | None = None) -> ImportGraph:
    """Follow the imports of an agent.

    Args:
        agent: `package.module:function`.
        root: of the project, the first place where modules are looked for.
        home: files below it are followed; the project by default.
    """
    graph = ImportGraph((home or root).resolve())
    waiting = [agent.partition(":")[0]]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for base in _bases(name.partition(".")[0], root.resolve(), graph.home):
            for file in _places(base, name):
                graph.files.add(file)
                if file.is_file():
                    waiting.extend(_imports(file, name, graph))
        above = name.rpartition(".")[0]
        waiting.extend([above] if above else [])
    return graph


def _bases(top: str, root: Path, home: Path) -> Iterator[Path]:
    """Folders below home in which a module of this first name may lie."""
    found = [root, *(Path(entry).resolve() for entry in sys.path if entry)]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [*(spec.submodule_search_locations or [])] if spec else []
    found += [Path(place).resolve().parent for place in places]
    for base in dict.fromkeys(found):
        if base.is_relative_to(home) and "site-packages" not in base.parts:
            yield base


def _places(base: Path, name: str) -> tuple[Path, ...]:
    path = base.joinpath(*name.split("."))
    return (path / "__init__.py", path.with_name(f"{path.name}.py"))


def _imports(file: Path, name: str, graph: ImportGraph) -> Iterator[str]:
    """Names of the modules that a file imports anywhere in it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        graph.unknown = graph.unknown or _shown(file, 1, graph)
        return
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, package, file)
        elif isinstance(node, ast.Call) and _called(node) in _AT_RUN_TIME:
            named = _named_module(node)
            if named is None:
                graph.unknown = graph.unknown or _shown(file, node.lineno, graph)
            else:
                yield named


def _from(node: ast.ImportFrom, package: str, file: Path) -> Iterator[str]:
    origin = node.module or ""
    if node.level:
        parts = package.split(".")
        above = parts[: len(parts) - node.level + 1]
        origin = ".".join([*above, *([origin] if origin else [])])
    if not origin:
        return
    yield origin
    for alias in node.names:
        yield from _siblings(file, package, origin) if alias.name == "*" else (f"{origin}.{alias.name}",)


def _siblings(file: Path, package: str, origin: str) -> Iterable[str]:
    """What `from package import *` may load beside the package itself: any module of it."""
    depth = len(package.split(".")) if package else 0
    base = file.parent.parents[depth - 1] if depth else file.parent
    folder = base.joinpath(*origin.split("."))
    return [f"{origin}.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"]


def _called(node: ast.Call) -> str | None:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None


def _named_module(node: ast.Call) -> str | None:
    """The module of `import_module("a.b")`, which is as good as an import."""
    first = node.args[0] if node.args else None
    if _called(node) not in {"import_module", "__import__"} or not isinstance(first, ast.Constant):
        return None
    return first.value if isinstance(first.value, str) and not first.value.startswith(".") else None


def _shown(file: Path, line: int, graph: ImportGraph) -> str:
    return f"{os.path.relpath(file, graph.home)}:{line}"
