"""Cases that another system prepares (S4-09 … S4-15)."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kit.errors import ConfigError, EnvironmentFault, KitError
from kit.golden.seed import DEFAULT_MODEL, Seeded, parse_seed, run_seed
from kit.scenario.suite import Judging, Suite

SUITE = Suite(
    name="golden",
    description="d",
    categories=("judging",),
    judging=Judging(tool="emit_qa_verdict", values=("approved", "changes_requested")),
)
CASE = {
    "id": "rf-x",
    "projectId": "p1",
    "sessionId": "s1",
    "worktreePath": "tree",
    "story": "RF_1: a rule",
    "task": "Judge it.",
    "expectedVerdict": "approved",
}


def seed(*cases: dict[str, Any], model: str = "m") -> dict[str, Any]:
    """What a hook says."""
    return {"model": model, "cases": list(cases or (CASE,))}


def prepared(root: Path, printed: str, model: str = "m") -> Seeded:
    """Run a command that logs to stderr and prints this."""
    (root / "tree").mkdir(exist_ok=True)
    code = "import os, sys; print('log', file=sys.stderr); model = os.environ['GOLDEN_SET_QA_MODEL']\n"
    (root / "seed.py").write_text(f"{code}print({printed!r}.replace('$M', model))", encoding="utf-8")
    return run_seed(f"{sys.executable} seed.py", model, SUITE, root)


def test_a_command_prints_one_object(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its logs stay on stderr; it is told the model."""
    seeded = prepared(tmp_path, json.dumps(seed(model="$M")), "qwen:1b")
    assert seeded.model == "qwen:1b"
    assert capfd.readouterr() == ("", "log\n")
    (case,) = seeded.selected
    scenario = case.scenario
    assert scenario.id == "rf-x"
    assert scenario.user_messages == ("RF_1: a rule\n\nJudge it.",)
    assert scenario.expected.verdict == "approved"
    assert scenario.setup.channel == "project:p1/session:s1"
    assert json.loads(seeded.text)["cases"] == [CASE]


def test_the_worktree_lies_inside_the_scope_root(tmp_path: Path) -> None:
    """With permissions as the seed wrote them, in it or beside it; nothing outside is ever approved."""
    places = prepared(tmp_path, json.dumps(seed())).selected[0].scenario.setup.fixtures
    assert [(one.path, one.content_fixture) for one in places] == [
        ("/workspace/repo", str(tmp_path / "tree"))
    ]
    (tmp_path / "permissions.json").write_text("{}")
    places = prepared(tmp_path, json.dumps(seed())).selected[0].scenario.setup.fixtures
    assert places[1].content_fixture == str(tmp_path / "permissions.json")
    (tmp_path / "tree" / "permissions.json").write_text("{}")
    places = prepared(tmp_path, json.dumps(seed())).selected[0].scenario.setup.fixtures
    assert places[1].content_fixture == str(tmp_path / "tree" / "permissions.json")


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "ready\n" + json.dumps(seed()),
        json.dumps(seed()) + "\n" + json.dumps(seed()),
        json.dumps([seed()]),
        json.dumps({"model": "m", "cases": []}),
        json.dumps({"model": "", "cases": [CASE]}),
        json.dumps({"cases": [CASE]}),
        json.dumps({**seed(), "note": 1}),
        json.dumps(seed({**CASE, "story": ""})),
        json.dumps(seed({**CASE, "id": "../x"})),
        json.dumps(seed({key: value for key, value in CASE.items() if key != "sessionId"})),
        json.dumps(seed({**CASE, "session_id": "s"})),
        json.dumps(seed(CASE, CASE)),
        json.dumps(seed()).replace('"model": "m"', '"model": "other", "model": "m"'),
        "[" * 100_000,
    ],
)
def test_anything_else_on_stdout_is_an_error(tmp_path: Path, printed: str) -> None:
    """A log line, two objects, a list, a key too many or too few; the message shows what came."""
    with pytest.raises(ConfigError, match="the seed of the golden set is wrong; it gave"):
        prepared(tmp_path, printed)


def test_output_that_is_no_utf_8_is_an_error(tmp_path: Path) -> None:
    """A rule with a hole in it would be judged."""
    (tmp_path / "tree").mkdir()
    raw = json.dumps(seed()).encode().replace(b"a rule", b"a \xff rule")
    (tmp_path / "seed.py").write_text(f"import sys; sys.stdout.buffer.write({raw!r})", encoding="utf-8")
    with pytest.raises(ConfigError, match="stdout must be UTF-8"):
        run_seed(f"{sys.executable} seed.py", "m", SUITE, tmp_path)


