"""Tests that drive real clients of models: `make test-clients` gives them a venv of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.clients.provider.server import Provider, serving
from tests.clients.stage import Stage

KEYS = ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AWS_SECRET_ACCESS_KEY")
FAKE_KEY = "sk-kit-0123456789abcdefghijklmnopqrstuv"


def pytest_configure(config: pytest.Config) -> None:
    """What a client warns of is its own business, and where a key is wanted there is one."""
    if find_spec("litellm") is None:
        return  # this is the suite's venv: its warnings stay errors, and these tests are skipped
    config.addinivalue_line("filterwarnings", "ignore")
    os.environ.update(dict.fromkeys(KEYS, FAKE_KEY))
    os.environ.update(AWS_ACCESS_KEY_ID="AKIDKITKITKITKIT", AWS_DEFAULT_REGION="us-east-1")
    os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True", OPENAI_AGENTS_DISABLE_TRACING="1")


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A loopback server that speaks every dialect."""
    with serving() as server:
        yield server


@pytest.fixture
def stage(provider: Provider, tmp_path: Path) -> Stage:
    """Where a program is recorded and replayed."""
    return Stage(provider, tmp_path)
