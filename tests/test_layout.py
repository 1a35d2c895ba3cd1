"""The rules of the house, as tests: where a module stands, how long it may be, what it may import."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KIT = ROOT / "kit"
MODULE_LINES = 300
FUNCTION_LINES = 50

FLOORS: tuple[tuple[str, ...], ...] = (
    ("cli", "pytest_plugin"),
    ("report",),
    ("workflow",),
    ("ablation", "experiment", "golden"),
    ("harness",),
    ("gate",),
    ("baseline",),
    ("oracle", "run"),
    ("agents", "models"),
    ("agent",),
    ("recording",),
    ("trace",),
    ("cassette",),
    ("redaction", "scenario"),
    ("wire", "durable"),
    ("config", "canonical", "clock", "stats", "git"),
    ("errors",),
)
"""The table of rooms, highest floor first (docs/architecture)."""

NOT_BUILT_YET = frozenset({"ablation", "experiment"})
"""Rooms that the table draws and a later issue builds."""

CHILD_SIDE = ("errors", "clock", "canonical", "durable", "wire", "redaction", "cassette", "recording")
"""Rooms that are imported inside a program that kit does not own."""


def modules() -> Iterator[Path]:
    """Every module of kit but the package fronts."""
    return (path for path in sorted(KIT.rglob("*.py")) if path.name != "__init__.py")


def parsed(path: Path) -> ast.Module:
    """A module as Python reads it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function in it; no expression holds one, and to look into those took most of the time."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        if not isinstance(child, ast.expr):
            yield from functions(child)


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def offenders(found: Iterable[str]) -> str:
    """All that broke a rule, in one message; empty where none did."""
    return "\n".join(sorted(found))


def is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def imported(tree: ast.AST) -> set[str]:
    """First part of every module that is imported anywhere in the file."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module.split(".")[0])
    return names


def test_every_module_has_its_test_file() -> None:
    """Who changes kit/a/b.py finds its tests in tests/unit/a/test_b.py."""
    wanted = {
        path: ROOT / "tests" / "unit" / path.relative_to(KIT).parent / f"test_{path.stem.lstrip('_')}.py"
        for path in modules()
    }
    missing = [f"{shown(path)} has no {shown(test)}" for path, test in wanted.items() if not test.is_file()]
    assert not missing, offenders(missing)


def test_no_module_is_too_long() -> None:
    """A module that outgrew one screenful of ideas is split before it becomes a habit."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    long = [f"{shown(path)} has {count} lines" for path, count in lengths.items() if count > MODULE_LINES]
    assert not long, offenders(long)


def test_no_function_is_too_long() -> None:
    """A function can be read without scrolling."""
    long = [
        f"{shown(path)}:{node.lineno} {node.name} has {length} lines"
        for path in modules()
        for node in functions(parsed(path))
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]
    assert not long, offenders(long)


def test_rooms_on_disk_are_the_rooms_of_the_table() -> None:
    """A room is drawn in the table before it is built, and exists unless it is said to come."""
    on_disk = {
        path.stem
        for path in KIT.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))
    }
    on_disk.discard("__init__")
    table = {room for floor in FLOORS for room in floor}
    wrong = [f"kit/{room} is not in the table" for room in on_disk - table]
    wrong += [f"{room} is in the table and not in kit/" for room in table - on_disk - NOT_BUILT_YET]
    wrong += [f"{room} is built and still listed as not built yet" for room in on_disk & NOT_BUILT_YET]
    assert not wrong, offenders(wrong)


def test_import_contracts_draw_the_same_table() -> None:
    """import-linter enforces the table that people read."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    layers = contracts["floors"]["layers"]
    drawn = tuple(tuple(room.strip(" ()") for room in layer.split("|")) for layer in layers)
    assert drawn == FLOORS


def test_package_fronts_hold_only_a_docstring() -> None:
    """Importing a room costs nothing; only kit itself hands names on."""
    wrong = []
    for path in sorted(KIT.rglob("__init__.py")):
        body = parsed(path).body
        if path.parent != KIT and not (len(body) == 1 and is_docstring(body[0])):
            wrong.append(f"{shown(path)} must hold one docstring and nothing else")
    assert not wrong, offenders(wrong)


def test_child_side_rooms_import_no_pydantic() -> None:
    """Code that runs inside somebody else's program brings no pydantic into it."""
    paths = [path for path in modules() if path.relative_to(KIT).parts[0].removesuffix(".py") in CHILD_SIDE]
    wrong = [shown(path) for path in paths if "pydantic" in imported(parsed(path))]
    assert not wrong, offenders(wrong)
