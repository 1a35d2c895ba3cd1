"""Where a model is asked, and what is said where nothing answers."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint
from kit.errors import ConfigError, ModelUnreachable
from kit.models.endpoint import Sampling, ServerFacts, check_reachable, is_encrypted, resolve

OLLAMA = ModelEndpoint("http://localhost:11434/v1", "gpt-oss:20b")


def reach(endpoint: ModelEndpoint, **answers: Any) -> ServerFacts:
    """Check an endpoint against answers by the last part of the path; an exception is raised."""

    def handle(request: httpx.Request) -> httpx.Response:
        answer = answers[request.url.path.rpartition("/")[2]]
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, httpx.Response)
        return answer

    with httpx.Client(transport=httpx.MockTransport(handle)) as client:
        return check_reachable(endpoint, client)


def listing(*tags: str, owner: str = "library", **headers: str) -> httpx.Response:
    """What `/v1/models` answers."""
    models = [{"id": tag, "owned_by": owner} for tag in tags]
    return httpx.Response(200, json={"object": "list", "data": models}, headers=headers)


def test_ollama_is_the_default() -> None:
    """Nothing given, nothing set: the address where Ollama listens, and a key that is none."""
    assert resolve("gpt-oss:20b", environ={}) == OLLAMA


def test_the_nearest_address_wins() -> None:
    """Command line, the model's own, environment, project: in this order."""
    env = {"KIT_BASE_URL": "http://env/v1"}
    given: dict[str, Any] = {"default_url": "http://project/v1", "environ": {}}
    assert resolve("m", **given).base_url == "http://project/v1"
    given["environ"] = env
    assert resolve("m", **given).base_url == "http://env/v1"
    given["model_url"] = "http://model/v1/"
    assert resolve("m", **given).base_url == "http://model/v1"
    assert resolve("m", base_url="https://cli/v1", **given).base_url == "https://cli/v1"


def test_sampling_goes_along() -> None:
    """Replicate and design decide how a model samples."""
    sampling = Sampling(temperature=0.7, seed=3, max_tokens=99, timeout_s=5.0)
    endpoint = resolve("m", sampling=sampling, environ={})
    assert (endpoint.temperature, endpoint.seed, endpoint.max_tokens, endpoint.timeout_s) == (0.7, 3, 99, 5.0)


@pytest.mark.parametrize(
    ("url", "variable", "wanted"),
    [
        ("http://localhost:1/v1", None, "from-kit"),
        ("https://api.openai.com/v1", None, "from-kit"),
        ("http://localhost:1/v1", "MY_KEY", "mine"),
        ("http://localhost:1/v1", "UNSET", "kit"),
    ],
)
def test_key(url: str, variable: str | None, wanted: str) -> None:
    """A named variable counts alone; without one kit's own does."""
    environ = {"KIT_API_KEY": "from-kit", "OPENAI_API_KEY": "from-openai", "MY_KEY": "mine"}
    assert resolve("m", base_url=url, api_key_env=variable, environ=environ).api_key == wanted


def test_key_of_openai_goes_to_openai_only() -> None:
    """A key in the environment must not reach whatever server an address names."""
    environ = {"OPENAI_API_KEY": "from-openai"}
    assert resolve("m", base_url="https://api.openai.com/v1", environ=environ).api_key == "from-openai"
    assert resolve("m", base_url="https://api.openai.com.evil/v1", environ=environ).api_key == "kit"


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "http:///v1"])
def test_address_must_be_an_url(url: str) -> None:
    """A typo is said before anything is sent."""
    with pytest.raises(ConfigError, match="no address of a model server"):
        resolve("m", base_url=url, environ={})


def test_nobody_there_says_how_to_start_one() -> None:
    """Address, what was tried, and what to type next."""
    with pytest.raises(ModelUnreachable) as raised:
        reach(OLLAMA, models=httpx.ConnectError("Connection refused"))
    text = str(raised.value)
    assert "no model server answers at http://localhost:11434/v1" in text
    assert "GET http://localhost:11434/v1/models: ConnectError: Connection refused" in text
    assert "`ollama serve`, then `ollama pull gpt-oss:20b`" in text
    assert "--base-url" in text


def test_nobody_there_over_the_real_network() -> None:
    """The same with a client of its own, on a port where nobody listens."""
    with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1:9/v1/models: ConnectError"):
        check_reachable(ModelEndpoint("http://127.0.0.1:9/v1", "m"))


def test_ollama_tells_the_digest() -> None:
    """The digest tells one build of a tag from the next."""
    tags = httpx.Response(
        200, json={"models": [{"name": "x"}, {"name": "gpt-oss:20b", "digest": "sha256:ab"}]}
    )
    facts = reach(OLLAMA, models=listing("x", "gpt-oss:20b"), tags=tags)
    assert facts == ServerFacts("ollama", "sha256:ab", ("x", "gpt-oss:20b"))


def test_a_tag_without_version_is_the_latest() -> None:
    """Ollama lists `llama3:latest` for who asks `llama3`."""
    tags = httpx.Response(200, json={"models": [{"name": "llama3:latest", "digest": "sha256:cd"}]})
    endpoint = ModelEndpoint("http://localhost:11434/v1", "llama3")
    assert reach(endpoint, models=listing("llama3:latest"), tags=tags).model_digest == "sha256:cd"


def test_other_servers_tell_their_name() -> None:
    """A Server header is enough; no other address is tried."""
    endpoint = ModelEndpoint("http://localhost:8080/v1", "q")
    facts = reach(endpoint, models=listing("q", owner="llamacpp", server="llama.cpp"))
    assert facts == ServerFacts("llama.cpp", None, ("q",))


@pytest.mark.parametrize("tags", [httpx.Response(404), httpx.ConnectError("x"), httpx.Response(200, json={})])
def test_a_server_that_says_nothing_of_itself_is_fine(tags: httpx.Response | Exception) -> None:
    """An answer is an answer: a gateway may list no models and have no name."""
    assert reach(OLLAMA, models=httpx.Response(404, text="?"), tags=tags) == ServerFacts()


def test_a_local_server_without_the_model_is_said_before_recording() -> None:
    """llama-server would answer as another model, and Ollama with 404 in the middle of the run."""
    with pytest.raises(ModelUnreachable) as raised:
        reach(OLLAMA, models=listing("llama3", "phi4"))
    assert "has no model gpt-oss:20b" in str(raised.value)
    assert "it has llama3, phi4" in str(raised.value)
    assert "ollama pull gpt-oss:20b" in str(raised.value)


def test_a_gateway_may_have_more_than_it_lists() -> None:
    """Only local servers are believed when they say that a model is missing."""
    endpoint = ModelEndpoint("https://gateway/v1", "team/x")
    assert reach(endpoint, models=listing("y", owner="openai", server="gw")).models == ("y",)


@pytest.mark.parametrize("status", [401, 403])
def test_refused_key(status: int) -> None:
    """A server that wants a key is there, but of no use."""
    with pytest.raises(ModelUnreachable, match="refuses the key"):
        reach(OLLAMA, models=httpx.Response(status))


def test_server_that_fails() -> None:
    """A model that still loads answers 503."""
    with pytest.raises(ModelUnreachable, match="models: HTTP 503"):
        reach(OLLAMA, models=httpx.Response(503))


@pytest.mark.parametrize(
    ("url", "matters"), [("https://api.test/v1", True), ("http://localhost:1/v1", False)]
)
def test_certificates_matter_for_https_only(url: str, matters: bool) -> None:
    """A local server is asked without loading them; a remote one never without."""
    assert is_encrypted(resolve("m", base_url=url)) == matters
