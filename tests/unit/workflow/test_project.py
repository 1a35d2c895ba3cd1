"""What every workflow starts from."""

from __future__ import annotations

import pytest

from kit.errors import ConfigError, UsageError
from kit.workflow.project import open_project, refuse_in_ci
from tests.fakes.stub_project import StubProject


def test_project_is_found_from_a_folder_below(project: StubProject) -> None:
    """Wherever kit is started, its root is the folder that configures it."""
    below = project.write("src/deep/x.py", "").parent
    assert open_project(start=below).root == project.root
    assert open_project().root == project.root


def test_arguments_win(project: StubProject) -> None:
    """The command line says more than pyproject.toml; what it does not say stays."""
    opened = open_project(model="m:1b", base_url="http://told.test/v1", agent="a.b:c")
    assert (opened.settings.model, opened.settings.agent) == ("m:1b", "a.b:c")
    assert opened.settings.overrides == {"model", "base_url", "agent"}
    assert open_project().settings.model == "stub"
    assert open_project().settings.overrides == frozenset()


def test_wrong_settings_are_refused(project: StubProject) -> None:
    """With file and line."""
    project.write("pyproject.toml", '[tool.kit]\nmodle = "x"\n')
    with pytest.raises(ConfigError, match=r"pyproject\.toml:2"):
        open_project()


def test_scratch_folders_are_fresh_and_ignored(project: StubProject) -> None:
    """Two runs in one second do not share a folder, and git sees neither."""
    opened = project.open()
    one, other = opened.scratch("reports"), opened.scratch("reports")
    assert one != other
    assert one.parent == other.parent == project.root / ".kit" / "reports"
    assert list(one.iterdir()) == []
    assert (project.root / ".kit" / ".gitignore").read_text("utf-8") == "*\n"


@pytest.mark.parametrize("value", ["true", "1", "yes", "github"])
def test_ci_refuses_what_changes_the_accepted(project: StubProject, value: str) -> None:
    """Decision 16: the message says how to do it elsewhere, or to allow it."""
    with pytest.raises(UsageError, match="kit record is refused where CI is set") as refused:
        refuse_in_ci(project.open(), "record", {"CI": value})
    assert refused.value.exit_code == 2
    assert "record_in_ci = true" in (refused.value.next_command or "")


@pytest.mark.parametrize("environ", [{}, {"CI": ""}, {"CI": "false"}, {"CI": "False"}, {"CI": "0"}])
def test_without_ci_nothing_is_refused(project: StubProject, environ: dict[str, str]) -> None:
    """A variable that says no is no CI."""
    refuse_in_ci(project.open(), "record", environ)


def test_configuration_may_allow_it(project: StubProject) -> None:
    """`record_in_ci = true` is a decision of the project."""
    project.write("pyproject.toml", "[tool.kit]\nrecord_in_ci = true\n")
    refuse_in_ci(project.open(), "record", {"CI": "true"})


def test_environment_of_the_process_counts(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an environment given, it is this one."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError):
        refuse_in_ci(project.open(), "accept")


@pytest.mark.parametrize(
    ("rules", "line", "named"),
    [
        ("patterns = ['(']", 3, '`patterns` "("'),
        ("fields = ['a']\npatterns = [\n  'fine',\n  '\\d*',\n]", 6, "matches the empty text"),
        ('patterns = [\n  "a\\\\d(",\n]', 4, "no regular expression"),
        ("allow = [{ pattern = 'x', why = 'y' }]", 3, "`pattern` and `reason`"),
        ("patern = ['x']", 3, "unknown key"),
    ],
)
def test_a_wrong_redaction_rule_is_told_with_its_line(
    project: StubProject, rules: str, line: int, named: str
) -> None:
    """Before anything is recorded without it."""
    project.write("pyproject.toml", f"[tool.kit]\n[tool.kit.redaction]\n{rules}\n")
    with pytest.raises(ConfigError) as refused:
        project.open()
    assert refused.value.where == f"pyproject.toml:{line}"
    assert named in str(refused.value)
