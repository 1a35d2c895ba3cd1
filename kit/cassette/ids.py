"""Ids that servers make up, by name: two recordings of the same answers show the same text.

A name is given in the order of the conversation, where an answer first says the id: `call-1` for the id of a
tool call, `id-1` for everything else (items, signatures, encrypted reasoning, files).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.cassette import body, scalar
from kit.cassette.marks import (
    AnswerRef,
    Args,
    IdRef,
    JsonText,
    Media,
    RawBytes,
    RawText,
    Restored,
    RestoredList,
    ResultRef,
)

_OPAQUE = frozenset(
    {
        "id",
        "signature",
        "encrypted_content",
        "thoughtSignature",
        "thought_signature",
        "toolUseId",
        "responseId",
    }
)
_CALLS = frozenset({"tool_calls", "functionCall", "function_call", "toolUse"})
_CALL_TYPES = ("tool_use", "function_call", "server_tool_use", "function")
_DONE = frozenset({str, int, float, bool, type(None), Restored, RestoredList})
_ARGUMENTS = frozenset({"arguments", "input"})
"""Keys whose texts are shown as the JSON they hold."""


def is_id(name: str) -> bool:
    """Whether a key's text value is an id or an opaque token."""
    return name in _OPAQUE or name.endswith("_id")


class IdTable:
    """The ids of one cassette: by value when writing, by name when reading."""

    def __init__(self, came_back: frozenset[str] = frozenset()) -> None:
        self.names: dict[str, str] = {}
        self._came_back = came_back
        self._counts: dict[str, int] = {}

    def learn(self, answer: Any) -> frozenset[str]:
        """Give names to the ids of an answer; returns the names of its envelope that come back later.

        The id of the answer itself is a name only where a later request says it.
        """
        if not isinstance(answer, dict):
            return frozenset()
        kept = self.kept(answer)
        for name, child in answer.items():
            if name in kept or not (isinstance(child, str) and is_id(name)):
                self._learn(name, child, answer, in_call=False)
        return kept

    def kept(self, answer: Any) -> frozenset[str]:
        """The names of an answer's envelope whose ids a later request says."""
        if not isinstance(answer, dict):
            return frozenset()
        return frozenset(
            name
            for name in ("id", "responseId")
            if isinstance(answer.get(name), str) and answer[name] in self._came_back
        )

    def _learn(self, name: str, value: Any, parent: dict[str, Any], *, in_call: bool) -> None:
        if isinstance(value, str):
            if value and is_id(name) and value not in self.names and not scalar.has_surrogate(value):
                kind = "call" if in_call or name == "call_id" or _is_call(parent) else "id"
                self._counts[kind] = self._counts.get(kind, 0) + 1
                self.names[value] = f"{kind}-{self._counts[kind]}"
        elif isinstance(value, dict):
            for child_name, child in value.items():
                self._learn(child_name, child, value, in_call=in_call or name in _CALLS)
        elif isinstance(value, list):
            for item in value:
                self._learn("", item, parent, in_call=in_call or name in _CALLS)

    def table(self) -> dict[str, str]:
        """Name → id, as the file holds it."""
        return {name: value for value, name in self.names.items()}


def _is_call(mapping: dict[str, Any]) -> bool:
    return mapping.get("type") in _CALL_TYPES


def said(tree: Any, found: set[str]) -> None:
    """Collect the ids that a request says, to know which ids of answers come back."""
    if isinstance(tree, dict):
        for name, value in tree.items():
            if isinstance(value, str):
                if is_id(name):
                    found.add(value)
            else:
                said(value, found)
    elif isinstance(tree, list):
        for item in tree:
            said(item, found)


def present(tree: Any, names: dict[str, str], key: str = "") -> Any:
    """A JSON value as it is shown: ids by name, JSON inside JSON as YAML, odd text as JSON text.

    Args:
        tree: value of a body, as `body.parse` gives it.
        names: id → name.
        key: the key under which `tree` stands.
    """
    if isinstance(tree, dict):
        return {name: present(child, names, name) for name, child in tree.items()}
    if isinstance(tree, list):
        return [present(child, names) for child in tree]
    if isinstance(tree, str):
        return _present_text(tree, names, key)
    return tree


def _present_text(text: str, names: dict[str, str], key: str) -> Any:
    if key in _ARGUMENTS and text[:1] in {"{", "["}:
        found = body.read(text)
        if found is not None and found[1].keys() <= {"style"}:
            return Args(found[1].get("style", ""), present(found[0], {}))
    elif text in names and is_id(key):
        return IdRef(names[text])
    return JsonText(body.encode(text)) if scalar.has_surrogate(text) else text


def restore(tree: Any, ids: Mapping[str, str]) -> Any:
    """The inverse of `present`.

    Args:
        tree: value with tags, as `yamlevents` gives it, or restored in part, as `lines` does.
        ids: name → id.

    Raises:
        ValueError: a name that the table of ids lacks, or a tag that means nothing there.
    """
    if type(tree) in _DONE:
        return tree
    # Most nodes are texts and numbers: they are passed by without a call.
    if isinstance(tree, dict):
        return {name: child if type(child) in _DONE else restore(child, ids) for name, child in tree.items()}
    if isinstance(tree, list):
        return [child if type(child) in _DONE else restore(child, ids) for child in tree]
    if isinstance(tree, IdRef):
        if tree.name not in ids:
            raise ValueError(f"!id {tree.name} is not in the table of ids")
        return ids[tree.name]
    if isinstance(tree, Args):
        return body.encode(restore(tree.value, ids), tree.style)
    if isinstance(tree, (AnswerRef, ResultRef, RawText, RawBytes, Media)):
        raise ValueError(f"a tag that means nothing here: {type(tree).__name__}")  # noqa: TRY004 - the file is wrong
    return tree
