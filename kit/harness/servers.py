"""Where each model of a run is asked; the scripted ones get a server of kit's own while the run lasts."""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kit.agent.protocol import ModelEndpoint
from kit.config.settings import ModelSettings, Settings
from kit.scenario.suite import Suite
from kit.trace.prices import STUBS

if TYPE_CHECKING:
    from kit.models.endpoint import Sampling, ServerFacts

SCRIPTS = Path("fixtures") / "stub"


class Servers:
    """Decides endpoints and starts the stub server at its first use; a context manager."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = contextlib.ExitStack()
        self._stub_url: str | None = None
        self._facts: dict[str, ServerFacts] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def stop(self) -> None:
        """End the scripted server; who asks for it again gets a new one."""
        self._stack.close()
        self._stub_url = None

    def live(self, model: str, seed: int = 1, suite: Suite | None = None) -> ModelEndpoint:
        """The endpoint that answers for a model, in a run of `suite`.

        Raises:
            ConfigError: the configured address is none, or the stub's scripts are wrong.
        """
        return self.endpoint(model, seed, self._address(model), suite)

    def endpoint(
        self, model: str, seed: int, base_url: str | None, suite: Suite | None = None
    ) -> ModelEndpoint:
        """The endpoint at a known address: in replay that of the recording, which nobody calls.

        How a suite samples wins over the model's own settings; both win over the standard.
        """
        from kit.models.endpoint import resolve

        own = self._settings.model_settings(model)
        sampling = _sampling(own, seed, suite)
        return resolve(
            model,
            base_url=base_url,
            model_url=own.base_url,
            api_key_env=own.api_key_env,
            sampling=sampling,
        )

    def check(self, model: str) -> ServerFacts:
        """Make sure that a model answers, once a run; what its server says of itself.

        Raises:
            ModelUnreachable: nothing answers, or the server has no such model.
        """
        from kit.models.endpoint import check_reachable

        if model not in self._facts:
            self._facts[model] = check_reachable(self.live(model))
        return self._facts[model]

    def _address(self, model: str) -> str | None:
        settings = self._settings
        is_told = "base_url" in settings.overrides and model == settings.model
        if model not in STUBS or is_told or (model in settings.models and settings.models[model].base_url):
            return None
        if self._stub_url is None:
            from kit.models.stub import StubServer

            server = self._stack.enter_context(StubServer(settings.root / SCRIPTS))
            self._stub_url = server.base_url
        return self._stub_url


def _sampling(own: ModelSettings, seed: int, suite: Suite | None) -> Sampling:
    from kit.models.endpoint import Sampling

    standard = Sampling()
    temperatures = (suite.sampling.temperature if suite else None, own.temperature, standard.temperature)
    is_endless = suite is not None and suite.is_endless
    return Sampling(
        temperature=next(value for value in temperatures if value is not None),
        seed=seed,
        max_tokens=(suite.sampling.max_tokens if suite else None) or own.max_tokens or standard.max_tokens,
        timeout_s=None if is_endless else standard.timeout_s,
    )
