"""Foreign recordings as cassettes."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.cassette.cassette import Cassette
from kit.cassette.foreign.exchange import Exchange
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.cassette.store import read, write
from kit.errors import UsageError
from kit.redaction.redactor import Redactor
from kit.workflow.importing import NO_ANSWER, as_cassette, import_recordings
from kit.workflow.project import Project, open_project

JSON = ("content-type", "application/json")
CHAT = b'{"model":"asked","messages":[{"role":"user","content":"hi"}]}'
SAID = b'{"id":"1","model":"said-1","choices":[{"index":0,"message":{"role":"assistant","content":"ho"}}]}'


def chat(number: int = 1, **changed: Any) -> Exchange:
    values: dict[str, Any] = {
        "number": number,
        "method": "POST",
        "url": "https://api.openai.com/v1/chat/completions",
        "request_headers": (JSON, ("Authorization", "Bearer sk-abcdefgh12345678")),
        "request": CHAT,
        "status": 200,
        "answer_headers": (JSON, ("Date", "Sun, 29 Nov 2026 21:59:34 GMT"), ("x-request-id", "r1")),
        "answer": SAID,
        **changed,
    }
    return Exchange(**values)


def cassette(*exchanges: Exchange) -> tuple[Cassette, tuple[str, ...]]:
    return as_cassette(exchanges, "old.yaml", "new.yaml", Redactor())


def test_header_says_what_it_is() -> None:
    """Imported, by which kit, the model that answered, the date of the first answer; nothing else."""
    made, notices = cassette(chat())
    header = made.header
    assert (header.imported, header.scenario, header.model) == ("old.yaml", "new", "said-1")
    assert header.recorded == header.start == "2026-11-29T21:59:34Z"
    assert (header.verdict, header.agent, header.cost_micro_usd, header.commit) == (None, None, None, None)
    assert notices == ()


def test_without_a_date_the_file_tells_when() -> None:
    """Servers' dates are often scrubbed; cassetter and VCR write when they recorded."""
    made, _ = cassette(chat(answer_headers=(JSON,), recorded="2026-10-07T09:54:26.197159+02:00"))
    assert made.header.recorded == "2026-10-07T07:54:26Z"


def test_without_a_date_the_import_is_the_date() -> None:
    """Nothing is known, and nothing older is made up; a date that is none counts as none."""
    undated, _ = cassette(chat(answer_headers=(JSON, ("date", "never"))))
    dated, _ = cassette(chat())
    assert undated.header.recorded > dated.header.recorded


def test_times_are_not_made_up() -> None:
    """No exchange takes time, and none in pieces."""
    made, _ = cassette(chat(1), chat(2))
    assert [(item.number, item.started_ms, item.ended_ms) for item in made.interactions] == [
        (1, 0, 0),
        (2, 0, 0),
    ]
    assert all(
        isinstance(item.response, HttpResponse) and not item.response.chunks for item in made.interactions
    )


def test_secrets_are_masked() -> None:
    """In address, headers and bodies, like in a recording."""
    secret = "sk-abcdefgh12345678"
    url = f"https://api.openai.com/v1/chat/completions?api_key={secret}"
    made, _ = cassette(
        chat(
            url=url, request=CHAT.replace(b"hi", secret.encode()), answer=SAID.replace(b"ho", secret.encode())
        )
    )
    (item,) = made.interactions
    assert isinstance(item.request, HttpRequest)
    assert isinstance(item.response, HttpResponse)
    assert item.request.headers == (JSON,)
    assert item.request.url.endswith("?api_key=<secret-1>")
    assert b"<secret-1>" in item.request.body
    assert b"<secret-1>" in item.response.body


