"""Recordings of other kits as cassettes: what is known comes over, what is not known is said."""

from __future__ import annotations

import email.utils
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import kit
from kit import clock
from kit.cassette.cassette import Cassette
from kit.cassette.foreign.encoding import Decoded, decode
from kit.cassette.foreign.exchange import Exchange
from kit.cassette.foreign.vcr import left_out, read_exchanges
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.cassette.paths import SUFFIX
from kit.cassette.store import read, write
from kit.errors import (
    EXIT_CASSETTE,
    EXIT_OK,
    CassetteError,
    CassetteInvalid,
    EnvironmentFault,
    KitError,
    UsageError,
)
from kit.recording.lanes import lane_of
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules
from kit.trace.model_call import model_calls
from kit.trace.plain_http import what_it_is
from kit.workflow.project import Project, refuse_in_ci

_FOREIGN = (".yaml", ".yml", ".json")
_GZIP = ".gz"
"""LangChain's recordings are compressed."""
_ENCODED = "content-encoding"
NO_ANSWER = "ReadError: the imported file holds no answer"
"""How an exchange without a response is kept: replay gives the agent an error, never an answer made up."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one file.

    Attributes:
        source: the foreign file.
        path: the cassette; None where the file could not be read.
        exchanges: how many there are.
        model_calls: how many of them a dialect of kit knows as calls of a model.
        source_bytes: size of the foreign file.
        bytes: size of the cassette.
        notices: what a person has to know about the cassette.
        problem: why there is no cassette.
    """

    source: Path
    path: Path | None = None
    exchanges: int = 0
    model_calls: int = 0
    source_bytes: int = 0
    bytes: int = 0
    notices: tuple[str, ...] = ()
    problem: KitError | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of all files, in their order."""

    files: tuple[Imported, ...] = field(default=())

    @property
    def exit_code(self) -> int:
        """0 where every file came over."""
        return EXIT_CASSETTE if any(one.problem for one in self.files) else EXIT_OK


def import_recordings(project: Project, sources: Sequence[Path], out: Path) -> ImportResult:
    """Import foreign recordings; each file for itself, so that one that is broken keeps no other back.

    Args:
        project: its redaction rules and model address hold.
        sources: files, or folders with such files.
        out: the cassette, or for several files the folder of the cassettes.

    Raises:
        UsageError: nothing to import, a file that is not there, two files of one name, a name that no
            cassette has, or CI is set.
        ConfigError: a redaction rule is invalid.
        EnvironmentFault: the disk refuses.
    """
    refuse_in_ci(project, "cassette import")
    pairs = _targets(sources, out)
    rules = parse_rules(project.settings.redaction)
    return ImportResult(
        tuple(
            _import(source, target, Redactor(rules), (project.settings.base_url,)) for source, target in pairs
        )
    )


def _targets(sources: Sequence[Path], out: Path) -> list[tuple[Path, Path]]:
    found: list[tuple[Path, Path]] = []
    is_many = len(sources) > 1 or any(source.is_dir() for source in sources)
    if is_many and out.suffix == SUFFIX:
        raise UsageError(
            f"several files cannot become the one cassette {out}",
            next_command=f"name a folder: --out {out.with_suffix('')}",
        )
    if out.suffix in _FOREIGN and out.suffix != SUFFIX:
        raise UsageError(f"a cassette ends in {SUFFIX}", next_command=f"--out {out.with_suffix(SUFFIX)}")
    for source in sources:
        if not source.exists():
            raise UsageError(
                "there is no such file",
                where=str(source),
                next_command=f"ls {source.parent}, then the same command with a file that is there",
            )
        if source.is_dir():
            inside = sorted(path for path in source.rglob("*") if _is_foreign(path) and path.is_file())
            found += [(path, out / _plain(path.relative_to(source)).with_suffix(SUFFIX)) for path in inside]
        else:
            is_folder = is_many or out.suffix != SUFFIX
            found.append((source, out / f"{_plain(source).stem}{SUFFIX}" if is_folder else out))
    if not found:
        raise UsageError(f"no {', '.join(_FOREIGN)} file in {', '.join(map(str, sources))}")
    taken: dict[Path, Path] = {}
    for source, target in found:
        if target in taken:
            other = target.with_name(f"{target.stem}-{source.suffix[1:]}{SUFFIX}")
            raise UsageError(
                f"{taken[target]} and {source} would both become {target}",
                next_command=f"name one of them by itself: kit cassette import {source} --out {other}",
            )
        taken[target] = source
    return found


def _plain(path: Path) -> Path:
    """The name of a file without that of its compression."""
    return path.with_suffix("") if path.suffix == _GZIP else path


def _is_foreign(path: Path) -> bool:
    return _plain(path).suffix in _FOREIGN


def _import(source: Path, target: Path, redactor: Redactor, model_urls: Sequence[str]) -> Imported:
    try:
        _refuse_recorded(target)
        content = _content(source)
        exchanges = read_exchanges(content, str(source))
        cassette, notices = as_cassette(exchanges, source.name, target.name, redactor, model_urls)
        if (rest := left_out(content, str(source))) is not None:
            notices = (*notices, rest)
        write(target, cassette)
    except EnvironmentFault:
        raise
    except KitError as problem:
        return Imported(source, problem=problem)
    return Imported(
        source,
        target,
        len(cassette.interactions),
        sum(item.lane == "model" for item in cassette.interactions),
        source.stat().st_size,
        target.stat().st_size,
        notices,
    )


def _content(source: Path) -> bytes:
    try:
        content = source.read_bytes()
    except OSError as error:
        raise CassetteInvalid(f"cannot be read: {error.strerror}", where=str(source)) from error
    if source.suffix != _GZIP:
        return content
    decoded = decode(content, ((_ENCODED, "gzip"),))
    if decoded.problem:
        raise CassetteInvalid(f"cannot be decompressed: {decoded.problem}", where=str(source))
    return decoded.content


def _refuse_recorded(target: Path) -> None:
    """A recording is dearer than an import: it is not written over."""
    if not target.exists():
        return
    try:
        imported = read(target).header.imported
    except CassetteError:
        imported = None
    if imported is None:
        raise UsageError(
            "this file is there and no import",
            where=str(target),
            why="kit does not write an import over a recording",
            next_command=f"git rm {target}, or another --out",
        )


def as_cassette(
    exchanges: Sequence[Exchange],
    source: str,
    name: str,
    redactor: Redactor,
    model_urls: Sequence[str] = (),
) -> tuple[Cassette, tuple[str, ...]]:
    """Exchanges of a foreign file as a cassette, and what a person has to know about it.

    Args:
        exchanges: in the order of the file.
        source: name of the foreign file, for the header.
        name: of the cassette's file.
        redactor: one for each cassette, since masks are numbered in the order of a cassette.
        model_urls: base URLs of the project's own model.
    """
    notices: list[str] = []
    items = [_interaction(one, redactor, model_urls, notices) for one in exchanges]
    recorded = _recorded(exchanges)
    header = Header(
        scenario=name.removesuffix(SUFFIX),
        model=next((model for call in model_calls(items) if (model := call.model())), None),
        start=recorded,
        recorded=recorded,
        imported=source,
        kit=kit.__version__,
    )
    return Cassette(header, tuple(items)), tuple(notices)


def _recorded(exchanges: Sequence[Exchange]) -> str:
    """When the first server answered, by its own clock, else by the file's; where neither says, now."""
    dates = (value for one in exchanges for name, value in one.answer_headers if name.lower() == "date")
    for date in dates:
        try:
            return clock.iso(email.utils.parsedate_to_datetime(date))
        except ValueError:
            continue
    for one in exchanges:
        try:
            return clock.iso(clock.parse_iso(one.recorded))
        except ValueError:
            continue
    return clock.iso(clock.now())


