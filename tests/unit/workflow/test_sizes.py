"""How large recordings may grow."""

from __future__ import annotations

from kit.workflow.sizes import too_large
from tests.fakes.stub_project import SETTINGS, StubProject


def test_large_files_and_a_large_folder_are_named_largest_first(project: StubProject) -> None:
    """Three are enough to see where the bytes are; the rest is counted."""
    project.write("pyproject.toml", SETTINGS + "[tool.kit.cassettes]\nmax_file_kb = 2\nmax_total_mb = 1\n")
    assert too_large(project.open()) == ()
    for number in range(1, 6):
        project.write(f"cassettes/home/stub/00{number}.yaml", "x" * number * 1024)
    (found,) = too_large(project.open())
    assert found == (
        "3 recordings larger than 2 kB (max_file_kb): cassettes/home/stub/005.yaml (5.0 kB), "
        "cassettes/home/stub/004.yaml (4.0 kB), cassettes/home/stub/003.yaml (3.0 kB)"
    )
    project.write("cassettes/home/stub/picture.png", "x" * 2 * 1024 * 1024)
    one, all_of_them = too_large(project.open())
    assert "4 recordings larger than 2 kB" in one
    assert one.endswith(" and 1 more")
    assert all_of_them.startswith("cassettes/ takes 2.0 MB, more than 1 MB (max_total_mb); the largest: ")


def test_media_count_with_their_cassette(project: StubProject) -> None:
    """A recording is as large as what it needs; an interrupted one too, and media of none by themselves."""
    project.write("pyproject.toml", SETTINGS + "[tool.kit.cassettes]\nmax_file_kb = 2\n")
    project.write("cassettes/home/stub/001.yaml", "x" * 1024)
    project.write("cassettes/home/stub/001.yaml.partial", "x")
    project.write("cassettes/home/stub/002.yaml.partial", "x" * 1024)
    for number in ("001", "002", "003"):
        for name in ("a", "b"):
            project.write(f"cassettes/home/stub/{number}.media/{name}.png", "x" * 1024)
    (found,) = too_large(project.open())
    assert found == (
        "2 recordings larger than 2 kB (max_file_kb): cassettes/home/stub/001.yaml (3.0 kB), "
        "cassettes/home/stub/002.yaml.partial (3.0 kB)"
    )
