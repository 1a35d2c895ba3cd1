"""The project of a few files in a real repository, with kit's stages installed by the real pre-commit."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml

from kit.gate.regressions import LOG
from tests.fakes.tiny_project import KIT, Ran, TinyProject, tiny_project

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class GitProject:
    """A repository that holds a project, its recording and its baseline; the branch is `main`."""

    tiny: TinyProject
    home: Path
    minute: int = 0

    @property
    def root(self) -> Path:
        """The repository's folder."""
        return self.tiny.root

    def git(self, *words: str, check: bool = True) -> Ran:
        """Runs git as somebody whose machine has no settings."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=6000,
            check=False,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"git {words}: {done.stdout}{done.stderr}")
        return Ran(done.returncode, done.stdout, done.stderr)

    def commit(self, message: str, *words: str) -> Ran:
        """Stages everything and tries to commit it; the hooks may have something against it."""
        self.minute += 1
        self.git("add", "-A")
        return self.git("commit", "-m", message, *words, check=False)

    def head(self) -> str:
        """The id of the commit checked out."""
        return self.git("rev-parse", "HEAD").out.strip()

    def log(self) -> str:
        """The log of regressions as it lies in the folder."""
        path = self.root / LOG
        return path.read_text("utf-8") if path.exists() else ""

    def says(self, answer: str) -> None:
        """Changes the agent so that it answers something else than its model; its requests stay the same."""
        self.tiny.changed_agent(
            "return ask(turn.endpoint, messages)", f"ask(turn.endpoint, messages); return '{answer}'"
        )

    def install_hooks(self) -> None:
        """Installs the stages of `.pre-commit-hooks.yaml`, with kit from this environment."""
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
        for hook in hooks:
            hook["entry"] = hook["entry"].replace("kit ", f"{KIT} ", 1)
        config = {
            "default_install_hook_types": sorted({stage for hook in hooks for stage in hook["stages"]}),
            "repos": [{"repo": "local", "hooks": hooks}],
        }
        self.tiny.write(".pre-commit-config.yaml", yaml.safe_dump(config, sort_keys=False))
        made = self.commit("A quiz, recorded and accepted")
        assert made.code == 0, made.said
        subprocess.run(
            [sys.executable, "-m", "pre_commit", "install"],
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            check=True,
            timeout=600,
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "KIT_"))}
        moment = f"2026-11-29T10:{self.minute:02d}:00+00:00"
        return kept | {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home),
            "PRE_COMMIT_HOME": str(self.home / "pre-commit"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_DATE": moment,
            # Nothing of this needs the network, and nothing gets it.
            "https_proxy": "http://127.0.0.1:9",
            "http_proxy": "http://127.0.0.1:9",
            "no_proxy": "127.0.0.1,localhost",
        }


def git_project(folder: Path) -> GitProject:
    """A committed project, its scenario recorded from the stub and accepted as pass; hooks installed."""
    root, home = folder / "project", folder / "home"
    root.mkdir()
    home.mkdir()
    project = GitProject(tiny_project(root), home)
    project.git("init", "-q", "-b", "main")
    project.git("config", "user.email", "roberto@example.org")
    project.git("config", "user.name", "Roberto")
    project.tiny.write(".gitignore", "__pycache__/\n")
    project.tiny.write("README.md", "A quiz.\n")
    for words in (("record", "--model", "stub"), ("accept", "--reason", "Paris is right")):
        ran = project.tiny.kit(*words)
        assert ran.code == 0, ran.said
    project.install_hooks()
    return project
