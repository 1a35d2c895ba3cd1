"""`kit cassette recover`."""

from __future__ import annotations

from kit.cli import output


def cassette_recover() -> int:
    """Make cassettes of recordings that a kill, a full disk or a bug kept from being saved."""
    from kit.report.recovery import render_recovery
    from kit.workflow.project import open_project
    from kit.workflow.recovering import recover

    done = recover(open_project())
    output.line(render_recovery(done))
    return done.exit_code
