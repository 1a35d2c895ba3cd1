"""Which recorded interaction answers a request: each once, equal ones in order of start (decision 4)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

from kit.cassette.interaction import HttpRequest, Interaction, Lane, ToolRequest
from kit.cassette.key import Keyer

_Found = TypeVar("_Found")


def key_of(request: HttpRequest | ToolRequest, keyer: Keyer) -> bytes:
    """The key of a recorded request; for a folded one the loader knows it at less cost."""
    if isinstance(request, ToolRequest):
        return keyer.tool(request.name, request.arguments)
    return keyer.http(request.method, request.url, request.content_type, request.body)


class Playlist:
    """The interactions of a cassette as replay hands them out.

    Equal requests form a queue in the order they were started, so that ten identical prompts replay ten
    answers; an exhausted queue is a miss, never the first answer again. Threads may share a playlist.

    Args:
        interactions: what was recorded, in any order.
        keyer: gives those their key which came without; it must know the same `ignore` as the run's own.
    """

    def __init__(self, interactions: Iterable[Interaction], keyer: Keyer) -> None:
        self.interactions = tuple(sorted(interactions, key=lambda item: (item.started_ms, item.number)))
        self.keyer = keyer
        self._queues: dict[bytes, deque[int]] = {}
        self._recorded: dict[bytes, tuple[Interaction, ...]] = {}
        self._is_played = [False] * len(self.interactions)
        self._next = 0
        self._lock = threading.Lock()
        self._keys = [
            key_of(item.request, keyer) if item.key is None else item.key for item in self.interactions
        ]
        by_key: dict[bytes, list[int]] = {}
        for index, key in enumerate(self._keys):
            by_key.setdefault(key, []).append(index)
        for key, indices in by_key.items():
            self._queues[key] = deque(indices)
            self._recorded[key] = tuple(self.interactions[index] for index in indices)

    def take(
        self,
        key: bytes,
        under: int | None = None,
        ahead: int = 0,
        is_hedged: Callable[[HttpRequest | ToolRequest], bool] | None = None,
    ) -> Interaction | None:
        """The next interaction recorded for this request; None is a miss.

        Args:
            key: of the request.
            under: number of the interaction that its task or thread had last. Of equal requests, such as two
                sub-agents that ask for the time, each line gets its own answer whoever comes first.
            ahead: how many tasks and threads of there were started before its own and have yet to ask.
            is_hedged: whether of equal requests at once any one will do: the first gets the answer that came.
        """
        with self._lock:
            queue = self._queues.get(key)
            if not queue:
                return None
            if len(queue) > 1:
                index = self._chosen(queue, under, ahead, is_hedged)
                queue.remove(index)
                return self._play(index)
            return self._play(queue.popleft())

    def _chosen(
        self,
        queue: deque[int],
        under: int | None,
        ahead: int,
        is_hedged: Callable[[HttpRequest | ToolRequest], bool] | None,
    ) -> int:
        first = self.interactions[queue[0]]
        if is_hedged is not None and is_hedged(first.request):
            at_once = [index for index in queue if _overlap(first, self.interactions[index])]
            return next(
                (index for index in at_once if not self.interactions[index].response.failure), queue[0]
            )
        own = [] if under is None else self._in_lines(queue, under)
        if not ahead or len(own) < 2:
            return own[0] if own else queue[0]
        left = (index for index, played in enumerate(self._is_played) if not played)
        # What is left there belongs to those ahead and to this one, one each, if they ask alike or not.
        place = self._in_lines(left, under)[ahead : ahead + 1]
        return place[0] if place and place[0] in own else own[min(ahead, len(own) - 1)]

    def _in_lines(self, indices: Iterable[int], under: int | None) -> list[int]:
        """Those that came from one interaction, line by line: by number, since they race to ask."""
        found = [index for index in indices if self.interactions[index].under == under]
        return sorted(found, key=lambda index: self.interactions[index].number)

    def take_first(
        self, lane: Lane, judge: Callable[[Interaction], _Found | None]
    ) -> tuple[Interaction, _Found] | None:
        """The first unplayed interaction of a lane, in order of start, that `judge` finds something in.

        For conditional replay (decision 6), after `take` found nothing.
        """
        with self._lock:
            for index in range(self._next, len(self.interactions)):
                item = self.interactions[index]
                if self._is_played[index] or item.lane != lane:
                    continue
                found = judge(item)
                if found is not None:
                    self._queues[self._keys[index]].remove(index)
                    return self._play(index), found
        return None

    def _play(self, index: int) -> Interaction:
        self._is_played[index] = True
        while self._next < len(self._is_played) and self._is_played[self._next]:
            self._next += 1
        return self.interactions[index]

    def recorded(self, key: bytes) -> tuple[Interaction, ...]:
        """All that was recorded for this request, played or not: tells «too often» from «never»."""
        return self._recorded.get(key, ())

    def leftovers(self) -> tuple[Interaction, ...]:
        """What was recorded and not played so far, in order of start."""
        with self._lock:
            return tuple(
                item for item, played in zip(self.interactions, self._is_played, strict=True) if not played
            )

    def played(self, lane: Lane | None = None) -> int:
        """How many interactions were played so far, of one lane or of all."""
        with self._lock:
            pairs = zip(self.interactions, self._is_played, strict=True)
            return sum(played and lane in (None, item.lane) for item, played in pairs)

    def copies_left(self) -> tuple[Interaction, ...]:
        """Unplayed copies of hedged requests: an equal one, on its way at the same time, was played."""
        with self._lock:
            return tuple(item for index, item in enumerate(self.interactions) if self._is_spare(index, item))

    def _is_spare(self, index: int, item: Interaction) -> bool:
        if self._is_played[index]:
            return False
        return any(
            self._is_played[other] and self._keys[other] == self._keys[index] and _overlap(twin, item)
            for other, twin in enumerate(self.interactions)
        )

    def skip(self, item: Interaction) -> None:
        """Count an unplayed interaction as played."""
        with self._lock:
            index = self.interactions.index(item)
            self._queues[self._keys[index]].remove(index)
            self._play(index)

    def next_unplayed(self, lane: Lane | None = None) -> Interaction | None:
        """The first interaction in order of start that was not played yet, of one lane or of all."""
        with self._lock:
            for index in range(self._next, len(self.interactions)):
                item = self.interactions[index]
                if not self._is_played[index] and lane in (None, item.lane):
                    return item
        return None

    def remaining_start_ms(self) -> int | None:
        """Start of the next unplayed interaction on the run's clock; sleeps never pass it (decision 17)."""
        with self._lock:
            return self.interactions[self._next].started_ms if self._next < len(self.interactions) else None


def _overlap(one: Interaction, other: Interaction) -> bool:
    """Whether both were on their way at some moment."""
    return one.started_ms <= other.ended_ms and other.started_ms <= one.ended_ms
