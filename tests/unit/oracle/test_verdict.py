"""Judge answers are read as section 9 of the statistics cases says (J01 to J10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.oracle.verdict import parse_verdict


@pytest.mark.parametrize(
    ("case", "text", "ruling"),
    [
        ("J01", "Sì\nCita dpkg.", "accept"),
        ("J02", "SI.", "accept"),
        ("J02", "sì,", "accept"),
        ("J02", "**Sì** – motivo", "accept"),
        ("J02", '"Sì"', "accept"),
        ("J03", "Si\u0300", "accept"),
        ("J04", "No\nmanca il pacchetto", "reject"),
        ("J05", "Non saprei", "unparseable"),
        ("J05", "Sicuramente", "unparseable"),
        ("J05", "Nota:", "unparseable"),
        ("J06", "", "unparseable"),
        ("J06", " \n\t ", "unparseable"),
        ("J06", "I'm sorry, but I can't help with that.", "unparseable"),
        ("J07", "La risposta è: Sì", "unparseable"),
        ("J10", "Sì. Anzi, ripensandoci: No.", "accept"),
    ],
)
def test_cases_of_section_9(case: str, text: str, ruling: str) -> None:
    """The first word decides, or nothing does."""
    assert parse_verdict(text, "Sì").ruling == ruling, case


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("- sì: cita dpkg", "accept"),
        ("> «Sì», cita dpkg", "accept"),
        ("1. Sì", "accept"),
        ("\ufeffSì", "accept"),
        ("```\nSì\n```", "accept"),
        ("_Sì_", "accept"),
        ("Si'", "accept"),
        ("SÌ!!", "accept"),
        ("**No.** Manca tutto", "reject"),
        ("NO", "reject"),
        ("Sì/No", "unparseable"),
        ("Sì / No: Sì", "unparseable"),
        ("Yes", "unparseable"),
        ("Sì1", "unparseable"),
        ("100", "unparseable"),
        ("???", "unparseable"),
    ],
)
def test_spellings_around_the_first_word(text: str, ruling: str) -> None:
    """Decoration before and after the word does not count, another word does."""
    assert parse_verdict(text).ruling == ruling


def test_contradiction_is_noticed() -> None:
    """J10: an answer that accepts and then says no is accepted with a warning."""
    assert parse_verdict("Sì\nNo").contradictory
    assert not parse_verdict("Sì\nNon manca nulla").contradictory


def test_reason_is_kept() -> None:
    """The text after the first word is the judge's reason, whole where the answer is unparseable."""
    assert parse_verdict("**Sì** – cita dpkg.").reason == "cita dpkg."
    assert parse_verdict("No\nmanca il pacchetto").reason == "manca il pacchetto"
    assert parse_verdict(" Non saprei ").reason == "Non saprei"


@pytest.mark.parametrize(
    ("accept", "text", "ruling"),
    [
        ("Yes", "yes, it does", "accept"),
        ("Yes", "No", "reject"),
        ("No", "No", "accept"),
        ("No", "Sì", "reject"),
        ("No", "yes", "reject"),
        ("Sì.", "sì", "accept"),
        ("OK", "ok", "accept"),
    ],
)
def test_other_accepting_words(accept: str, text: str, ruling: str) -> None:
    """The scenario names the word that accepts; the opposite follows from it."""
    assert parse_verdict(text, accept).ruling == ruling


def test_pronoun_is_no_contradiction() -> None:
    """The Italian `si` after a `No` that accepts is a pronoun, not a yes."""
    assert not parse_verdict("No, non si capisce", "No").contradictory
    assert parse_verdict("No, anzi sì", "No").contradictory


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Whatever a model says, it is read, and accepted only where it begins with the word."""
    verdict = parse_verdict(text)
    assert verdict.ruling in {"accept", "reject", "unparseable"}
    if verdict.ruling == "accept":
        assert "s" in text.casefold()
