"""What the tests of this room share."""

from __future__ import annotations

import functools
import ssl

import pytest


@pytest.fixture(autouse=True)
def one_tls_context(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading certificates takes 30 ms a client, and nothing here speaks TLS."""
    monkeypatch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
