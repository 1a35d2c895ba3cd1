"""What the gate of a branch says beside the reports."""

from __future__ import annotations

from kit.gate.regressions import LOG
from kit.report.figures import plural
from kit.report.hook import OVERRIDE
from kit.workflow.branch_gate import BranchGate


def render_branch(gate: BranchGate) -> str:
    """What is to be said of a branch beside its reports."""
    lines = [f"compared with what was accepted at {gate.start[:10]}"]
    if gate.overrides:
        lines.append(f"{plural(len(gate.overrides), 'override')} on the branch:")
    lines += [f"  {one.commit.id[:10]} {one.reason}" for one in gate.overrides]
    lines += [f"wrote the entry of {entry.commit[:10]} to {LOG}; commit it" for entry in gate.logged]
    lines += [f"notice: {notice}" for notice in gate.notices]
    lines += [f"problem: {problem}" for problem in gate.problems]
    stops = any(report.gate == "block" and not report.overridden for report in gate.outcome.reports)
    if stops and not gate.overrides:
        lines.append(f"next: mend it, or state why it may pass: git commit --allow-empty -m '{OVERRIDE}'")
        lines.append("      and then: kit gate --base REF --log, and commit what it wrote")
    elif gate.problems:
        lines.append(f"next: kit gate --base REF --log, on your machine, and commit {LOG}")
    return "\n".join(lines)
