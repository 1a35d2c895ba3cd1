"""The throwaway folder of a run: it stands for `/`, so a scenario's absolute paths hold on every machine."""

from __future__ import annotations

import contextlib
import os
import posixpath
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from kit.errors import EnvironmentFault
from kit.scenario.schema import Setup

HOME = "/workspace"
MEMORY = f"{HOME}/memory"
"""Each thing an agent remembers is one file here, `<key>.md`."""

_MINIMAL = {
    f"{HOME}/SOUL.md": "# Soul\n\nI help one person at home. I do what I am asked and do no harm.\n",
    f"{HOME}/IDENTITY.md": "# Identity\n\nName: myclaw\nRole: home agent\n",
}
_MODIFIED_S = 1_767_225_600
"""2026-01-01T00:00:00Z: an agent that lists times must see the same ones in record and in replay."""


class Workspace:
    """The folder of one run.

    Attributes:
        root: the real folder that stands for `/`, without links in its own path.
        home: the agent's working directory as the agent sees it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.home = HOME

    def resolve(self, path: str) -> Path:
        """The real path behind one that the agent sees, free of links at the time it is given out.

        Args:
            path: absolute, or relative to `home`; need not exist.

        Raises:
            PermissionError: the path leaves the workspace: `..` above where it starts, a link that points
                out, a link in a circle. The text names only the path as given.
        """
        refused = PermissionError(f"outside the workspace: {path!r}")
        # A relative path starts at home and must stay below it; an absolute one starts at `/`.
        if "\0" in path or _climbs(path):
            raise refused
        inside = posixpath.normpath(posixpath.join(HOME, path)).lstrip("/")
        real = Path(os.path.realpath(self.root / inside))
        # A link is left in a resolved path only where links go in a circle.
        if not real.is_relative_to(self.root) or any(step.is_symlink() for step in (real, *real.parents)):
            raise refused
        return real

    def snapshot(self) -> dict[str, str | None]:
        """The text of each file by the path the agent sees; None where it is no text. No link is followed."""
        found: dict[str, str | None] = {}
        for folder, folders, names in os.walk(self.root):
            for entry in (Path(folder, name) for name in (*folders, *names)):
                if entry.is_symlink():
                    found[self.seen(entry)] = f"link to {self.hide(str(entry.readlink()))}"
                elif entry.name in names:
                    found[self.seen(entry)] = _content(entry)
        return dict(sorted(found.items()))

    def seen(self, real: Path) -> str:
        """The path the agent sees for a real one inside the folder."""
        return "/" + real.relative_to(self.root).as_posix()

    def hide(self, text: str) -> str:
        """The text with the folder's real path taken out, so that it reads as the agent sees it."""
        return text.replace(f"{self.root}/", "/").replace(str(self.root), "/")


def memory_of(files: Mapping[str, str | None]) -> dict[str, str]:
    """What the agent remembers, by key, out of a snapshot."""
    return {
        posixpath.basename(path).removesuffix(".md"): text
        for path, text in files.items()
        if posixpath.dirname(path) == MEMORY and path.endswith(".md") and text is not None
    }


@contextlib.contextmanager
def workspace(setup: Setup, project_root: Path, *, keep: bool = False) -> Iterator[Workspace]:
    """Build the folder a scenario starts from and remove it afterwards, whatever happens.

    Args:
        setup: the scenario's.
        project_root: what fixtures are named from.
        keep: leave the folder where it is, for a person who wants to look into it.

    Raises:
        EnvironmentFault: a fixture cannot be copied.
    """
    folder = tempfile.mkdtemp(prefix="kit-run-") if keep else tempfile.TemporaryDirectory(prefix="kit-run-")
    with contextlib.nullcontext(folder) if isinstance(folder, str) else folder as name:
        place = Workspace(Path(name))
        try:
            _fill(place, setup, project_root)
        except OSError as fault:
            raise EnvironmentFault(f"the workspace cannot be built: {place.hide(str(fault))}") from fault
        yield place


def _fill(place: Workspace, setup: Setup, project_root: Path) -> None:
    files = dict(_MINIMAL) if setup.workspace_state == "minimal" else {}
    files |= {f"{MEMORY}/{key}.md": text for key, text in setup.memory.items()}
    (place.root / HOME.lstrip("/")).mkdir()
    for path, text in files.items():
        target = place.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    for fixture in setup.fixtures:
        _copy(project_root / fixture.content_fixture, place.root / fixture.path.lstrip("/"))
    _level(place.root)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


def _level(root: Path) -> None:
    """Times and permissions come from here, not from the machine's checkout and umask."""
    for folder, _, names in os.walk(root, topdown=False):
        for name in names:
            file = Path(folder, name)
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644)
                os.utime(file, (_MODIFIED_S, _MODIFIED_S))
        Path(folder).chmod(0o755)
        os.utime(folder, (_MODIFIED_S, _MODIFIED_S))


def _content(file: Path) -> str | None:
    try:
        # A pipe or a socket that an agent left behind would block whoever reads it.
        return file.read_bytes().decode() if stat.S_ISREG(file.lstat().st_mode) else None
    except (UnicodeDecodeError, OSError):
        return None


def _climbs(path: str) -> bool:
    depth = 0
    for part in path.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False