def test_encoded_bodies() -> None:
    """Decoded where possible; else the bytes stay, with the header that says so, and a notice."""
    zipped = (JSON, ("content-encoding", "gzip"))
    unknown = (JSON, ("content-encoding", "sdch"))
    made, notices = cassette(
        chat(1, answer=gzip.compress(SAID), answer_headers=zipped),
        chat(2, answer=SAID, answer_headers=zipped, is_answer_value=True),
        chat(3, answer=b"\xff", answer_headers=unknown),
    )
    first, second, third = (item.response for item in made.interactions)
    assert first == second == HttpResponse(200, (JSON,), SAID)
    assert third == HttpResponse(200, (JSON, ("content-encoding", "sdch")), b"\xff")
    (notice,) = notices
    assert notice.startswith(
        "interaction 3 (POST https://api.openai.com/v1/chat/completions): the answer stays"
    )
    assert notice.endswith("encoded: no decoder for sdch is installed (sdch)")


def test_no_answer_is_a_failure() -> None:
    """Replay raises; an answer is not made up."""
    made, notices = cassette(chat(status=None, answer=b"", answer_headers=()))
    assert made.interactions[0].response == HttpResponse(0, failure=NO_ANSWER)
    assert "has no answer" in notices[0]


def test_what_no_dialect_knows_is_plain_http() -> None:
    """Lane `other`, with a notice."""
    made, notices = cassette(chat(method="GET", url="https://x.org/cat.jpg", request=b"", answer=b"\xff\xd8"))
    assert made.interactions[0].lane == "other"
    (notice,) = notices
    assert notice.startswith(
        "interaction 1 (GET https://x.org/cat.jpg) is spoken in no dialect that kit knows"
    )
    filed, told = cassette(chat(method="DELETE", url="https://api.openai.com/v1/files/f-1", request=b""))
    assert (filed.interactions[0].lane, told) == ("other", ())
    own, _ = as_cassette([chat(url="http://gpu:1/odd")], "a", "b", Redactor(), ("http://gpu:1/",))
    assert own.interactions[0].lane == "model"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    (tmp_path / "pyproject.toml").write_text('[tool.kit.redaction]\npatterns = ["ACME-[0-9]+"]\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    return open_project()


def foreign(path: Path, text: str = "hi") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    request = {"method": "GET", "uri": "https://x.org/", "headers": {}, "body": text}
    response = {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": text}}
    path.write_text(
        yaml.dump({"interactions": [{"request": request, "response": response}], "version": 1}), "utf-8"
    )
    return path


def test_what_is_left_out_is_said(tmp_path: Path, project: Project) -> None:
    """A recording of cassetter may hold websockets beside HTTP."""
    source = foreign(tmp_path / "old.yaml")
    source.write_text(source.read_text() + "ws_interactions:\n- uri: wss://x.org/\n  frames: []\n", "utf-8")
    (one,) = import_recordings(project, [source], tmp_path / "new.yaml").files
    assert one.exchanges == 1
    assert any("1 ws_interactions" in notice for notice in one.notices)


def test_one_file(project: Project, tmp_path: Path) -> None:
    """To the file that was named, with the project's own rules; again over itself."""
    source = foreign(tmp_path / "old.yaml", "ACME-77 é")
    assert import_recordings(project, [source], tmp_path / "new.yaml").exit_code == 0
    (one,) = import_recordings(project, [source], tmp_path / "new.yaml").files
    assert (one.path, one.exchanges, one.model_calls) == (tmp_path / "new.yaml", 1, 0)
    assert (one.source_bytes, one.bytes) == (source.stat().st_size, (tmp_path / "new.yaml").stat().st_size)
    made = read(tmp_path / "new.yaml")
    assert made.header.imported == "old.yaml"
    assert isinstance(made.interactions[0].request, HttpRequest)
    assert made.interactions[0].request.body == "<secret-1> é".encode()


def test_a_compressed_file(project: Project, tmp_path: Path) -> None:
    """LangChain's; in a folder and alone, and one that is none is named."""
    plain = foreign(tmp_path / "old" / "a.yaml")
    packed = plain.with_name("b.yaml.gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    plain.with_name("c.json.gz").write_bytes(b"\x1f\x8b\x00 torn")
    plain.with_name("notes.txt.gz").write_bytes(b"no")
    done = import_recordings(project, [tmp_path / "old"], tmp_path / "new")
    assert [one.path for one in done.files] == [tmp_path / "new/a.yaml", tmp_path / "new/b.yaml", None]
    assert "the body is no gzip" in str(done.files[2].problem)
    (alone,) = import_recordings(project, [packed], tmp_path / "more").files
    assert (alone.path, alone.source_bytes) == (tmp_path / "more/b.yaml", packed.stat().st_size)
    assert (tmp_path / "new/a.yaml").read_text().count("hi") == (tmp_path / "new/b.yaml").read_text().count(
        "hi"
    )


def test_a_folder(project: Project, tmp_path: Path) -> None:
    """Keeps its tree; a broken file keeps no other back, and the exit code says that there was one."""
    foreign(tmp_path / "old" / "a.yaml")
    foreign(tmp_path / "old" / "deep" / "b.yml")
    (tmp_path / "old" / "broken.json").write_text("{", "utf-8")
    (tmp_path / "old" / "notes.txt").write_text("no", "utf-8")
    done = import_recordings(project, [tmp_path / "old"], tmp_path / "new")
    assert [one.path for one in done.files] == [tmp_path / "new/a.yaml", None, tmp_path / "new/deep/b.yaml"]
    assert done.exit_code == 3
    assert done.files[1].problem is not None
    assert sorted(path.name for path in (tmp_path / "new").rglob("*.yaml")) == ["a.yaml", "b.yaml"]


def test_a_recording_is_not_written_over(project: Project, tmp_path: Path) -> None:
    """An import is cheap, a recording is not; a broken file is somebody's too."""
    source, target = foreign(tmp_path / "old.yaml"), tmp_path / "new.yaml"
    recorded = Header(scenario="x", start="2026-11-29T21:59:34Z", recorded="2026-11-29T21:59:34Z")
    write(target, Cassette(recorded, ()))
    before = target.read_bytes()
    (one,) = import_recordings(project, [source], target).files
    assert "kit does not write an import over a recording" in str(one.problem)
    assert target.read_bytes() == before
    target.write_text("mine", "utf-8")
    assert import_recordings(project, [source], target).files[0].problem is not None
    assert target.read_text("utf-8") == "mine"


def test_nothing_is_imported_in_ci(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16: a cassette is there because a person wanted it."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError, match="kit cassette import is refused where CI is set"):
        import_recordings(project, [foreign(tmp_path / "old.yaml")], tmp_path / "new.yaml")
    assert not (tmp_path / "new.yaml").exists()


def test_what_cannot_be_meant(project: Project, tmp_path: Path) -> None:
    """Several files into one, two files of one name, an empty folder, no file, no name of a cassette."""
    first, second = foreign(tmp_path / "a" / "x.yaml"), foreign(tmp_path / "b" / "x.json")
    with pytest.raises(UsageError, match="several files cannot become the one cassette"):
        import_recordings(project, [first, second], tmp_path / "out.yaml")
    with pytest.raises(UsageError, match=r"would both become[\s\S]*x\.json --out \S*out/x-json\.yaml"):
        import_recordings(project, [first, second], tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"no .yaml, .yml, .json file in"):
        import_recordings(project, [tmp_path / "empty"], tmp_path / "out")
    for out in ("out", "out.yaml"):
        with pytest.raises(UsageError, match=r"there is no such file\n  next: ls "):
            import_recordings(project, [tmp_path / "none.yaml"], tmp_path / out)
    for suffix in (".json", ".yml"):
        with pytest.raises(UsageError, match=r"a cassette ends in \.yaml"):
            import_recordings(project, [first], tmp_path / f"out{suffix}")
    assert not list(tmp_path.glob("out*"))
