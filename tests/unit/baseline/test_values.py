"""Where two JSON values differ."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from kit.baseline.values import ABSENT, value_changes
from kit.canonical import canonical_json
from tests.fakes.examples import costly
from tests.fakes.json_values import values


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, [("a.b[1]", 2, 3)]),
        ({"a": None}, {}, [("a", None, ABSENT)]),
        ({}, {"a b": None}, [("['a b']", ABSENT, None)]),
        ({"a": 1}, {"b": 1}, [("a", 1, ABSENT), ("b", ABSENT, 1)]),
        ([1, 2, 3], [0, 1, 2, 3], [("[0]", ABSENT, 0)]),
        ({"a": 1}, {"a": 1.0}, [("a", 1, 1.0)]),
        ("x", "y", [("", "x", "y")]),
        ({"a": 1}, None, [("", {"a": 1}, None)]),
    ],
)
def test_every_place_is_told_with_its_path(
    before: Any, after: Any, found: list[tuple[str, Any, Any]]
) -> None:
    """Absent and null are two things, and so are 1 and 1.0."""
    assert [tuple(change) for change in value_changes(before, after)] == found


@costly(30)
@given(values, values)
def test_equal_values_and_only_they_have_no_changes(one: Any, other: Any) -> None:
    """Whatever the values are."""
    assert value_changes(one, one) == ()
    assert (value_changes(one, other) == ()) == (canonical_json(one) == canonical_json(other))


def test_deepdiff_is_imported_only_where_values_differ() -> None:
    """A replay without drift does not pay for it."""
    program = (
        "import sys\nfrom kit.baseline.values import value_changes\n"
        "value_changes({'a': 1}, {'a': 1})\nassert 'deepdiff' not in sys.modules\n"
        "value_changes({'a': 1}, {'a': 2})\nassert 'deepdiff' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
