"""Large media beside the cassette."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.emit import dumps
from kit.cassette.key import Keyer
from kit.cassette.load import loads
from kit.cassette.marks import Args, Media, RawBytes
from kit.cassette.media import LIMIT, beside, drop_unused, file_name, folder_of, put_back, read, taken_out
from kit.cassette.store import read as read_file
from kit.cassette.store import write, write_partial
from kit.errors import CassetteInvalid, CassetteRefused
from tests.fakes.cassettes import call, cassette, compact, request

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50
PDF = b"%PDF-1.7\n" + b"\xff\xfe" * 9000


def url(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode()


def with_picture(content: bytes = PNG) -> Any:
    """A recording whose second request repeats a picture, and whose answer is a document."""
    shown = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url(content)}}]}
    return cassette(
        call(1, request(shown), compact({"answer": "a picture"})),
        call(
            2,
            request(shown, {"role": "user", "content": "and?"}),
            PDF,
            headers=(("content-type", "application/pdf"),),
        ),
    )


def test_pictures_and_documents_are_files(tmp_path: Path) -> None:
    """The cassette names them, and everything comes back byte for byte, keys too."""
    path = tmp_path / "x.yaml"
    meant = with_picture()
    write(path, meant)
    text = path.read_text("utf-8")
    assert len(text) < 3000
    assert f"!media.base64 'data:image/png;base64,{file_name(PNG)}'" in text
    assert f"answer: !media {file_name(PDF)}" in text or f"answer: !media '{file_name(PDF)}'" in text
    assert sorted(file.name for file in folder_of(path).iterdir()) == sorted([file_name(PNG), file_name(PDF)])
    assert (tmp_path / "x.media" / file_name(PNG)).read_bytes() == PNG
    found = read_file(path, Keyer())
    assert found.interactions == meant.interactions
    assert not found.edited
    inline = loads(dumps(meant), keyer=Keyer())
    assert [item.key for item in found.interactions] == [item.key for item in inline.interactions]


def test_a_new_recording_drops_what_it_no_longer_needs(tmp_path: Path) -> None:
    """But not what an interrupted recording beside it needs, or it needs of that one."""
    path = tmp_path / "x.yaml"
    write(path, with_picture())
    write_partial(path, with_picture(PNG + b"2"))
    assert len(list(folder_of(path).iterdir())) == 3
    assert read_file(path).interactions == with_picture().interactions
    write(path, with_picture(PNG + b"3"))
    names = {file.name for file in folder_of(path).iterdir()}
    assert names == {file_name(PNG + b"2"), file_name(PNG + b"3"), file_name(PDF)}
    path.with_name("x.yaml.partial").unlink()
    (folder_of(path) / "README").write_text("mine", "utf-8")
    write(path, cassette())
    assert [file.name for file in folder_of(path).iterdir()] == ["README"]
    (folder_of(path) / "README").unlink()
    write(path, cassette())
    assert not folder_of(path).exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.unlink(), "cannot be read: No such file"),
        (lambda file: file.write_bytes(PNG + b"!"), "was changed: its content is not what its name says"),
        (
            lambda file: file.write_bytes(b"version https://git-lfs.github.com/spec/v1\n"),
            "a pointer of git LFS",
        ),
    ],
)
def test_a_file_that_is_not_there_or_another(spoil: Any, said: str, tmp_path: Path) -> None:
    """Says which file, and what brings it back."""
    path = tmp_path / "x.yaml"
    write(path, with_picture())
    spoil(folder_of(path) / file_name(PNG))
    with pytest.raises(CassetteInvalid) as caught:
        read_file(path)
    assert said in caught.value.what
    assert file_name(PNG) in caught.value.what
    assert caught.value.next_command is not None


def test_small_media_stay() -> None:
    """And so does text that only looks like base64."""
    found: dict[str, bytes] = {}
    small = {
        "a": url(b"x" * LIMIT),
        "b": "word " * LIMIT,
        "c": "x" * (2 * LIMIT + 1),
        "d": RawBytes(b"x" * LIMIT),
    }
    assert taken_out(small, found) == small
    assert found == {}


@given(st.binary(min_size=1, max_size=64), st.booleans(), st.sampled_from(["", "data:audio/wav;base64,"]))
def test_any_large_content_comes_back(seed: bytes, url_safe: bool, prefix: str) -> None:
    """In both alphabets, in lists, mappings and arguments."""
    content = (seed * (LIMIT // len(seed) + 2))[: LIMIT + len(seed)]
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    tree = {"a": [prefix + encode(content).decode()], "b": Args("", {"c": encode(content).decode()})}
    found: dict[str, bytes] = {}
    shown = taken_out(tree, found)
    assert isinstance(shown["a"][0], Media)
    assert list(found.values()) == [content]
    assert put_back(shown, found.__getitem__) == tree
    body = taken_out(RawBytes(content), found)
    assert put_back(body, found.__getitem__) == RawBytes(content)


def test_kinds_are_told_by_their_first_bytes() -> None:
    """So that a reviewer can open the file."""
    heads = {
        b"\xff\xd8\xff": "jpg",
        b"RIFF1234WEBP": "webp",
        b"0000ftypmp42": "mp4",
        b"OggS": "ogg",
        b"?": "bin",
    }
    for content, kind in heads.items():
        assert file_name(content).endswith(f".{kind}")


@pytest.mark.parametrize(
    ("tag", "value"), [("!media", "x.png"), ("!media.hex", "0" * 32 + ".png"), ("!media", "../" * 9)]
)
def test_odd_references_are_refused(tag: str, value: str) -> None:
    """A name is a digest, never a path."""
    with pytest.raises(ValueError, match="it must be"):
        read(tag, value)


def test_nothing_is_dropped_where_nothing_is(tmp_path: Path) -> None:
    """A cassette without media has no folder; a deleted one leaves none."""
    path = tmp_path / "x.yaml"
    drop_unused(path)
    with pytest.raises(CassetteInvalid, match="cannot be read"):
        beside(path)("0" * 32 + ".png")
    write(path, with_picture())
    path.unlink()
    drop_unused(path)
    assert list(tmp_path.glob("x.*")) == []


@pytest.mark.parametrize("secret", ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "tr0ub4dor-and-three"])
def test_a_secret_in_a_picture_refuses_the_file(
    secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its look, or since the environment names it; the text names file and place, nothing is written."""
    monkeypatch.setenv("ACME_API_KEY", "tr0ub4dor-and-three")
    path = tmp_path / "x.yaml"
    spoilt = PNG + f"comment {secret} ".encode() + b"\xff"
    with pytest.raises(CassetteRefused) as caught:
        write(path, with_picture(spoilt))
    assert f"x.media/{file_name(spoilt)}, byte {len(PNG) + 8}: " in str(caught.value)
    assert secret not in str(caught.value)
    assert not path.exists()
    assert not folder_of(path).exists()
    (kept,) = (tmp_path / ".kit" / "refused").iterdir()
    assert read_file(kept).interactions == with_picture(spoilt).interactions


def test_a_secret_in_a_text_is_named_by_its_line(tmp_path: Path) -> None:
    """Large texts in base64 are media too."""
    text = b"a line of text\n" * LIMIT + b"ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"
    with pytest.raises(CassetteRefused, match=rf"x\.media/{file_name(text)}, line {LIMIT + 1}: GitHub token"):
        write(tmp_path / "x.yaml", with_picture(text))
