"""Which staged files want a replay."""

from __future__ import annotations

import pytest

from kit.gate.paths import agent_paths, concerned
from kit.gate.regressions import LOG
from kit.gate.thresholds import DEFAULT_PATHS


@pytest.mark.parametrize(
    ("pattern", "file", "takes"),
    [
        ("kit/", "kit/a/b.py", True),
        ("kit/", "kitchen/a.py", False),
        ("kit/", "src/kit/a.py", False),
        ("agent.py", "agent.py", True),
        ("agent.py", "a/agent.py", False),
        ("prompts/*.md", "prompts/de/system.md", True),
        ("*/prompts/", "agents/home/prompts/x.txt", True),
        ("prompts", "prompts/x.txt", False),
    ],
)
def test_patterns(pattern: str, file: str, takes: bool) -> None:
    """A folder, a file, or a star in either."""
    assert bool(concerned([file], [pattern])) is takes


def test_defaults_leave_prose_and_the_log_alone() -> None:
    """The log of regressions lies beside the baselines and changes no run."""
    files = ["README.md", LOG, "baselines/home/m/001_x.yaml", "cassettes/home/m/001_x.yaml", "pyproject.toml"]
    assert concerned(files, DEFAULT_PATHS) == tuple(files[2:])


def test_agents_bring_their_package() -> None:
    """Code of an agent is wherever Python finds its first name."""
    assert agent_paths(["pkg.mod:agent", "pkg.other:agent", "single:agent"]) == (
        "pkg/",
        "pkg.py",
        "src/pkg/",
        "src/pkg.py",
        "single/",
        "single.py",
        "src/single/",
        "src/single.py",
    )
