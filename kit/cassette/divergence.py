"""A request of the recorded conversation with another prompt, other tools or parameters (decision 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kit.cassette.differences import Difference, differences
from kit.cassette.interaction import HttpRequest, Interaction
from kit.cassette.outline import CHANGES, Change, Outline, class_of

CONDITIONAL: frozenset[Change] = frozenset({"system prompt", "tool schema", "parameters"})
"""Changes after which the recorded answers still belong to the same conversation."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """A request that was answered on a condition: that the model would have said the same.

    Attributes:
        interaction: number of the recorded one whose answer was given.
        changes: classes of what differs, the likeliest cause first; never empty.
        differences: the places that differ, in the order of `changes`.
    """

    interaction: int
    changes: tuple[str, ...]
    differences: tuple[Difference, ...]


def divergence_from(request: HttpRequest) -> Callable[[Interaction], Divergence | None]:
    """What judges recorded interactions: how a request differs from one, or None where it must not go on.

    The conversation behind the system prompt has to be the same to the letter: with it the arguments and
    results of every tool, and the position, since each call of a model makes a conversation longer. A request
    that wants a stream is not answered by a whole text, nor the other way round.

    Args:
        request: scrubbed and with its paths mapped like a recorded one.
    """
    asked = Outline.of(request)

    def judge(item: Interaction) -> Divergence | None:
        if asked.kind != "chat" or not isinstance(item.request, HttpRequest):
            return None
        recorded = Outline.of(item.request)
        if (recorded.kind, recorded.call, recorded.list_name, recorded.is_streamed) != (
            "chat",
            asked.call,
            asked.list_name,
            asked.is_streamed,
        ):
            return None
        if any(differences(recorded.said, asked.said)):
            return None
        found = [(class_of(one.path, recorded, asked), one) for one in recorded.differences(asked)]
        found.sort(key=lambda pair: CHANGES.index(pair[0]))
        changes = tuple(dict.fromkeys(change for change, _ in found))
        if not changes or not CONDITIONAL.issuperset(changes):
            return None
        return Divergence(item.number, changes, tuple(one for _, one in found))

    return judge