def _interaction(
    one: Exchange, redactor: Redactor, model_urls: Sequence[str], notices: list[str]
) -> Interaction:
    where = f"interaction {one.number} ({one.method} {redactor.url(one.url)})"
    asked = _decoded(one.request, one.request_headers, f"{where}: the request", notices, one.is_request_value)
    request = HttpRequest(
        one.method,
        redactor.url(one.url),
        _headers(redactor, one.request_headers, asked),
        redactor.body(asked.content, _type(one.request_headers)),
    )
    if one.status is None:
        response = HttpResponse(0, failure=NO_ANSWER)
        notices.append(f"{where} has no answer: replay gives the agent a ReadError")
    else:
        given = _decoded(one.answer, one.answer_headers, f"{where}: the answer", notices, one.is_answer_value)
        headers = _headers(redactor, one.answer_headers, given)
        content = redactor.body(given.content, _type(one.answer_headers))
        response = HttpResponse(one.status, headers, content)
    lane = lane_of(request, model_urls)
    if lane == "other" and what_it_is(request) is None:
        notices.append(f"{where} is spoken in no dialect that kit knows: it is kept as plain HTTP")
    return Interaction(one.number, lane, request, response, 0, 0)


def _decoded(
    content: bytes, headers: tuple[tuple[str, str], ...], where: str, notices: list[str], is_value: bool
) -> Decoded:
    if is_value:
        return Decoded(content)
    decoded = decode(content, headers)
    if decoded.problem:
        notices.append(f"{where} stays encoded: {decoded.problem}")
    return decoded


def _headers(
    redactor: Redactor, headers: tuple[tuple[str, str], ...], decoded: Decoded
) -> tuple[tuple[str, str], ...]:
    kept = redactor.headers(headers)
    return (*kept, (_ENCODED, decoded.left)) if decoded.left else kept


def _type(headers: tuple[tuple[str, str], ...]) -> str:
    return next((value for name, value in headers if name.lower() == "content-type"), "")
