"""The model that a cassette names, without reading the whole file: planning a replay looks at many."""

from __future__ import annotations

from pathlib import Path

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SIZE = 65_536
"""A header is far shorter; what is cut behind it does not matter."""


def recorded_model(path: Path) -> str | None:
    """The tag in a cassette's header; None where nothing is readable: who reads the whole file says why."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_SIZE)
        found = yaml.load(text.partition("\ncalls:")[0], Loader=_LOADER)  # noqa: S506 - a safe loader
    except (OSError, ValueError, yaml.YAMLError):
        return None
    header = found.get("header") if isinstance(found, dict) else None
    model = header.get("model") if isinstance(header, dict) else None
    return model if isinstance(model, str) else None
