"""Text is compared as people read it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kit.oracle.text import contains, counted, fold, in_steps, listed, plain, quoted


def test_case_and_unicode_spelling_do_not_count() -> None:
    """`SÌ`, precomposed or not, is `sì`; German sharp s folds."""
    assert fold("SI\u0300") == fold("sì")
    assert contains("Die STRASSE", "straße")
    assert contains("Perche\u0301 no", "perché")


def test_accents_count_but_for_plain() -> None:
    """`si` is not `sì`, except where a judge's first word is read."""
    assert not contains("si", "sì")
    assert plain("Sì") == plain("si") == "si"


def test_case_counts_on_request() -> None:
    """A scenario may ask for the exact letters."""
    assert not contains("ERROR", "error", case_sensitive=True)
    assert contains("e\u0300 ERROR", "è ERROR", case_sensitive=True)


def test_quotes_are_one_short_line() -> None:
    """A reason quotes a text on one line and says how much it left out."""
    assert quoted("a\n  b") == "«a b»"
    assert quoted("x" * 300, 10) == f"«{'x' * 10}…» (300 characters)"


def test_lists_and_counts_read_like_sentences() -> None:
    """Alternatives, counts and steps are written as a person would."""
    assert listed(("a",)) == "'a'"
    assert listed(("a", "b", "c")) == "'a', 'b' or 'c'"
    assert (counted(1, "call"), counted(0, "call")) == ("1 call", "0 calls")
    assert (in_steps(()), in_steps((3,)), in_steps((3, 7))) == ("", " (step 3)", " (steps 3, 7)")


@given(st.text(), st.text(), st.text())
def test_what_is_put_in_is_found(before: str, part: str, after: str) -> None:
    """A part is found in every text made with it, in any case."""
    assert contains(f"{before} {part} {after}".swapcase(), part.swapcase())
