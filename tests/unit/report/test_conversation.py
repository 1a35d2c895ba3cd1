"""A recorded run as a person reads it."""

from __future__ import annotations

from kit.report.conversation import LONG, render, render_header
from kit.trace.conversation import Item
from tests.builders import header

ITEMS = (
    Item(1, "message", "user", "leggi il log"),
    Item(1, "call", "fs_read", '{"path":"/a"}', "3 + 2 tokens, 10 ms"),
    Item(2, "tool", 'fs_read({"path":"/a"})', "prima\nseconda", "5 ms"),
    Item(3, "http", "GET http://prices.test/", "", "status 200, 12 bytes"),
    Item(4, "answer", "assistant", "Fatto.", "12 ms"),
)


def test_golden_text() -> None:
    """One block an item, numbered by interaction; what is called points right, what came back left."""
    assert render(ITEMS) == (
        "  1  user\n"
        "       leggi il log\n"
        '  1  -> fs_read({"path":"/a"})  [3 + 2 tokens, 10 ms]\n'
        '  2  <- fs_read({"path":"/a"})  [5 ms]\n'
        "       prima\n"
        "       seconda\n"
        "  3  ~ GET http://prices.test/  [status 200, 12 bytes]\n"
        "  4  assistant  [12 ms]\n"
        "       Fatto."
    )


def test_long_messages_are_cut_and_say_so() -> None:
    """A system prompt of pages does not hide the conversation; `full` shows it."""
    text = "\n".join(f"line {number}" for number in range(LONG + 3))
    cut = render((Item(1, "message", "system", text),)).splitlines()
    assert cut[LONG:] == [f"       line {LONG - 1}", "       ... 3 more lines (--full shows them)"]
    full = render((Item(1, "message", "system", text),), full=True).splitlines()
    assert len(full) == 1 + LONG + 3
    assert full[-1] == f"       line {LONG + 2}"


def test_message_of_exactly_the_limit_is_whole() -> None:
    """Nothing is cut to show that nothing more is there."""
    text = "\n".join("x" * LONG)
    assert "more lines" not in render((Item(1, "message", "user", text),))


def test_wide_lines_are_wrapped_and_blank_ones_kept() -> None:
    """Paragraphs stay apart, and no line is wider than asked."""
    lines = render((Item(1, "message", "user", "word " * 20 + "\n\nend"),), width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[-2:] == ["", "       end"]
    assert " ".join("".join(lines[1:-2]).split()) == ("word " * 20).strip()


def test_a_word_of_a_million_letters_costs_no_square_of_them() -> None:
    """A picture in base64 is one word: it is cut into pieces before it is wrapped, and none of it is lost."""
    word = "ab" * 500_000
    cut = render((Item(1, "message", "user", word),)).splitlines()
    assert cut[LONG + 1] == "       ... 10988 more lines (--full shows them)"
    full = render((Item(1, "message", "user", word),), full=True).splitlines()
    assert "".join(line[7:] for line in full[1:]) == word


def test_header_tells_what_is_known() -> None:
    """One fact a line; what nobody knows is left out, but for the cost, which is then unknown (X-05)."""
    full = header(
        variant="terse",
        server="llama.cpp",
        sampling={"temperature": 0, "max_tokens": 9},
        agent="a.b:c",
        kit="0.1.0",
        commit="abc-dirty",
        cost_micro_usd=1500,
        verdict="pass",
    )
    assert render_header(full).splitlines() == [
        "cassette  home/001_x.terse (replicate 1)",
        "model     m:1b",
        "server    llama.cpp",
        "sampling  temperature 0, max_tokens 9",
        "agent     a.b:c",
        "recorded  2026-01-02T03:04:06Z by kit 0.1.0, commit abc-dirty",
        "cost      $0.001500",
        "verdict   pass",
    ]
    assert render_header(header(suite=None, scenario="my_tape", model=None, kit="0.1.0")).splitlines() == [
        "cassette  my_tape (replicate 1)",
        "model     unknown",
        "recorded  2026-01-02T03:04:06Z by kit 0.1.0",
        "cost      unknown",
    ]
