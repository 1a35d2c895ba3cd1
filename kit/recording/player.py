"""What a replay serves: the recorded interaction of a request, or a miss that cannot pass unseen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Interaction, ToolRequest
from kit.errors import Miss
from kit.recording import lineage
from kit.recording.lanes import lane_of
from kit.recording.ledger import Ledger
from kit.recording.misses import explain_miss, same_behind_masks, same_place
from kit.recording.options import SessionOptions

if TYPE_CHECKING:
    from kit.cassette.match import Playlist


class Player:
    """The playlist of one session; safe to use from any thread.

    Args:
        playlist: what was recorded.
        options: of the session.
        ledger: where it is kept what was played, and how.
        under_way: what is being served at this moment.
    """

    def __init__(
        self,
        playlist: Playlist,
        options: SessionOptions,
        ledger: Ledger,
        under_way: Callable[[], Iterable[Interaction]],
    ) -> None:
        self.playlist = playlist
        self._under_way = under_way
        self._options = options
        self._ledger = ledger
        self._lock = threading.Lock()

    def take(
        self, key: bytes, session: object, request: Callable[[], HttpRequest | ToolRequest]
    ) -> Interaction | None:
        """The interaction to serve; None where a recorded beginning is over and the run goes on live.

        Args:
            key: what it is looked up by.
            session: whose line of tasks and threads asks.
            request: makes the request as it would be recorded; called on a miss only.

        Raises:
            Miss: it was never recorded.
        """
        with self._lock:
            if self._options.mode == "record" and self.playlist.next_unplayed() is None:
                return None
            # Under the lock: between two of them, the next job would count this one as still to come.
            served = self.playlist.take(key, *lineage.asking(session), self._is_hedged)
            if served is not None:
                self._keep(served)
                return served
        asked = request()
        found = self._copy(asked, key) or self._behind_masks(asked) or self._at_its_place(asked)
        return found or self._missed(asked, key)

    def _behind_masks(self, request: HttpRequest | ToolRequest) -> Interaction | None:
        """Only secrets differ: the recording hides them, and replay needs none."""
        with self._lock:
            served = same_behind_masks(request, self.playlist, self._options.redactor)
            if served is not None:
                self._keep(served)
            return served

    def _keep(self, served: Interaction) -> None:
        """A recording that goes on from another keeps its beginning too."""
        keep = self._ledger.recorded if self._options.mode == "record" else self._ledger.played
        keep(served)

    def close(self) -> tuple[Interaction, ...]:
        """What was recorded and never played, in order of start.

        A copy of a hedged request that nobody sent this time counts as played: the run is the same one.
        """
        for item in self.playlist.copies_left() if self._options.allow.hedges else ():
            if self._is_hedged(item.request):
                self.playlist.skip(item)
                self._ledger.played(item)
                self._ledger.report("notices", f"interaction {item.number}, a hedged request, was not needed")
        return self.playlist.leftovers()

    def _is_hedged(self, request: HttpRequest | ToolRequest) -> bool:
        return isinstance(request, HttpRequest) and self._options.allow.may_hedge(request.method, request.url)

    def _copy(self, request: HttpRequest | ToolRequest, key: bytes) -> Interaction | None:
        """One hedged request more than recorded gets the answer of its copy that is on its way."""
        if not self._is_hedged(request):
            return None
        recorded = self.playlist.recorded(key)
        twin = next((one for one in self._under_way() if any(one is own for own in recorded)), None)
        if twin is not None:
            self._ledger.report(
                "notices", f"one hedged request more than recorded: interaction {twin.number}"
            )
        return twin

    def _at_its_place(self, request: HttpRequest | ToolRequest) -> Interaction | None:
        """Conditional replay: the prompt changed and the conversation did not."""
        if not self._options.is_conditional or not isinstance(request, HttpRequest):
            return None
        with self._lock:
            found = same_place(request, self.playlist)
            if found is None:
                return None
            served, divergence = found
            self._ledger.played(served)
            self._ledger.diverged(divergence, request)
            return served

    def _missed(self, request: HttpRequest | ToolRequest, key: bytes) -> Interaction:
        text = f"{self._options.name}: {request!r} was never recorded"
        try:
            urls = self._options.model_urls
            lane = lane_of(request, urls) if isinstance(request, HttpRequest) else "tool"
            text = explain_miss(request, key, lane, self.playlist, self._options)
        finally:
            # Told even if the explanation itself breaks: a miss must never pass unseen.
            self._ledger.report("misses", text)
        raise Miss(text)
