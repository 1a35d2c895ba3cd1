"""The reason in a commit message that lets a block pass: `eval-override: <reason>` (S2-33, S2-37)."""

from __future__ import annotations

import re

_MARK = re.compile(r"(?<![\w`-])eval-override:(?P<reason>.*)", re.IGNORECASE)
"""Not inside backticks: whoever explains the word overrides nothing."""

_SCISSORS = re.compile(r"\S+ -+ >8 -+")
"""Below this line `git commit --verbose` shows the diff, which is no part of the message."""


def find_override(message: str, comment: str = "#") -> str | None:
    """The reason that a commit message states; None without one, and an empty reason is none (G15).

    Args:
        message: of a commit, or the file that a commit-msg hook is given.
        comment: what git's comment lines begin with.
    """
    for line in message.splitlines():
        if _SCISSORS.fullmatch(line.strip()):
            return None
        found = None if line.startswith(comment) else _MARK.search(line)
        reason = found["reason"].strip() if found else ""
        if any(char.isalnum() for char in reason) and not re.fullmatch(r"<\w+>", reason):
            return reason
    return None
