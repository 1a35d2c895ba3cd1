"""Scripts of the stub model: rules as data that match a conversation, never a scenario (decision 20)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from kit.errors import ConfigError

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as exc:
        msg = f"{pattern!r} is no regular expression: {exc}"
        raise ValueError(msg) from exc
    return pattern


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Pattern = Annotated[str, AfterValidator(_compiles)]
Words = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextCondition(_Part):
    """What must hold of one text; all given conditions together.

    Attributes:
        contains: words that must all stand in it, in whatever case.
        contains_any: words of which one must stand in it.
        regex: must be found in it; its named groups can be used in the answer as `{name}`.
        within: a regular expression with a group `section`: the conditions look at that section only, and
            do not hold where it is missing.
    """

    contains: Words = ()
    contains_any: Words = ()
    regex: Pattern | None = None
    within: Pattern | None = None

    @model_validator(mode="after")
    def _has_section(self) -> TextCondition:
        if self.within is not None and "section" not in re.compile(self.within).groupindex:
            msg = "`within` needs a group (?P<section>…)"
            raise ValueError(msg)
        return self

    def captures(self, text: str) -> dict[str, str] | None:
        """The named groups of `regex` where the conditions hold, else None."""
        if self.within is not None:
            section = re.search(self.within, text)
            if section is None:
                return None
            text = section["section"]
        folded = text.casefold()
        if not all(word.casefold() in folded for word in self.contains):
            return None
        if self.contains_any and not any(word.casefold() in folded for word in self.contains_any):
            return None
        found = re.search(self.regex, text) if self.regex is not None else None
        if self.regex is not None and found is None:
            return None
        return {name: value or "" for name, value in found.groupdict().items()} if found else {}


class Condition(_Part):
    """Which conversations a rule answers.

    Attributes:
        system: the system prompt.
        user: the last message of the user.
        result: the last message, which must be the result of a tool.
        result_of: name of the tool whose result the last message is.
        tools: tools that must be offered.
        turn: how many times the model answered since the last message of the user.
    """

    system: TextCondition | None = None
    user: TextCondition | None = None
    result: TextCondition | None = None
    result_of: str | None = None
    tools: Words = ()
    turn: int | None = Field(default=None, ge=0)

    def texts(self) -> tuple[TextCondition, ...]:
        """The conditions on texts that were given."""
        return tuple(text for text in (self.system, self.user, self.result) if text is not None)


class PlannedCall(_Part):
    """A tool call to answer with; `arguments` as a string is sent as it stands, broken JSON included."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class Answer(_Part):
    """What the model says: a text, tool calls, or both. `{name}` is what a group of a condition captured."""

    text: str = ""
    tool_calls: tuple[PlannedCall, ...] = ()
    finish_reason: Literal["stop", "tool_calls", "length"] | None = None

    def filled(self, captured: dict[str, str]) -> Answer:
        """The answer with every `{name}` replaced, once, by what was captured under that name."""
        values: dict[str, Any] = self.model_dump()
        return Answer.model_validate(_fill(values, captured))


class Rule(_Part):
    """One answer and the conversations that get it."""

    name: str
    when: Condition = Condition()
    answer: Answer

    @model_validator(mode="after")
    def _names_are_captured(self) -> Rule:
        groups: list[str] = []
        for condition in self.when.texts():
            groups += re.compile(condition.regex).groupindex if condition.regex else ()
        if twice := {name for name in groups if groups.count(name) > 1}:
            msg = f"two conditions capture {', '.join(sorted(twice))}"
            raise ValueError(msg)
        used = {match for text in _strings(self.answer.model_dump()) for match in _PLACE.findall(text)}
        if unknown := used - set(groups):
            msg = f"the answer uses {{{', '.join(sorted(unknown))}}}, which no condition captures"
            raise ValueError(msg)
        return self


class Script(_Part):
    """The rules of one file, for one model; the first that holds answers."""

    model: str
    rules: tuple[Rule, ...] = Field(min_length=1)


class Conversation(_Part):
    """What a rule may know of a request.

    Attributes:
        system: the system prompt, empty where there is none.
        user: the last message of the user.
        result: the text of the last message where it is a tool's result, else None.
        result_of: the tool that gave it.
        tools: names of the tools offered.
        turn: answers of the model since the last message of the user.
    """

    system: str = ""
    user: str = ""
    result: str | None = None
    result_of: str | None = None
    tools: tuple[str, ...] = ()
    turn: int = 0


def matching_answer(rules: Sequence[Rule], conversation: Conversation) -> Answer | None:
    """The answer of the first rule that holds, with captures filled in; None where none holds."""
    for rule in rules:
        captured = _captured(rule.when, conversation)
        if captured is not None:
            return rule.answer.filled(captured)
    return None


def _captured(when: Condition, conversation: Conversation) -> dict[str, str] | None:
    if when.turn is not None and when.turn != conversation.turn:
        return None
    if when.result_of is not None and when.result_of != conversation.result_of:
        return None
    if not set(when.tools) <= set(conversation.tools):
        return None
    captured: dict[str, str] = {}
    for name in ("system", "user", "result"):
        condition: TextCondition | None = getattr(when, name)
        if condition is None:
            continue
        text: str | None = getattr(conversation, name)
        groups = condition.captures(text) if text is not None else None
        if groups is None:
            return None
        captured |= groups
    return captured


def load_scripts(folder: Path) -> tuple[Script, ...]:
    """Read every `*.yaml` of a folder, in order of name; a model's rules are tried in that order.

    Raises:
        ConfigError: there is no script, or one is wrong; the text names file and line.
    """
    scripts = tuple(_load(path) for path in sorted(folder.glob("*.yaml")))
    if not scripts:
        raise ConfigError("there is no stub script here", where=str(folder))
    return scripts


def _load(path: Path) -> Script:
    try:
        root = yaml.compose(path.read_text("utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        mark = getattr(exc, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise ConfigError("the stub script is no YAML", where=where, why=str(exc)) from exc
    loader = yaml.SafeLoader("")
    try:
        value = loader.construct_document(root) if root is not None else None
        return Script.model_validate(value)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise ConfigError(f"{place}: {first['msg']}", where=f"{path}:{_line(root, first['loc'])}") from exc
    finally:
        loader.dispose()


def _line(root: yaml.Node | None, location: tuple[int | str, ...]) -> int:
    """The line of the deepest node that a validation error's location reaches, 1-based."""
    node, line = root, 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == part), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line


def _fill(value: Any, captured: dict[str, str]) -> Any:
    if isinstance(value, str):
        return _PLACE.sub(lambda match: captured.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {key: _fill(item, captured) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fill(item, captured) for item in value]
    return value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
