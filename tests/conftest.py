"""What no test may see of the machine it runs on."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fakes.templates import Templates


def pytest_configure(config: pytest.Config) -> None:
    """Tests in CI do and print what they do at home; those about CI or GitHub's runner set it themselves."""
    # The workers of xdist are started from an environment in which it no longer says CI.
    if "CI" in os.environ:
        os.environ["KIT_TESTS_IN_CI"] = "1"
    told = ("KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE", "KIT_API_KEY", "KIT_WEBHOOK_URL", "OPENAI_API_KEY")
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", *told):
        os.environ.pop(name, None)
    # Hundreds of children start here: without its bytecode each of them would compile kit again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # Nothing here speaks with a server that an authority vouches for, and to read the certificates of them
    # all took each client of httpx longer than most tests take.
    os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "assets" / "no_authority.pem")
    if find_spec("hypothesis") is not None:  # the venv of the clients has none
        from tests.fakes.examples import load_profile

        load_profile(slow=_is_slow(config), ci="KIT_TESTS_IN_CI" in os.environ)
    # A suite that a script put into the background ignores Ctrl-C, and so would all that it starts.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # No test cuts the power, those of `tests/fakes/disk.py` note the call: a real sync only costs time.
    os.fsync = _unsynced  # type: ignore[assignment]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Properties that take long belong to both suites, see `tests/fakes/examples.py`."""
    if _is_slow(config):
        for item in items:
            if item.get_closest_marker("costly") is not None:
                item.add_marker("slow")


def _is_slow(config: pytest.Config) -> bool:
    return bool(config.option.markexpr == "slow")


def _unsynced(descriptor: int) -> None:
    os.fstat(descriptor)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Modules and items stay: to look at them again in each garbage collection took a tenth of the time."""
    gc.disable()
    result = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    # `kit` freezes for the time of its own runs, and what it thaws then must not be this.
    gc.freeze = gc.unfreeze = _nothing
    return result


def _nothing() -> None:
    """In the place of what a test has no need of."""


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """What this process has made once for all tests that ask for a copy."""
    return Templates(tmp_path_factory.mktemp("templates"))
