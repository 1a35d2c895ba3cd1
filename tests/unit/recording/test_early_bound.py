"""Finding names that were bound early."""

from __future__ import annotations

import importlib.util
import sys
import types

import pytest

from kit.recording.early_bound import EarlyBound


def original() -> None:
    """What is looked for."""


def substitute() -> None:
    """What shall stand there."""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module that imported the original under two names."""
    made = types.ModuleType("tried_early_bound")
    vars(made).update(one=original, two=original, other=[original])
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def test_every_module_level_name_is_found(module: types.ModuleType) -> None:
    """Under whatever name it was imported; not inside of containers."""
    places = EarlyBound().places((original, substitute))
    assert [place for place in places if place[0] is module] == [
        (module, "one", substitute),
        (module, "two", substitute),
    ]
    assert (sys.modules[__name__], "original", substitute) in places


def test_a_module_that_grows_is_looked_at_again(module: types.ModuleType) -> None:
    """What was innocent at the first look need not be at the second."""
    vars(module).clear()
    found = EarlyBound()
    assert not [place for place in found.places((original, substitute)) if place[0] is module]
    module.late = original  # type: ignore[attr-defined]
    assert [place[1] for place in found.places((original, substitute)) if place[0] is module] == ["late"]


def test_a_lazy_module_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking must not import anything."""
    spec = importlib.util.find_spec("this")
    assert spec is not None
    assert spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    lazy = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "this", lazy)
    spec.loader.exec_module(lazy)
    EarlyBound().places((original, substitute))
    assert "d" not in object.__getattribute__(lazy, "__dict__")


def test_oddities_in_sys_modules_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """None, and objects without a namespace, are passed over."""
    monkeypatch.setitem(sys.modules, "tried_none", None)
    monkeypatch.setitem(sys.modules, "tried_slots", object())
    assert EarlyBound().places((original, substitute))
