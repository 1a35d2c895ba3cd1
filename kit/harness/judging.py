"""The judge of a run: asked live and recorded, or played from its own cassette (decision 12)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from kit import clock
from kit.agent.protocol import ModelEndpoint
from kit.cassette.interaction import Interaction
from kit.cassette.match import Playlist
from kit.errors import Miss
from kit.models.chat import ChatClient
from kit.oracle.critic import JudgeAnswer, JudgeQuestion
from kit.recording.options import SessionOptions
from kit.recording.session import Session, start
from kit.redaction.redactor import Redactor

_STALE = "rubric, answer or judge changed since it was judged; the agent's own recording still holds"


class RecordedJudge:
    """Answers the questions of one run's oracles; a context manager, callable as `oracle.critic.Judge`.

    Nothing is looked up before the first question: most scenarios ask none, and then no judge has to be
    configured and no cassette is read.

    Args:
        name: scenario id, for messages.
        endpoint: tier to the judge's model and address.
        journal: file of the session.
        redactor: rules of the project.
        playlist: gives the recorded judge calls; None asks the model.
        next_command: what a miss tells the user to type.
    """

    def __init__(
        self,
        name: str,
        endpoint: Callable[[str], ModelEndpoint],
        journal: Path,
        redactor: Redactor,
        playlist: Callable[[], Playlist] | None,
        next_command: str,
    ) -> None:
        self._name = name
        self._endpoint = endpoint
        self._journal = journal
        self._redactor = redactor
        self._playlist = playlist
        self._next_command = next_command
        self._stack = contextlib.ExitStack()
        self._session: Session | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def __call__(self, question: JudgeQuestion) -> JudgeAnswer:
        """Ask the judge's model one question.

        Raises:
            ConfigError: no judge is configured, or it is the model under test.
            ModelUnreachable: live, and nothing answers.
            EnvironmentFault: live, and the server answers with an error.
            CassetteMissing: replay, and no judge was recorded.
            Miss: replay, and this answer was never judged under this rubric by this model.
        """
        endpoint = self._endpoint(question.tier)
        if self._session is None:
            self._session = self._stack.enter_context(start(self._options(endpoint)))
        try:
            text = ChatClient(endpoint).ask(question.prompt)
        except TimeoutError as error:
            return JudgeAnswer("", endpoint.model, f"TimeoutError: {error}")
        except Miss as miss:
            raise Miss(f"{_STALE}\n{miss}") from miss
        return JudgeAnswer(text, endpoint.model)

    def _options(self, endpoint: ModelEndpoint) -> SessionOptions:
        playlist = None if self._playlist is None else self._playlist()
        return SessionOptions(
            mode="record" if playlist is None else "replay",
            name=f"{self._name} (judge)",
            start=clock.now(),
            seed=endpoint.seed,
            journal=self._journal,
            redactor=self._redactor,
            playlist=playlist,
            model_urls=(endpoint.base_url,),
            virtual_time=False,
            next_command=self._next_command,
        )

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        """What was recorded or played; complete once the context is left."""
        return () if self._session is None else self._session.result.interactions

    @property
    def leftovers(self) -> tuple[Interaction, ...]:
        """Recorded judge calls that no question played; once the context is left."""
        return () if self._session is None else self._session.result.leftovers
