"""What the tests of clients share."""

from __future__ import annotations

import socket
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def nobody_is_asked_for_a_name_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """`nowhere.invalid` fails as at a resolver, which no test may ask: some answer with an address."""
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **more: Any) -> Any:
        if host in ("nowhere.invalid", b"nowhere.invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
