from __future__ import annotations

import pytest

from tests.fakes.model_server import ModelServer
from tests.fakes.wrapped_program import Stage


def test_other_exceptions_keep_their_traceback(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """Only what kit raises is shown without a traceback; the program's own hook is still asked."""
    recorded = stage.record(*stage.script("ask('hi')\nraise ValueError('mine')"))
    shown = capfd.readouterr().err
    assert recorded.returncode == 1
    assert "Traceback" in shown
    assert "ValueError: mine" in shown
    assert (recorded.ended, recorded.unproven) == (True, None)


def test_a_full_disk_is_a_message_and_said_once(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is met at a write and at the end once more; a program that swallows it is told at the end."""
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))\n"
    for script in ("ask('hi' * 900)", "try:\n    ask('hi' * 900)\nexcept Exception:\n    pass"):
        recorded = stage.record(*stage.script(full + script))
        shown = capfd.readouterr().err
        assert not recorded.ended
        assert shown.count("the journal of this run cannot be written: File too large") == 1
        assert "Traceback" not in shown


def test_side_effect_in_a_thread_is_a_message(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """A thread that is stopped says so in one message; the program goes on and is found out."""
    command = stage.script(
        "import threading\nask('hi')\n"
        "if 'KIT_GO' in os.environ:\n"
        "    thread = threading.Thread(target=lambda: open('/kit-no/x', 'w'))\n"
        "    thread.start()\n    thread.join()\n"
    )
    recorded = stage.record(*command)
    capfd.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIT_GO", "1")
        replayed = stage.replay(recorded, *command)
    shown = capfd.readouterr().err
    assert replayed.returncode == 0
    assert len(replayed.session.side_effects) == 1
    assert "program.py:10 would write /kit-no/x" in shown
    assert "Traceback" not in shown


def test_exit_handlers_of_the_program_are_recorded_too(stage: Stage, model: ModelServer) -> None:
    """The session ends after everything the program registered."""
    recorded = stage.record(*stage.script("import atexit\natexit.register(lambda: ask('late'))"))
    assert len(recorded.session.interactions) == 1
    assert recorded.ended


@pytest.mark.slow
def test_program_may_be_pytest_with_warnings_as_errors(stage: Stage, model: ModelServer) -> None:
    """Pytest does not complain about packages that kit imported before it."""
    stage.script(
        "def test_it(tmp_path):\n    (tmp_path / 'x').write_text('x')\n    assert 'hi' in ask('hi')\n",
        "test_program.py",
    )
    command = (
        stage.python,
        "-m",
        "pytest",
        "-q",
        "-W",
        "error",
        "-p",
        "no:randomly",
        "-p",
        "no:asyncio",
        "test_program.py",
    )
    recorded = stage.record(*command)
    assert (recorded.returncode, len(recorded.session.interactions)) == (0, 1)
    replayed = stage.replay(recorded, *command)
    assert (replayed.returncode, replayed.session.side_effects, replayed.unproven) == (0, (), None)
