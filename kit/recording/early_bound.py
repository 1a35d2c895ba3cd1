"""Finds the names that hold a function, wherever it was imported to (`from time import sleep`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_OWN = ("kit.recording", "kit.clock")
"""Modules that keep the originals on purpose."""

Replacement = tuple[Callable[..., Any], Callable[..., Any]]
"""An original and what stands for it."""


class EarlyBound:
    """Remembers which modules hold none of the originals, so that only the first look costs something."""

    def __init__(self) -> None:
        self._innocent: dict[frozenset[int], dict[str, tuple[int, int]]] = {}

    def places(self, *replacements: Replacement) -> list[tuple[Any, str, Any]]:
        """Each module-level name that holds an original: module, name and what shall stand there.

        Names inside of classes, closures and containers are not found.
        """
        by_identity = {id(original): substitute for original, substitute in replacements}
        wanted = frozenset(by_identity)
        innocent = self._innocent.setdefault(wanted, {})
        found: list[tuple[Any, str, Any]] = []
        for name, module, names in _modules():
            known = (id(module), len(names))
            if innocent.get(name) == known:
                continue
            # A big program has 60,000 names: this way C does the looking.
            if wanted.isdisjoint(map(id, list(names.values()))):
                innocent[name] = known
                continue
            found += [
                (module, attribute, by_identity[id(value)])
                for attribute, value in list(names.items())
                if id(value) in wanted
            ]
        return found


def _modules() -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    for name, module in list(sys.modules.items()):
        if name.startswith(_OWN):
            continue
        try:
            # Not by the module's own look-up: a lazy module would load itself.
            yield name, module, object.__getattribute__(module, "__dict__")
        except AttributeError:
            continue
