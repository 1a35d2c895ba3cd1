"""What became of a wrapped program."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.recording.wrapper.kernel import KernelGuard
from kit.report.tape import render_tape
from tests.builders import tape


def test_recorded() -> None:
    """Conversation, then calls, cost and live requests, then where it is kept."""
    assert render_tape(tape(), mode="record") == (
        "\n--- agent, recorded\n\n"
        "  1  user\n"
        "       ciao\n"
        "  1  assistant  [10 ms]\n"
        "       salve\n\n"
        "1 model call, 0 tool calls | cost $0.001500 | 1 live request\n"
        "cassette cassettes/tapes/agent.yaml"
    )


def test_replayed() -> None:
    """A replay says that nothing went out, and names the cassette it played."""
    text = render_tape(tape(is_changed=None, live_requests=0), mode="replay")
    assert "--- agent, replayed" in text
    assert text.endswith("| 0 live requests\ncassette cassettes/tapes/agent.yaml")


def test_same_answers_again() -> None:
    """Who records anew learns that no answer is other than before."""
    text = render_tape(tape(is_changed=False), mode="record")
    assert text.endswith("cassette cassettes/tapes/agent.yaml (the same answers as before)")


def test_partial_and_nothing_kept() -> None:
    """Where a run did not end well the old recording is said to be safe, where there is one."""
    partial = tape(path=Path("cassettes/tapes/agent.yaml.partial"), is_partial=True, errors=("x",))
    assert render_tape(partial, mode="record").endswith(
        "kept as cassettes/tapes/agent.yaml.partial; an earlier recording stays as it was"
    )
    assert "cassettes/" not in render_tape(tape(path=None, items=(), errors=("x",)), mode="record")


@pytest.mark.parametrize(
    ("kernel", "line"),
    [
        (KernelGuard(("writes", "network")), "the audit hook, and the kernel for writes and network"),
        (
            KernelGuard(("writes",), {"network": "connect:h:1 is declared"}),
            "the audit hook, and the kernel for writes; no kernel guard for network: connect:h:1 is declared",
        ),
        (
            KernelGuard((), {"writes": "no", "network": "no"}),
            "the audit hook alone; no kernel guard for writes and network: no",
        ),
        (
            KernelGuard((), {"writes": "no", "network": "never"}),
            "the audit hook alone; no kernel guard for writes: no; no kernel guard for network: never",
        ),
    ],
)
def test_guards(kernel: KernelGuard, line: str) -> None:
    """A replay says in one line which guards it had, and why not the others; a recording has none."""
    assert f"\nguards: {line}\nnotice: n" in render_tape(tape(kernel=kernel, notices=("n",)), mode="replay")
    assert "guards" not in render_tape(tape(), mode="record")


def test_unknown_cost_notices_and_exit_code() -> None:
    """X-05: an unknown price is no 0; the program's own exit code is told where nothing else went wrong."""
    text = render_tape(tape(cost_micro_usd=None, notices=("n1", "n2"), returncode=5), mode="record")
    assert "cost unknown" in text
    assert text.endswith("notice: n1\nnotice: n2\nthe program itself exited 5")
    assert "exited" not in render_tape(tape(returncode=5, errors=("MISS",)), mode="replay")
