"""Where each model of a run is asked."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint
from kit.config.settings import ModelSettings, Settings
from kit.errors import ConfigError, ModelUnreachable
from kit.harness.servers import Servers
from kit.models.endpoint import ServerFacts, check_reachable
from kit.models.stub import StubServer
from kit.scenario.suite import Suite
from tests.fakes.stub_project import StubProject


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The script folders of the stub servers that were started."""
    folders: list[Path] = []
    real = StubServer.__init__

    def counted(self: StubServer, script_dir: Path, *args: object) -> None:
        folders.append(script_dir)
        real(self, script_dir, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(StubServer, "__init__", counted)
    return folders


def test_stub_starts_at_its_first_use_and_once(project: StubProject, started: list[Path]) -> None:
    """A run that asks no scripted model starts no server; agent and judge share one."""
    with Servers(project.open().settings) as servers:
        servers.live("gpt-oss:20b")
        assert started == []
        urls = {servers.live(model).base_url for model in ("stub", "stub-judge", "stub")}
        assert started == [project.root / "fixtures" / "stub"]
        assert len(urls) == 1
        assert httpx.get(f"{urls.pop()}/models").status_code == 200


def test_stub_goes_with_the_run(project: StubProject) -> None:
    """Leaving the context frees the port."""
    with Servers(project.open().settings) as servers:
        url = servers.live("stub").base_url
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/models")


def test_explicit_address_wins_over_the_own_stub(project: StubProject, started: list[Path]) -> None:
    """`--base-url` speaks of the model under test, `[tool.kit.models]` of any; neither starts a server."""
    told = project.open(base_url="http://told.test/v1").settings
    with Servers(told) as servers:
        assert servers.live("stub").base_url == "http://told.test/v1"
        assert started == []
        assert servers.live("stub-judge").base_url != "http://told.test/v1"
        assert len(started) == 1
    own = {"stub": ModelSettings(base_url="http://own.test/v1")}
    with Servers(Settings(root=project.root, models=own)) as servers:
        assert servers.live("stub").base_url == "http://own.test/v1"
    assert len(started) == 1


def test_other_models_are_asked_where_the_settings_say() -> None:
    """One model may have an address of its own, the others share the project's."""
    settings = Settings(
        base_url="http://all.test/v1", models={"big": ModelSettings(base_url="http://gpu.test/v1")}
    )
    with Servers(settings) as servers:
        assert servers.live("big").base_url == "http://gpu.test/v1"
        assert servers.live("small").base_url == "http://all.test/v1"


def test_sampling_is_the_models_own_and_the_seed_the_replicates() -> None:
    """What `[tool.kit.models.<tag>]` leaves out is standard."""
    settings = Settings(models={"big": ModelSettings(temperature=0.7, max_tokens=9)})
    with Servers(settings) as servers:
        big, small = servers.live("big", seed=3), servers.live("small")
    assert (big.temperature, big.max_tokens, big.seed) == (0.7, 9, 3)
    assert (small.temperature, small.max_tokens, small.seed) == (0.0, 512, 1)


def test_temperature_of_zero_is_a_temperature() -> None:
    """None leaves it to the run; 0 does not."""
    with Servers(Settings(models={"m": ModelSettings(temperature=0)})) as servers:
        assert servers.live("m").temperature == 0


def test_a_suites_sampling_wins_over_the_models_own() -> None:
    """What the suite leaves out is the model's; without a limit an answer is waited for (S4-29)."""
    suite = Suite.model_validate(
        {
            "name": "s",
            "description": "d",
            "categories": ["a"],
            "sampling": {"temperature": 0.7},
            "time_limit_s": "none",
        }
    )
    settings = Settings(models={"big": ModelSettings(temperature=0.1, max_tokens=9)})
    with Servers(settings) as servers:
        big, small = servers.live("big", 2, suite), servers.endpoint("small", 3, None, suite)
        assert servers.live("big").timeout_s == 300
    assert (big.temperature, big.max_tokens, big.seed, big.timeout_s) == (0.7, 9, 2, None)
    assert (small.temperature, small.max_tokens, small.seed) == (0.7, 512, 3)


def test_replay_takes_the_recordings_address(project: StubProject, started: list[Path]) -> None:
    """Nobody calls it, so no server is started for it."""
    with Servers(project.open().settings) as servers:
        assert servers.endpoint("stub", 5, "http://then.test/v1").base_url == "http://then.test/v1"
    assert started == []


def test_check_asks_each_model_once(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty scenarios do not ask twenty times whether the model is there."""
    asked: list[str] = []

    def counted(endpoint: ModelEndpoint) -> ServerFacts:
        asked.append(endpoint.model)
        return check_reachable(endpoint)

    monkeypatch.setattr("kit.models.endpoint.check_reachable", counted)
    with Servers(project.open().settings) as servers:
        facts = [servers.check(model) for model in ("stub", "stub-judge", "stub")]
    assert asked == ["stub", "stub-judge"]
    assert facts[0] == facts[2]
    assert facts[0].server == "kit-stub"


def test_check_of_a_model_that_is_not_there(project: StubProject, free_port: int) -> None:
    """Nothing answers: the error says how to start a server, exit code 4."""
    settings = Settings(base_url=f"http://127.0.0.1:{free_port}/v1")
    with Servers(settings) as servers, pytest.raises(ModelUnreachable, match="ollama serve"):
        servers.check("m:1b")


def test_wrong_scripts_are_said(project: StubProject) -> None:
    """A stub script that cannot be read is a configuration error, not a crash."""
    project.write("fixtures/stub/model.yaml", "model: stub\nrulez: []\n")
    with Servers(project.open().settings) as servers, pytest.raises(ConfigError):
        servers.live("stub")