def test_an_empty_hook_is_none(tmp_path: Path) -> None:
    """It is told what it must be."""
    with pytest.raises(ConfigError, match="must be a command or a callable"):
        run_seed("  ", "m", SUITE, tmp_path)


@pytest.mark.parametrize(
    ("code", "error", "why"),
    [
        ("def seed(model): raise OSError('no database')", EnvironmentFault, "failed: OSError: no database"),
        ("def seed(model): raise SystemExit(3)", EnvironmentFault, "failed: SystemExit: 3"),
        ("def seed(): return {}", EnvironmentFault, "failed: TypeError"),
        ("def seed(model): return None", ConfigError, "is wrong; it gave 'null'"),
        ("seed = 3", ConfigError, "is no callable"),
        ("raise RuntimeError('at import')", ConfigError, "cannot be imported: RuntimeError: at import"),
        ("raise SystemExit(5)", ConfigError, "cannot be imported: SystemExit: 5"),
        ("def", ConfigError, "cannot be imported: SyntaxError"),
    ],
)
def test_a_callable_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, error: type[KitError], why: str
) -> None:
    """As a command that does: never a bug of kit."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "golden_hook_b.py").write_text(code, encoding="utf-8")
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "golden_hook_b", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with pytest.raises(error, match=why):
        run_seed("golden_hook_b:seed", "m", SUITE, tmp_path)


def test_long_output_is_cut_in_the_message() -> None:
    """Nobody wants a whole log in an error."""
    with pytest.raises(ConfigError) as caught:
        parse_seed("x" * 5000, "hook")
    assert len(str(caught.value)) < 600


def test_only_what_is_wrong_is_told(tmp_path: Path) -> None:
    """A case with a mistake in it is no missing case."""
    with pytest.raises(ConfigError) as caught:
        prepared(tmp_path, json.dumps(seed({**CASE, "projectId": 5})))
    assert caught.value.why == "cases.0.projectId: Input should be a valid string"
    with pytest.raises(ConfigError) as caught:
        prepared(tmp_path, json.dumps(seed() | {"cases": []}))
    assert caught.value.why == "cases: there is none"


@pytest.mark.parametrize("path", ["gone", "a\0b", "x" * 5000])
def test_a_worktree_that_is_not_there(tmp_path: Path, path: str) -> None:
    """Is said before anything runs, whatever the name."""
    with pytest.raises(ConfigError, match="case rf-x: there is no worktree '"):
        prepared(tmp_path, json.dumps(seed({**CASE, "worktreePath": path})))


def test_a_verdict_the_suite_does_not_know(tmp_path: Path) -> None:
    """With those it knows."""
    with pytest.raises(ConfigError, match="expectedVerdict is maybe; the suite allows: approved, changes"):
        prepared(tmp_path, json.dumps(seed({**CASE, "expectedVerdict": "maybe"})))


def test_a_command_that_fails(tmp_path: Path) -> None:
    """Is the world's fault, exit code 4."""
    with pytest.raises(EnvironmentFault, match="exit code 3"):
        run_seed(f"{sys.executable} -c 'raise SystemExit(3)'", "m", SUITE, tmp_path)
    with pytest.raises(EnvironmentFault, match="cannot be started"):
        run_seed("no-such-program", "m", SUITE, tmp_path)
    with pytest.raises(EnvironmentFault, match="cannot be started"):
        run_seed("open 'quote", "m", SUITE, tmp_path)


def test_a_callable_returns_the_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is called with the model; what it prints goes to stderr."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "tree").mkdir()
    (tmp_path / "golden_hook_a.py").write_text(
        f"""
class Hooks:
    @staticmethod
    def seed(model):
        print("log")
        return {seed()!r} | {{"model": model}}

bad = lambda model: {{1, 2}}
""",
        encoding="utf-8",
    )
    assert run_seed("golden_hook_a:Hooks.seed", "z", SUITE, tmp_path).model == "z"
    assert capsys.readouterr() == ("", "log\n")
    with pytest.raises(ConfigError, match="returned no JSON"):
        run_seed("golden_hook_a:bad", "z", SUITE, tmp_path)


@pytest.mark.parametrize("hook", ["golden_hook_gone:seed", "json:no_such_name"])
def test_a_callable_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hook: str) -> None:
    """Names the hook."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(ConfigError, match="cannot be imported"):
        run_seed(hook, "m", SUITE, tmp_path)


def test_the_default_model_is_the_sources() -> None:
    """Recommending another is a decision of people (S4-11, S4-33)."""
    assert DEFAULT_MODEL == "qwen2.5-coder:latest"
