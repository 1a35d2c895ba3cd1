"""How large the recordings have grown: what is beyond the budget of `[tool.kit.cassettes]` is named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kit.cassette.media import FOLDER_SUFFIX
from kit.cassette.paths import FOLDER, SUFFIX, partial_path
from kit.workflow.project import Project

_SHOWN = 3
_KB, _MB = 1024, 1024 * 1024


def too_large(project: Project) -> tuple[str, ...]:
    """A warning for files that are too large, and one for all of them together; empty where all is well.

    Args:
        project: whose `cassettes/`; media files count with the cassette that they lie beside.
    """
    limits = project.settings.cassettes
    root = project.root
    sizes = Counter[str]()
    for path in (root / FOLDER).rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[_cassette_of(path).relative_to(root).as_posix()] += path.stat().st_size
    largest = sorted(((size, path) for path, size in sizes.items()), key=lambda one: (-one[0], one[1]))
    found = []
    large = [one for one in largest if one[0] > limits.max_file_kb * _KB]
    if large:
        what = f"larger than {limits.max_file_kb} kB (max_file_kb)"
        found.append(f"{len(large)} recording{'s' if len(large) > 1 else ''} {what}: {_shown(large)}")
    total = sizes.total()
    if total > limits.max_total_mb * _MB:
        what = f"{FOLDER}/ takes {_size(total)}, more than {limits.max_total_mb} MB (max_total_mb)"
        found.append(f"{what}; the largest: {_shown(largest)}")
    return tuple(found)


def _cassette_of(path: Path) -> Path:
    """The cassette that a media file belongs to; else the file itself."""
    if path.parent.suffix != FOLDER_SUFFIX:
        return path
    whole = path.parent.with_name(path.parent.name.removesuffix(FOLDER_SUFFIX) + SUFFIX)
    return next((one for one in (whole, partial_path(whole)) if one.is_file()), path)


def _shown(files: list[tuple[int, str]]) -> str:
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    return ", ".join(f"{path} ({_size(size)})" for size, path in files[:_SHOWN]) + more


def _size(octets: int) -> str:
    if octets < _MB:
        return f"{octets / _KB:.1f} kB"
    return f"{octets / _MB:.1f} MB"
