"""Text inside Markdown."""

from __future__ import annotations

import pytest

from kit.report.markdown_text import block, prose, quoted, table


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("001_read_log on qwen2.5-coder:1.5b", "001_read_log on qwen2.5-coder:1.5b"),
        ("cost $0.000010 → $0.000020 (+100.0 %)", "cost $0.000010 → $0.000020 (+100.0 %)"),
        ("two\n\n# lines", r"two \# lines"),
        ("a|b [x](javascript:1) <b>", r"a\|b \[x\](javascript:1) \<b\>"),
        ("*bold* _it_ `code` ~~no~~ $x$", r"\*bold\* \_it\_ \`code\` \~\~no\~\~ \$x\$"),
        ("ask @octocat, not 002_y@2", "ask &#64;octocat, not 002_y@2"),
        ("&lt; and C:\\x", r"\&lt; and C:\\x"),
        ("\x1b[2J", "\\\\x1b\\[2J"),
    ],
)
def test_prose_is_read_as_it_was_written(text: str, shown: str) -> None:
    """Names and amounts stay readable in the file; what would be Markdown is escaped."""
    assert prose(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a `b` c", "``a `b` c``"),
        ("`", "`` ` ``"),
        ("two\nlines", "`two lines`"),
        ("", "` `"),
    ],
)
def test_quoted_holds_any_number_of_backticks(text: str, shown: str) -> None:
    """What a model said cannot end the code that shows it."""
    assert quoted(text) == shown


def test_block_keeps_lines_and_cannot_be_ended_from_inside() -> None:
    """The fence is longer than any run of backticks in the text."""
    assert list(block("one\n  ```\n\ntwo\x07\n")) == ["````text", "one", "  ```", "", "two\\x07", "````"]


def test_table() -> None:
    """Columns of numbers stand at the right."""
    assert list(table(("a", "n"), [("x", "1")], right=("n",))) == ["| a | n |", "|---|--:|", "| x | 1 |"]
