"""A cassette's texts as a scanner has to see them: unfolded, streams joined, JSON in strings opened."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson

from kit.cassette.assemble import assemble
from kit.cassette.cassette import Cassette
from kit.cassette.interaction import Headers, HttpRequest, HttpResponse, Interaction
from kit.errors import CassetteRefused, ConfigError
from kit.redaction.redactor import Redactor
from kit.redaction.rule import DEFAULT_RULES, Rules, parse_rules
from kit.redaction.scan import Find, Scanner
from kit.wire.eventframe import opened
from kit.wire.eventstream import is_eventstream

_EVENT = re.compile(rb"^\x1e?[ \t]*(?:data: ?)?(\{[^\r\n]*)", re.MULTILINE)
_MOST_TOLD = 5
_TABLE = ("tool", "kit", "redaction")


def finds_in(cassette: Cassette, rules: Rules = DEFAULT_RULES, scanner: Scanner | None = None) -> list[Find]:
    """What looks like a secret in a cassette.

    Args:
        cassette: what is about to be written, or was read.
        rules: the user's.
        scanner: one that has been told the rules already, to learn which of them matched.
    """
    scanner = scanner or Scanner(rules)
    header = {name: value for name, value in dataclasses.asdict(cassette.header).items() if value}
    found = list(scanner.value({name: header[name] for name in header if name != "inputs"}, "header"))
    for item in cassette.interactions:
        found.extend(_in_interaction(item, scanner))
    return found


def finds_in_media(media: Mapping[str, bytes], folder: str, scanner: Scanner) -> Iterator[Find]:
    """What looks like a secret in the files beside a cassette.

    Args:
        media: content by file name.
        folder: that the files lie in, as a person sees it.
        scanner: the one that has seen the cassette: a secret is told once.
    """
    for name in sorted(media):
        yield from scanner.media(media[name], f"{folder}/{name}")


def _in_interaction(item: Interaction, scanner: Scanner) -> Iterator[Find]:
    place = f"interaction {item.number}"
    request, response = item.request, item.response
    if isinstance(request, HttpRequest):
        yield from _in_url(request.url, f"{place}, url", scanner)
        yield from _in_message(request.headers, request.body, f"{place}, request", scanner)
    else:
        yield from scanner.value(request.arguments, f"{place}, arguments of {request.name}")
    if isinstance(response, HttpResponse):
        yield from _in_message(response.headers, response.body, f"{place}, answer", scanner)
    else:
        yield from scanner.value(response.result, f"{place}, result")
    if response.failure:
        yield from scanner.value(response.failure, f"{place}, failure")


def _in_url(url: str, place: str, scanner: Scanner) -> Iterator[Find]:
    yield from scanner.value(url, place)
    parts = urlsplit(url)
    if "%" in url:
        yield from scanner.value(unquote(parts.path), place)
    for name, value in parse_qsl(parts.query):
        yield from scanner.value(value, f"{place}, {name}", name)


def _in_message(headers: Headers, body: bytes, place: str, scanner: Scanner) -> Iterator[Find]:
    for name, value in headers:
        yield from scanner.value(value, f"{place}, header {name}", name)
    if not body:
        return
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        yield from _in_text(body, place, scanner)
        return
    if isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) for one in value):
        yield from scanner.value(assemble(value), f"{place}, joined")
    yield from scanner.value(value, place)


def _in_frames(body: bytes, place: str, scanner: Scanner) -> Iterator[Find]:
    """An AWS event stream: what its frames carry, and what stands inside that in base64."""
    frames = opened(body)
    for frame in frames:
        for name, value in zip(frame.names, frame.values, strict=True):
            yield from scanner.value(value, f"{place}, header {name}", name.lstrip(":"))
    for layer in (
        [frame.payloads[0] for frame in frames],
        [text for frame in frames for text in frame.payloads[1:]],
    ):
        values = [(text, _loaded(text.encode("utf-8", "surrogateescape"))) for text in layer]
        events = [value for _, value in values if isinstance(value, dict)]
        yield from scanner.value(assemble(events), f"{place}, stream")
        yield from scanner.value(events, place)
        for text, value in values:
            if not isinstance(value, dict):
                yield from scanner.octets(text.encode("utf-8", "surrogateescape"), place)


def _in_text(body: bytes, place: str, scanner: Scanner) -> Iterator[Find]:
    if is_eventstream(body):
        yield from _in_frames(body, place, scanner)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        yield from scanner.octets(body, place)
        return
    events = [event for event in map(_loaded, _EVENT.findall(body)) if isinstance(event, dict)]
    if events:
        yield from scanner.value(assemble(events), f"{place}, stream")
        yield from scanner.value(events, place)
    if "\0" in text:
        yield from scanner.octets(body, place)
    elif "=" in text and "\n" not in text and "&" in text:
        for name, value in parse_qsl(text):
            yield from scanner.value(value, f"{place}, {name}", name)
    elif not events:
        yield from scanner.value(text, place)


def _loaded(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


def project_rules(root: Path) -> Rules:
    """The rules of `[tool.kit.redaction]` in a project: whoever writes a cassette there is held to them.

    Raises:
        ConfigError: a rule is invalid, or nobody can tell which rules there are.
    """
    import tomllib  # replay writes no cassette

    path = root / "pyproject.toml"
    try:
        table: Any = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return DEFAULT_RULES
    except OSError as error:
        raise _unknown_rules(f"cannot be read: {error.strerror}", path) from error
    except ValueError as error:
        raise _unknown_rules(f"is not TOML: {error}", path) from error
    for depth, name in enumerate(_TABLE, 1):
        if name not in table:
            return DEFAULT_RULES
        table = table[name]
        if not isinstance(table, dict):
            raise _unknown_rules(f"`{'.'.join(_TABLE[:depth])}` must be a table", path)
    return parse_rules(table)


def _unknown_rules(what: str, path: Path) -> ConfigError:
    return ConfigError(
        what,
        where=str(path),
        why="its redaction rules hold for every recording; without them a secret passes",
        next_command="mend it, then kit cassette recover brings back what was being recorded",
    )


def with_clean_header(cassette: Cassette, rules: Rules, text: str) -> Cassette:
    """The cassette without secrets in its header: of the command that was typed, of the address.

    Args:
        cassette: what is about to be written.
        rules: the user's.
        text: all of it, whose masks are not to be given again.
    """
    redactor = Redactor(rules)
    redactor.reserve(text)
    header = cassette.header
    agent = header.agent and redactor.text(header.agent)
    base_url = header.base_url and redactor.url(header.base_url)
    if (agent, base_url) == (header.agent, header.base_url):
        return cassette
    return dataclasses.replace(cassette, header=dataclasses.replace(header, agent=agent, base_url=base_url))


def refusal(path: Path, kept: Path, found: Sequence[Find]) -> CassetteRefused:
    """Why a recording was not written, and what helps; it names places, never a secret."""
    shown = [f"    {_placed(find)}: {find.kind}, {find.shown}" for find in found[:_MOST_TOLD]]
    if len(found) > _MOST_TOLD:
        shown.append(f"    and {len(found) - _MOST_TOLD} more")
    return CassetteRefused(
        "\n".join(["the recording holds what looks like a secret, so it was not written:", *shown]),
        where=str(path),
        why=f"what is committed cannot be taken back; the recording is kept outside git, in {kept}",
        next_command="a secret: name it in [tool.kit.redaction] (fields or patterns), then record again; "
        "none: add it there to allow, then "
        f"mv {kept} {path}",
    )


def _placed(find: Find) -> str:
    return find.place if find.line is None else f"{find.place}, line {find.line}"
