"""Recordings without an owner, as a list."""

from __future__ import annotations

from kit.report.figures import plural
from kit.workflow.prune import Pruned


def render(done: Pruned) -> str:
    """What was found, why, and what to type."""
    if not done.orphans:
        return "every recording has its owner"
    lines = [
        f"{'deleted' if done.are_deleted else 'no owner'}: {one.path} ({one.why})" for one in done.orphans
    ]
    total = sum(one.size for one in done.orphans)
    lines.append(f"{plural(len(done.orphans), 'file')}, {total / 1024:.1f} kB")
    if not done.are_deleted:
        lines.append(f"next: kit cassette prune --yes{' --tests' if done.are_tests_asked else ''}")
    return "\n".join(lines)
