"""Recorded exceptions come back as what they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kit.agent.failure import RecordedFailure, recreate


@given(
    kind=st.sampled_from([ValueError, OSError, PermissionError, LookupError, RuntimeError, TimeoutError]),
    text=st.text(),
)
def test_built_in_exceptions_survive_the_round_trip(kind: type[Exception], text: str) -> None:
    """Class and text of an exception are the same after recording and replay."""
    error = kind(text)
    again = recreate(f"{type(error).__name__}: {error}", {})
    assert (type(again), str(again)) == (kind, text)


def test_an_unknown_class_keeps_its_name() -> None:
    """A class that is nowhere to be found is an exception of the same name."""
    again = recreate("StrangeError: what", {})
    assert isinstance(again, RecordedFailure)
    assert (type(again).__name__, str(again)) == ("StrangeError", "what")


def test_the_tools_own_classes_win_over_built_in_ones() -> None:
    """A module that calls its own exception TimeoutError gets its own."""

    class TimeoutError(Exception):  # noqa: A001 - shadowing is what is tested
        """Mine."""

    assert type(recreate("TimeoutError: slow", {"TimeoutError": TimeoutError})) is TimeoutError


def test_something_that_is_no_exception_is_never_built() -> None:
    """A name that means a function or a BaseException is not called."""
    assert isinstance(recreate("print: x", {}), RecordedFailure)
    assert isinstance(recreate("SystemExit: 3", {}), RecordedFailure)


def test_a_key_error_with_odd_text_keeps_it() -> None:
    """Where the key's repr cannot be read back, the text itself is the key."""
    assert isinstance(recreate("KeyError: <object>", {}), KeyError)
