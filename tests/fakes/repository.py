"""A throwaway git repository that knows nothing of the machine it lies on."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Repository:
    """A repository; its commits are a minute apart, so that no two share their date."""

    root: Path
    minute: int = 0

    def git(self, *words: str) -> str:
        """Runs git and gives what it prints."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        moment = f"2026-11-29T10:{self.minute:02d}:00+00:00"
        environ = kept | {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_DATE": moment,
        }
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"git {words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def commit(self, message: str, *words: str) -> str:
        """Commits everything; returns the id."""
        self.minute += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *words)
        return self.git("rev-parse", "HEAD")

    def init(self) -> None:
        """Makes it: on branch `main`, without a commit."""
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "roberto@example.org")
        self.git("config", "user.name", "Roberto")


def repository(root: Path) -> Repository:
    """A new repository in a folder, on branch `main`, without a commit."""
    made = Repository(root)
    made.init()
    return made
