"""Secrets that a session has met."""

from __future__ import annotations

import base64

from kit.redaction.known import Known, secrets_of


def test_numbers_follow_appearance_and_leave_out_what_is_taken() -> None:
    """Masks of recorded answers are not given to other secrets."""
    known = Known()
    known.take([2])
    assert known.add("hunter22") == (1, True)
    assert known.add("open") == (3, False)
    assert known.number("hunter22") == 1
    assert known.number("other") is None


def test_a_secret_is_found_in_every_spelling() -> None:
    """Percent-encoded, escaped in JSON, in base64, and out of credentials that hold it."""
    known = Known()
    known.add('p/ss"word-0123456789')
    assert known.spelled.keys() == {
        'p/ss"word-0123456789',
        "p%2Fss%22word-0123456789",
        'p/ss\\"word-0123456789',
        base64.b64encode(b'p/ss"word-0123456789').decode(),
    }
    known.add(base64.b64encode(b"roberto:hunter22").decode())
    assert known.spelled["hunter22"] == "hunter22"
    known.add("tr0ub%2Fadour")
    assert "tr0ub/adour" in known.spelled


def test_what_the_environment_names_is_known_before_it_appears() -> None:
    """Placeholders and short words are not: they would hit innocent text."""
    known = Known()
    assert known.expect(["gsk-abcdef1234", "a-key-made-of-words"])
    assert not known.expect(["kit", "ollama", "${KEY}", "gsk-abcdef1234"])
    assert set(known.spelled.values()) == {"gsk-abcdef1234", "a-key-made-of-words"}
    assert known.number("gsk-abcdef1234") is None


def test_a_recorded_number_is_bound_to_one_secret() -> None:
    """Replay learns from a recorded request which secret stands behind a mask; never two behind one."""
    known = Known()
    assert known.may_bind({"hunter22": 2})
    assert known.bind({"hunter22": 2})
    assert known.number("hunter22") == 2
    assert not known.may_bind({"other": 2})
    assert known.may_bind({"hunter22": 2, "other": 1})
    assert not known.bind({"hunter22": 2})
    assert known.add("sk-abcdefgh12")[0] == 1
    assert known.add("sk-abcdefgh13")[0] == 3


def test_one_look_tells_whether_a_text_is_clean() -> None:
    """Where a secret may be escaped, one look cannot tell."""
    known = Known()
    assert known.is_absent(b"anything")
    known.add("hunter22")
    assert known.is_absent(b'{"a":"b"}')
    assert not known.is_absent(b'{"a":"hunter22"}')
    known.add('odd "one" 1')
    assert not known.is_absent(b'{"a":"b"}')


def test_what_an_environment_names_as_a_secret() -> None:
    """By the names of its variables."""
    assert secrets_of({"ACME_API_KEY": "a", "SERVICE_TOKEN": "b", "HOME": "c"}) == ["a", "b"]
