from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kit.recording.wrapper.environment import CHILD_PATH, package_sources
from kit.recording.wrapper.job import JOB_ENV, PARENT_ENV, Job

BARE = (sys.executable, "-c", "import sys; print('ran', [p for p in sys.path if 'child_path' in p])")


def job_folder(folder: Path, **changes: object) -> Path:
    """A job that a child can take up, with some of it changed."""
    job = Job(
        mode="record",
        name="tape",
        start="2026-01-02T00:00:00Z",
        seed=1,
        sources=package_sources(),
        cache_tag=sys.implementation.cache_tag or "",
        interpreter="/kit/bin/python",
    )
    job.write(folder)
    told = json.loads((folder / "job.json").read_text()) | changes
    (folder / "job.json").write_text(json.dumps(told))
    return folder


def run(folder: Path | None, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(CHILD_PATH), **environment}
    if folder is not None:
        variables[JOB_ENV] = str(folder)
    return subprocess.run(BARE, env=variables, capture_output=True, text=True, check=False)


def test_program_sees_the_path_it_would_have_without_kit(tmp_path: Path) -> None:
    """The door is not on the program's path, only on its children's."""
    done = run(job_folder(tmp_path))
    assert (done.returncode, done.stdout) == (0, "ran []\n")
    assert len(list((tmp_path / "journals").iterdir())) == 1


def test_without_a_job_nothing_happens(tmp_path: Path) -> None:
    """A stray PYTHONPATH does no harm."""
    assert run(None).stdout == "ran []\n"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": "not a time"}, "this Python cannot be recorded or replayed"),
        ({"redaction": {"patterns": ["("]}}, "this Python cannot be recorded or replayed"),
        ({"mode": None, "unknown": 1}, "this Python cannot be recorded or replayed"),
    ],
)
def test_fault_ends_the_process_before_the_program_begins(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    """Whatever goes wrong, the program does not run live; exit code 4 and the interpreter is named."""
    done = run(job_folder(tmp_path, **changes))
    assert (done.returncode, done.stdout) == (4, "")
    assert reason in done.stderr
    assert sys.executable in done.stderr


def test_missing_job_ends_the_process(tmp_path: Path) -> None:
    """A job folder that is gone is a fault like any other, even where no word can be left."""
    done = run(tmp_path / "gone")
    assert (done.returncode, done.stdout) == (4, "")


def test_other_python_is_refused_with_what_helps(tmp_path: Path) -> None:
    """Kit's compiled packages fit one version of Python: the message says both, and two ways out."""
    folder = job_folder(tmp_path, cache_tag="cpython-399", sources={"kit": "/kit", "not_there": "/kit"})
    done = run(folder)
    assert done.returncode == 4
    assert f"the program runs on {sys.implementation.cache_tag} ({sys.executable})" in done.stderr
    assert f"next: {sys.executable} -m pip install cassette-kit" in done.stderr
    assert "run the program with /kit/bin/python" in done.stderr


def test_own_child_leaves_the_word_to_its_parent(tmp_path: Path) -> None:
    """The parent raises it as an error; it is not said twice."""
    done = run(job_folder(tmp_path, start="x"), **{PARENT_ENV: str(os.getpid())})
    assert (done.returncode, done.stderr) == (4, "")
    (word,) = (tmp_path / "refusals").iterdir()
    assert "cannot be recorded" in word.read_text()


def test_next_sitecustomize_runs_too(tmp_path: Path) -> None:
    """A `sitecustomize` of the user's is hidden by this one, and run by it."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "sitecustomize.py").write_text("print('theirs', __name__)")
    done = run(job_folder(tmp_path), PYTHONPATH=f"{CHILD_PATH}{os.pathsep}{theirs}")
    assert done.stdout == "theirs sitecustomize\nran []\n"


def test_door_parses_on_old_pythons() -> None:
    """It has to say what is wrong on the Python that it is wrong for."""
    ast.parse((CHILD_PATH / "sitecustomize.py").read_text(), feature_version=(3, 6))
