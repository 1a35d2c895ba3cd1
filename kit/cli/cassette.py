"""`kit cassette <verb>`: what is done to recordings apart from making and playing them."""

from __future__ import annotations

import importlib

import typer

VERBS = {
    "import": "Make cassettes of recordings of vcrpy and its kin.",
    "recover": "Make cassettes of recordings that a kill or a full disk kept from being saved.",
    "migrate": "After an edit of a prompt: new requests, the old answers, for a while.",
    "export": "Write a cassette in the YAML of vcrpy.",
    "prune": "List what no scenario owns any more; delete it with --yes.",
    "resolve": "Take one side of a recording that git could not merge.",
}
"""Each verb is the function `cassette_<verb>` of `kit/cli/cassette_<verb>.py`; here is its line of help."""

app = typer.Typer(
    help="Bring recordings in and out of the project, and look after them.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.callback()
def cassette() -> None:
    """Bring recordings in and out of the project, and look after them."""


def register() -> None:
    """Put every verb into the group."""
    for verb, told in VERBS.items():
        module = importlib.import_module(f"kit.cli.cassette_{verb}")
        app.command(verb, short_help=told)(getattr(module, f"cassette_{verb}"))


register()
