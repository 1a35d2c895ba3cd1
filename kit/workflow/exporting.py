"""A cassette for programs that still use vcrpy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit import durable
from kit.cassette.foreign.exchange import Exchange
from kit.cassette.foreign.vcr import read_exchanges
from kit.cassette.foreign.write import write_vcr
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.cassette.peek import peek
from kit.cassette.store import home_of, read
from kit.errors import UsageError


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: the file.
        exchanges: how many it holds.
        notices: what vcrpy's layout has no place for.
    """

    path: Path
    exchanges: int
    notices: tuple[str, ...]


def export_recording(cassette: Path, out: Path) -> Exported:
    """Write a cassette as vcrpy's YAML.

    Calls of tools, exchanges without an answer, times and the header stay behind: that layout has no place
    for them.

    Raises:
        CassetteMissing: there is no such cassette.
        CassetteInvalid: the file is no cassette.
        UsageError: a cassette would be overwritten, this one or another.
        EnvironmentFault: the disk refuses.
    """
    if out.resolve() == cassette.resolve():
        raise UsageError("a cassette cannot be exported over itself", next_command="another --out")
    if peek(out) is not None:
        raise UsageError(
            "this is a cassette of kit, and no export is written over one",
            where=str(out),
            next_command=f"git rm {out}, or another --out",
        )
    interactions = read(cassette).interactions
    exchanges = [found for item in interactions if (found := _exchange(item)) is not None]
    text = write_vcr(exchanges)
    back = read_exchanges(text.encode("utf-8"), str(out))
    if [(one.request, one.answer) for one in back] != [(one.request, one.answer) for one in exchanges]:
        raise UsageError("its bodies would not come back from vcrpy's YAML", where=str(cassette))
    try:
        durable.write(out, text, home_of(cassette))
    except OSError as error:
        raise durable.fault("the export cannot be written", out, error) from error
    return Exported(out, len(exchanges), tuple(_notices(interactions)))


def _exchange(item: Interaction) -> Exchange | None:
    asked, answered = item.request, item.response
    if not isinstance(asked, HttpRequest) or not isinstance(answered, HttpResponse) or not answered.status:
        return None
    return Exchange(
        item.number,
        asked.method,
        asked.url,
        asked.headers,
        asked.body,
        answered.status,
        answered.headers,
        answered.body,
    )


def _notices(interactions: tuple[Interaction, ...]) -> list[str]:
    tools = sum(not isinstance(item.request, HttpRequest) for item in interactions)
    responses = [item.response for item in interactions if isinstance(item.response, HttpResponse)]
    silent = sum(not response.status for response in responses)
    broken = sum(bool(response.status and response.failure) for response in responses)
    said = (
        (tools, "calls of tools stay behind: vcrpy knows HTTP only"),
        (silent, "exchanges without an answer stay behind: vcrpy has no place for them"),
        (broken, "answers that broke off are exported as if they had ended there"),
    )
    return [f"{count} {text}" for count, text in said if count]
