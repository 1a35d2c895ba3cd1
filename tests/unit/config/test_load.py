"""Settings of a project."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.config.load import load
from kit.config.settings import ModelSettings, Settings, Table, TokenPrice
from kit.errors import ConfigError

EVERYTHING = """\
[project]
name = "x"
description = '''
[tool.kit]
model = "in a text, not a setting"
'''

[tool.kit]
agent = "my_package.my_module:my_agent"
model = "gpt-oss:20b"
base_url = "http://localhost:11434/v1/"
judge = "qwen2.5:7b"
time_limit_s = 60
record_in_ci = true
tiers = { frontier = "gpt-oss:120b", economy = "smollm2:135m" }

[tool.kit.models."gpt-oss:20b"]
base_url = "http://gpu:8080/v1"
api_key_env = "MY_KEY"
temperature = 0.7
max_tokens = 64
tiers = { frontier = "qwen2.5:7b" }

[tool.kit.aliases]
"gpt-oss:20b" = ["gpt-oss-20b-mxfp4"]

[tool.kit.prices]
"gpt-4o" = { input_usd = 2.5, output_usd = 10 }
"tiny" = { input_usd = 0.1, output_usd = 0.000001 }
"mine" = { input_micro_usd = 150000, output_micro_usd = 600000 }

[tool.kit.replay]
allow = ["write:~/.cache/x", "run:git status", "connect:127.0.0.1:5432"]
kernel_guard = "writes"

[tool.kit.redaction]
fields = ["x"]

[tool.kit.gate]
success_rate_min = 0.85
"""


def write(folder: Path, text: str) -> Path:
    """A project folder with this pyproject.toml."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def problem(folder: Path, text: str) -> str:
    """What kit says of this pyproject.toml."""
    with pytest.raises(ConfigError) as caught:
        load(write(folder, text), environ={})
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_defaults_without_any_file(tmp_path: Path) -> None:
    """A folder that knows nothing of kit works, with Ollama at its default address."""
    settings = load(tmp_path, environ={})
    assert (settings.model, settings.base_url) == ("gpt-oss:20b", "http://localhost:11434/v1")
    assert settings.root == tmp_path.resolve()
    assert settings.judge is None
    assert not settings.record_in_ci


