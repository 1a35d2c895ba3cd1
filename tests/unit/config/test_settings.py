"""What a project's settings say of models and their judges."""

from __future__ import annotations

from pathlib import Path

import pytest

import kit.config.settings as settings_module
from kit.config.load import load
from kit.config.settings import (
    CassetteSettings,
    GoldenSettings,
    ModelSettings,
    ReplaySettings,
    Settings,
    Table,
    TokenPrice,
)
from kit.errors import ConfigError

TIERS = """\
[tool.kit]
model = "gpt-oss:20b"
judge = "qwen2.5:7b"
tiers = { frontier = "gpt-oss:120b" }

[tool.kit.models."gpt-oss:20b"]
tiers = { frontier = "qwen2.5:7b" }
"""


def write(folder: Path, text: str) -> Path:
    """A project folder with this pyproject.toml."""
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_address_given_by_hand_is_that_of_the_model_under_test(tmp_path: Path) -> None:
    """A judge with a table of its own keeps its address."""
    text = '[tool.kit.models.a]\nbase_url = "http://a/v1"\n[tool.kit.models.b]\nbase_url = "http://b/v1"\n'
    settings = load(write(tmp_path, text), environ={}, arguments={"model": "a", "base_url": "http://hand/v1"})
    assert [settings.model_settings(tag).base_url for tag in ("a", "b", "c")] == [
        "http://hand/v1",
        "http://b/v1",
        "http://hand/v1",
    ]
    plain = load(tmp_path, environ={})
    assert [plain.model_settings(tag).base_url for tag in ("a", "c")] == [
        "http://a/v1",
        "http://localhost:11434/v1",
    ]


@pytest.mark.parametrize(
    "table", [Settings, ModelSettings, TokenPrice, ReplaySettings, CassetteSettings, GoldenSettings]
)
def test_the_docstring_names_every_key(table: type[Table]) -> None:
    """What is nowhere written nobody can set."""
    own = {name for name, field in table.model_fields.items() if not field.exclude}
    assert {name for name in own if name not in str(settings_module.__doc__)} == set()


def test_tiers_say_who_judges(tmp_path: Path) -> None:
    """A tier of the model under test, then the shared tier, then the default; a judge by hand beats all."""
    settings = load(write(tmp_path, TIERS), environ={})
    assert settings.judge_for("gpt-oss:20b", "frontier") == "qwen2.5:7b"
    assert settings.judge_for("stub", "frontier") == "gpt-oss:120b"
    assert settings.judge_for("stub", "intermediate") == "qwen2.5:7b"
    assert settings.judge_for("stub") == "qwen2.5:7b"
    assert load(tmp_path, environ={"KIT_JUDGE": "j"}).judge_for("gpt-oss:20b", "frontier") == "j"
    assert Settings().judge_for("stub", "frontier") is None


def test_no_model_judges_itself(tmp_path: Path) -> None:
    """A judge equal to the model under test is a configuration error."""
    settings = load(write(tmp_path, TIERS), environ={})
    with pytest.raises(ConfigError, match="would judge its own answers"):
        settings.judge_for("qwen2.5:7b")
