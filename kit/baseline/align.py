"""Which step of one trace is which step of another: found first, so that values are compared only in pairs.

A step that was inserted at the front is one inserted step and not a changed value in each step behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

CELLS = 40_000
"""Gaps up to this size (steps times steps) are aligned as well as can be, larger ones by longest blocks."""

_EQUAL, _SAME_SHAPE, _SAME_KIND = 4, 3, 1


class Key(NamedTuple):
    """What alignment knows of a step.

    Attributes:
        kind: steps of different kinds are never a pair.
        shape: kind and names without values.
        content: all that is compared; equal contents are equal steps.
    """

    kind: str
    shape: str
    content: str


class Pair(NamedTuple):
    """Positions of one step in both traces; None where it has no counterpart."""

    before: int | None
    after: int | None


def align(before: Sequence[Key], after: Sequence[Key]) -> tuple[Pair, ...]:
    """Every step of both traces once, in order; pairs are of the same kind.

    Equal steps at both ends are paired at once, so equal traces cost one comparison a step.
    """
    head = _shared(before, after)
    rest = min(len(before), len(after)) - head
    tail = _shared(before[::-1][:rest], after[::-1][:rest])
    pairs = [Pair(index, index) for index in range(head)]
    pairs += _shifted(
        _gap(before[head : len(before) - tail], after[head : len(after) - tail], ("content", "shape")),
        head,
        head,
    )
    pairs += [
        Pair(len(before) - tail + index, len(after) - tail + index) for index in range(tail)
    ]  # fmt: skip
    return tuple(pairs)


def _shared(one: Sequence[Key], other: Sequence[Key]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _shifted(pairs: list[Pair], before: int, after: int) -> list[Pair]:
    return [
        Pair(
            None if pair.before is None else pair.before + before,
            None if pair.after is None else pair.after + after,
        )
        for pair in pairs
    ]


def _gap(before: Sequence[Key], after: Sequence[Key], anchors: tuple[str, ...]) -> list[Pair]:
    """Pairs of what lies between two anchors; `anchors` are the fields by which larger gaps are divided."""
    if not before or not after:
        return [Pair(i, None) for i in range(len(before))] + [Pair(None, j) for j in range(len(after))]
    if len(before) * len(after) <= CELLS:
        return _best(before, after)
    if not anchors:
        return _side_by_side(before, after)
    field, further = anchors[0], anchors[1:]
    matcher = SequenceMatcher(
        None, [getattr(key, field) for key in before], [getattr(key, field) for key in after], autojunk=False
    )
    pairs: list[Pair] = []
    done = (0, 0)
    for block in matcher.get_matching_blocks():
        between = _gap(before[done[0] : block.a], after[done[1] : block.b], further)
        pairs += _shifted(between, *done)
        pairs += [Pair(block.a + index, block.b + index) for index in range(block.size)]
        done = (block.a + block.size, block.b + block.size)
    return pairs


def _side_by_side(before: Sequence[Key], after: Sequence[Key]) -> list[Pair]:
    pairs: list[Pair] = []
    for index in range(max(len(before), len(after))):
        is_pair = index < min(len(before), len(after)) and before[index].kind == after[index].kind
        if is_pair:
            pairs.append(Pair(index, index))
            continue
        pairs += [Pair(index, None)] if index < len(before) else []
        pairs += [Pair(None, index)] if index < len(after) else []
    return pairs


def _best(before: Sequence[Key], after: Sequence[Key]) -> list[Pair]:
    """The alignment that pairs most: equal steps before equal shapes before equal kinds."""
    width = len(after) + 1
    scores = [[0] * width]
    for left in before:
        above, row, last = scores[-1], [0], 0
        for place, right in enumerate(after):
            best = max(above[place + 1], last)
            if left.kind == right.kind:
                best = max(best, above[place] + _alike(left, right))
            row.append(best)
            last = best
        scores.append(row)
    return _walk(before, after, scores)


def _walk(before: Sequence[Key], after: Sequence[Key], scores: list[list[int]]) -> list[Pair]:
    pairs: list[Pair] = []
    i, j = len(before), len(after)
    while i or j:
        score = scores[i][j]
        if i and j and _is_pair(before[i - 1], after[j - 1], score - scores[i - 1][j - 1]):
            i, j = i - 1, j - 1
            pairs.append(Pair(i, j))
        elif j and score == scores[i][j - 1]:
            j -= 1
            pairs.append(Pair(None, j))
        else:
            i -= 1
            pairs.append(Pair(i, None))
    return pairs[::-1]


def _is_pair(left: Key, right: Key, gain: int) -> bool:
    return left.kind == right.kind and gain == _alike(left, right)


def _alike(left: Key, right: Key) -> int:
    if left.content == right.content:
        return _EQUAL
    return _SAME_SHAPE if left.shape == right.shape else _SAME_KIND
