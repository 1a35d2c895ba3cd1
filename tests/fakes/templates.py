"""Folders that are made once and copied: a recording of its own would cost a test more than what it tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Templates:
    """The folders made so far; no test gets one of them into its hands, only a copy.

    Attributes:
        home: where they lie, one folder a name.
    """

    home: Path

    def copy(self, name: str, make: Callable[[Path], object], target: Path) -> None:
        """Fills a folder with what `make` makes, which is asked only where nothing of that name is there yet.

        Args:
            name: the same for the same content.
            make: fills the empty folder it is given; nothing of it may hold that folder's path.
            target: a folder that may exist; what is in it stays.
        """
        source = self.home / name
        if not source.exists():
            unfinished = self.home / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(source)
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        if (target / ".git").exists():
            # Its index knows the originals by inode, and plumbing would take all copies for changed files.
            subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=target, check=False)
