"""Results and errors in the agent's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agents.speaking import MAX_TEXT, as_the_agent_sees, shortened, speaking_of
from tests.fakes.home_turns import place


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        (FileNotFoundError(2, "x", "/real"), FileNotFoundError, "not found: a"),
        (IsADirectoryError(21, "x", "/real"), IsADirectoryError, "is a folder: a"),
        (FileExistsError(17, "x", "/real"), NotADirectoryError, "not a folder: a"),
        (PermissionError(13, "x", "/real"), PermissionError, "not permitted: a"),
        (OSError(28, "No space left", "/real"), OSError, "failed on a: No space left"),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "x"), ValueError, "not a text file: a"),
        (ValueError("embedded null byte"), ValueError, "not a path: 'a'"),
    ],
)
def test_errors_name_the_given_path(raised: Exception, kind: type[Exception], text: str) -> None:
    """The kind stays, the real path goes, and nothing hangs behind it."""
    with pytest.raises(kind) as failed, speaking_of("a"):
        raise raised
    assert str(failed.value) == text
    assert failed.value.__suppress_context__


def test_shortened_says_what_is_left_out() -> None:
    """Nobody may think that it was all."""
    assert shortened("x" * MAX_TEXT) == "x" * MAX_TEXT
    assert shortened("x" * (MAX_TEXT + 2)) == "x" * MAX_TEXT + "\n[2 more characters are left out]"


def test_real_paths_are_taken_out(tmp_path: Path) -> None:
    """The root reads as `/`."""
    text = f"{tmp_path}/workspace/a and {tmp_path}"
    assert as_the_agent_sees(text, place(tmp_path)) == "/workspace/a and /"