def test_a_project_without_tool_kit_keeps_the_folder_as_root(tmp_path: Path) -> None:
    """A pyproject.toml that does not speak of kit changes nothing."""
    write(tmp_path, "[project]\nname = 'x'\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    assert load(inner, environ={}).root == inner.resolve()
    assert load(write(tmp_path, "[tool.kitchen]\nx = 1\n"), environ={}).root == tmp_path.resolve()
    assert load(write(tmp_path, "tool = 'kit'\n"), environ={}).root == tmp_path.resolve()


def test_every_key_is_read(tmp_path: Path) -> None:
    """The example of the documentation, and more, is understood."""
    settings = load(write(tmp_path, EVERYTHING), environ={})
    assert settings.agent == "my_package.my_module:my_agent"
    assert settings.base_url == "http://localhost:11434/v1"
    assert settings.tiers == {"frontier": "gpt-oss:120b", "economy": "smollm2:135m"}
    own = settings.model_settings("gpt-oss:20b")
    assert (own.base_url, own.api_key_env, own.temperature, own.max_tokens) == (
        "http://gpu:8080/v1",
        "MY_KEY",
        0.7,
        64,
    )
    assert settings.aliases == {"gpt-oss:20b": ("gpt-oss-20b-mxfp4",)}
    assert settings.price_table() == {
        "gpt-4o": (2_500_000, 10_000_000),
        "tiny": (100_000, 1),
        "mine": (150_000, 600_000),
    }
    assert settings.replay.allow[1] == "run:git status"
    assert settings.replay.kernel_guard == "writes"
    assert settings.redaction == {"fields": ["x"]}
    assert settings.gate == {"success_rate_min": Decimal("0.85")}


def test_the_file_is_found_from_a_folder_below(tmp_path: Path) -> None:
    """Kit works from any folder of the project, past a nested pyproject.toml of another tool."""
    write(tmp_path, '[tool.kit]\nmodel = "m"\n')
    inner = write(tmp_path / "packages" / "a", "[project]\nname = 'a'\n")
    settings = load(inner, environ={})
    assert settings.model == "m"
    assert settings.root == tmp_path.resolve()


def test_the_search_ends_at_the_root_of_a_repository(tmp_path: Path) -> None:
    """A stray file above the repository does not configure it."""
    write(tmp_path, '[tool.kit]\nmodel = "m"\n')
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert load(tmp_path / "repository", environ={}).model == "gpt-oss:20b"


def test_argument_beats_environment_beats_file(tmp_path: Path) -> None:
    """The nearest to the person's fingers wins."""
    write(tmp_path, EVERYTHING)
    environ = {"KIT_MODEL": "from-env", "KIT_BASE_URL": "http://env/v1", "KIT_JUDGE": ""}
    settings = load(tmp_path, environ=environ, arguments={"model": "from-argument", "base_url": None})
    assert (settings.model, settings.base_url, settings.judge) == (
        "from-argument",
        "http://env/v1",
        "qwen2.5:7b",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('modle = "x"', "unknown key `modle`; did you mean `model`? (allowed: agent, aliases, base"),
        ("root = '/'", "unknown key `root`"),
        ("zzzz = 1", "unknown key `zzzz` (allowed: agent"),
        ("time_limit_s = 'soon'", "`time_limit_s`: should be a valid integer (got 'soon')"),
        ("time_limit_s = 0", "`time_limit_s`: should be greater than or equal to 1"),
        ("record_in_ci = 'yes'", "`record_in_ci`: should be a valid boolean"),
        ("base_url = 'localhost:11434'", "`base_url`: must be like http://"),
        ("agent = 'my_agent.py'", "`agent`: must be `package.module:function`"),
        (
            "tiers = { fronteer = 'x' }",
            "unknown key `tiers.fronteer`; did you mean `frontier`? (allowed: frontier, inter",
        ),
        ("gate = 3", "`gate`: should be a valid dictionary"),
        ("replay.allow = ['write']", "`replay.allow.0`: must be `write:PATH`"),
        ("cassettes.expires_days = 0", "`cassettes.expires_days`: should be greater than or equal to 1"),
        ("cassettes.expire_days = 9", "unknown key `cassettes.expire_days`; did you mean `expires_days`?"),
        (
            "replay.alow = []",
            "unknown key `replay.alow`; did you mean `allow`? (allowed: allow, kernel_guard)",
        ),
        (
            "replay.kernel_guard = false",
            "`replay.kernel_guard`: should be 'all', 'writes', 'network' or 'none'",
        ),
        ("models.m.temprature = 0", "unknown key `models.m.temprature`; did you mean `temperature`?"),
        ("models.m.temperature = nan", "`models.m.temperature`: should be a finite number"),
        ("prices.m = { input_usd = 1 }", "`prices.m`: give input_usd and output_usd, or"),
        (
            "prices.m = { input_usd = 1, output_micro_usd = 2 }",
            "`prices.m`: give input_usd and output_usd, or",
        ),
        (
            "prices.m = { input_usd = 0.0000001, output_usd = 0 }",
            "`prices.m`: prices in USD have at most six",
        ),
        (
            "prices.m = { input_micro_usd = 1.5, output_micro_usd = 0 }",
            "`prices.m.input_micro_usd`: should be a valid integer",
        ),
        ("aliases.m = 'x'", "`aliases.m`: should be a valid tuple"),
        ("model = ''", "`model`: String should have at least 1 character"),
    ],
)
def test_a_wrong_key_is_refused_at_its_line(tmp_path: Path, line: str, said: str) -> None:
    """File, line, key, what is allowed, and what was probably meant."""
    assert problem(tmp_path, f"[tool.kit]\n\n{line}\n").startswith(f"pyproject.toml:3: {said}")


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("models.m", ModelSettings),
        ("prices.m", TokenPrice),
        *(
            (name, type(field.default))
            for name, field in Settings.model_fields.items()
            if isinstance(field.default, Table)
        ),
    ],
)
def test_an_unknown_key_of_each_table_is_refused(tmp_path: Path, table: str, kind: type[Table]) -> None:
    """A table that is new to the settings needs no word here: its own fields say what is allowed."""
    said = problem(tmp_path, f"[tool.kit.{table}]\nzzzz = 1\n")
    allowed = ", ".join(sorted(kind.model_fields))
    assert said.startswith(f"pyproject.toml:2: unknown key `{table}.zzzz` (allowed: {allowed})")


def test_all_problems_are_told_at_once_in_file_order(tmp_path: Path) -> None:
    """Nobody fixes one mistake only to hear of the next."""
    text = '[tool.kit]\ntime_limit_s = -1\n[tool.kit.models."a.b"]\n# comment\nmax_token = 3\n'
    text += "[tool.kit.tiers]\nfrontier = 3\n"
    lines = problem(tmp_path, text).splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"pyproject.toml:{number}" for number in (2, 5, 7)]


def test_a_problem_in_a_file_above_names_its_path(tmp_path: Path) -> None:
    """From a folder below, the bare name would not say which file."""
    write(tmp_path, "[tool.kit]\nx = 1\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(ConfigError) as caught:
        load(inner, environ={})
    assert caught.value.where == f"{tmp_path.resolve() / 'pyproject.toml'}:2"


def test_a_wrong_value_of_the_environment_names_the_variable(tmp_path: Path) -> None:
    """Who set it in the shell is not sent to a file."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, environ={"KIT_BASE_URL": "nowhere"})
    assert caught.value.where == "KIT_BASE_URL"
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, environ={}, arguments={"base_url": "nowhere"})
    assert caught.value.where == "--base-url"


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    """A file that does not parse is no crash."""
    said = problem(tmp_path, "[tool.kit]\nmodel = = 2\n")
    assert said.startswith(f"{tmp_path.resolve() / 'pyproject.toml'}:2: is not TOML: Invalid value")
    assert "is not TOML" in problem(tmp_path, "[tool.kit]\nmodel = '''")


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are no crash."""
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.kit]\n# \xff\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path, environ={})


def test_tool_kit_must_be_a_table(tmp_path: Path) -> None:
    """A value in the place of the table is refused at its line."""
    assert problem(tmp_path, "[tool]\nkit = 3\n").endswith("pyproject.toml:2: `tool.kit` must be a table")


@given(st.text(alphabet="[]tol.ki\"'=#\n x1{}", max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """A pyproject.toml of any content gives settings or a ConfigError."""
    folder = write(tmp_path_factory.mktemp("any"), "[tool.kit]\n" + text)
    try:
        load(folder, environ={})
    except ConfigError as error:
        assert error.where is not None
