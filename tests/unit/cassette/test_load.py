"""Files that are cassettes, and files that are not."""

from __future__ import annotations

import pytest
import yaml

from kit.cassette.emit import dumps
from kit.cassette.header import Header
from kit.cassette.load import loads, read_document, reviewed
from kit.cassette.yamlevents import read_tree
from kit.errors import CassetteInvalid
from tests.fakes.cassettes import long_run, tool_run

TEXT = dumps(tool_run())


def refused(text: str) -> CassetteInvalid:
    with pytest.raises(CassetteInvalid) as caught:
        loads(text, "cassettes/home/m/001.yaml")
    return caught.value


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        ("- call: 1\n", "a cassette must be a mapping, not a list"),
        ("[]", "must be a mapping"),
        ("interactions: []\n", "no cassette of kit"),
        ("hello", "no cassette of kit"),
        (TEXT.replace("kit: cassette 1", "kit: cassette 2"), "has format 2, this kit reads format 1"),
        (TEXT.replace("kit: cassette 1", "kit: cassette 0"), "has format 0"),
        (
            TEXT.replace("header:\n", "headers:\n"),
            "does not know the key 'headers'; allowed: kit, header, calls",
        ),
        (
            TEXT.replace("  seed: 1\n", "  sede: 1\n"),
            "header does not know the key 'sede'; allowed: kind, suite",
        ),
        (TEXT.replace("  seed: 1\n", "  seed: one\n"), "seed must be an integer, not text"),
        (TEXT.replace("  scenario: ", "  suite: "), "lacks the key 'scenario'"),
        (TEXT.replace('"call-1": "', '"call-1": 5, "x": "'), "the id call-1 must be text, not an integer"),
        (TEXT.replace("  2: {", "  7: {"), "volatile lacks the key '2'"),
        (
            TEXT.replace("  2: {", "  9: {}\n  2: {"),
            "volatile does not know the key '9'; allowed: ids, 1, 2, 3",
        ),
        (TEXT.replace("\ncalls:\n", "\ncalls: 5\nx:\n"), "does not know the key 'x'"),
        (TEXT[: TEXT.index("\ncalls:")] + "\ncalls: []\n" + TEXT[TEXT.index("volatile:") :], "'1'"),
    ],
)
def test_each_wrong_file_has_its_own_sentence(text: str, what: str) -> None:
    """The message says what the file is instead, where, and what to type next."""
    error = refused(text)
    assert what in error.what
    assert str(error.where).startswith("cassettes/home/m/001.yaml")
    assert error.next_command


def test_a_newer_file_says_so() -> None:
    """Who has an old kit is told to upgrade, not that the file is broken."""
    error = refused(TEXT.replace("kit: cassette 1", "kit: cassette 9"))
    assert error.why == "it was written by a newer kit"
    assert "upgrade" in str(error.next_command)


@pytest.mark.parametrize("line", range(3, TEXT.count("\n"), 5))
def test_a_truncated_file_is_cut_short_wherever_it_was_cut(line: int) -> None:
    """Half a recording is never taken for a whole one."""
    cut = "\n".join(TEXT.split("\n")[:line])
    assert "cut short" in refused(cut).what
    assert "cut short" in refused(cut[:-3]).what


def test_a_merge_conflict_is_said_as_such() -> None:
    """Nobody gets a YAML error for what git did, and the next command resolves it."""
    lines = TEXT.split("\n")
    lines[10:10] = ["<<<<<<< HEAD", "  status: 200", "=======", "  status: 500", ">>>>>>> theirs"]
    error = refused("\n".join(lines))
    assert "merge conflict" in error.what
    assert str(error.where).endswith(":11")
    assert error.next_command == "kit cassette resolve cassettes/home/m/001.yaml"


def test_an_edit_by_hand_is_noticed_and_allowed() -> None:
    """Callers learn of it; the cassette still loads."""
    assert not loads(TEXT).edited
    assert loads(TEXT.replace("say which error", "say what error")).edited
    assert loads(TEXT.replace("  seed: 1\n", "  seed: 2\n")).edited
    assert loads(TEXT.replace('"chunks": "', '"chunks": "1 ')).edited


def test_line_endings_and_marks_of_other_systems_are_no_edit() -> None:
    """A checkout on Windows loads as the same cassette."""
    for text in (TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT, TEXT + "\n"):
        found = loads(text)
        assert found == tool_run()
        assert not found.edited


def test_a_reformatted_volatile_block_still_loads() -> None:
    """The block is YAML: a tool that writes it in another style loses nothing."""
    head, _, tail = TEXT.rpartition("\nvolatile:\n")
    block = yaml.safe_dump(yaml.safe_load("volatile:\n" + tail), allow_unicode=True, sort_keys=False)
    text = f"{head}\n{block}"
    assert loads(text).interactions == tool_run().interactions
    assert loads(text).edited


def test_fast_and_strict_reading_agree() -> None:
    """The short cut for the volatile block gives the same tree as the YAML reader."""
    for text in (TEXT, dumps(long_run(5))):
        assert read_document(text, "x", as_written=True) == read_tree(text, "x")


def test_the_header_comes_back_field_by_field() -> None:
    """Provenance is the same after a round trip, and what is not set takes no line."""
    full = Header(
        kind="judge", suite="home", scenario="001", variant="terse", replicate=2, model="gpt-oss:20b",
        model_digest="sha256:1", server="llama.cpp", base_url="http://localhost:11434/v1",
        sampling={"temperature": 0.7, "top_p": 1}, seed=2, key_rule=1, start="2026-11-29T21:59:34Z",
        recorded="2026-11-29T22:00:00Z", agent="kit.agents.home:run", agent_version="1",
        inputs={"scenarios/home/001.yaml": "00ff"}, kit="0.1.0", commit="abc-dirty", cost_micro_usd=0,
        python_hash_seed=0, verdict="fail",
    )  # fmt: skip
    from kit.cassette.cassette import Cassette

    assert loads(dumps(Cassette(full, ()))).header == full
    assert "variant" not in TEXT


def test_the_reviewed_part_is_between_header_and_volatile() -> None:
    """A broken old file has no reviewed part, so writing over it counts as a change."""
    assert reviewed(TEXT).startswith("\ncalls:\n- call: 1\n")
    assert "volatile" not in reviewed(TEXT)
    assert reviewed("no cassette") == ""


@pytest.mark.parametrize(
    "text", ["interactions:\n- request: {}\n", "version: 1\ninteractions: []\n", '{"interactions": []}']
)
def test_recording_of_vcrpy_is_sent_to_the_import(text: str) -> None:
    """Recording anew is no remedy for a file of another kit."""
    assert str(refused(text).next_command).startswith("kit cassette import cassettes/home/m/001.yaml --out")
    assert str(refused("hello").next_command).startswith("kit record")
