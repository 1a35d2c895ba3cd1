"""What no test may see of the machine it runs on."""

from __future__ import annotations

import os
import sys

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Tests on a runner of GitHub print what they print at home; those about the runner set it themselves."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        os.environ.pop(name, None)
    # Hundreds of children start here: without its bytecode each of them would compile kit again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
