"""What counts as a stated reason, and what does not."""

from __future__ import annotations

import pytest

from kit.gate.override import find_override


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Reword\n\neval-override: the judge is wrong", "the judge is wrong"),
        ("Reword (Eval-Override: accepted by Roberto)", "accepted by Roberto)"),
        ("eval-override:\t x  ", "x"),
        ("eval-override:\neval-override: second line counts", "second line counts"),
        ("Reword", None),
        ("eval-override:", None),
        ("eval-override:    \n", None),
        ("eval-override: ...", None),
        ("eval-override: <reason>", None),
        ("# eval-override: a line that git takes out", None),
        ("Explain `eval-override: reason` in the docs", None),
        ("not-eval-override: x", None),
        ("eval-override the gate", None),
        ("x\n# ------------------------ >8 ------------------------\n+eval-override: of the diff", None),
    ],
)
def test_a_reason_is_found(message: str, reason: str | None) -> None:
    """G15: an empty reason is none; comments, quotes and the diff of a verbose commit hold none."""
    assert find_override(message) == reason


def test_comments_begin_as_git_is_told() -> None:
    """`core.commentChar` may be something else."""
    assert find_override("; eval-override: x", ";") is None
    assert find_override("# eval-override: x", ";") == "x"
