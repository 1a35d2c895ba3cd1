"""How much each class of drift weighs."""

from __future__ import annotations

import pytest

from kit.baseline.severity import CLASSES, DEFAULTS, parse_severities, shown
from kit.errors import ConfigError


def test_every_class_has_a_default() -> None:
    """A verdict that got worse is the only thing that blocks unless a project says otherwise."""
    assert set(DEFAULTS) == set(CLASSES)
    assert [kind for kind in CLASSES if parse_severities({}).of(kind) == "block"] == ["verdict"]


def test_a_project_changes_what_it_names() -> None:
    """Both spellings are the same class, the others keep their default."""
    found = parse_severities({"tool-arguments": "block", "prompt": "info"})
    assert (found.of("tool_arguments"), found.of("prompt"), found.of("latency")) == ("block", "info", "info")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"promt": "warn"}, "unknown class of drift `promt` (did you mean `prompt`?); allowed: verdict"),
        ({"cost": "error"}, "`cost` must be info, warn or block, is `error`"),
        ({"cost": 3}, "`cost` must be info, warn or block, is `3`"),
    ],
)
def test_what_is_wrong_is_refused(table: dict[str, object], said: str) -> None:
    """A typo must not leave a class at its default in silence."""
    with pytest.raises(ConfigError) as refused:
        parse_severities(table)
    assert said in str(refused.value)
    assert refused.value.where == "[tool.kit.drift]"


def test_classes_read_as_words() -> None:
    """People read no underscores."""
    assert shown("tool_arguments") == "tool arguments"
