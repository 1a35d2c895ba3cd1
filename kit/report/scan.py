"""What `kit scan` found, as text and for programs; never a secret itself."""

from __future__ import annotations

import json

from kit.redaction.scan import Find
from kit.report.figures import plural
from kit.workflow.scan import Scanned


def render_scanned(scanned: Scanned) -> str:
    """A line for each find, what to do about them, and what was looked at."""
    lines = [f"{_where(path, find)}: {find.kind}, {find.shown}" for path, find in scanned.found]
    if lines:
        lines += [
            "",
            "  a secret: revoke it, name it in [tool.kit.redaction] (fields, patterns), record again",
            '  none:     [tool.kit.redaction] allow = [{ pattern = "…", reason = "…" }]',
        ]
    count = len(scanned.found)
    told = plural(count, "find") if count else "clean"
    passed = f", {len(scanned.passed_over)} without text" if scanned.passed_over else ""
    lines.append(f"{plural(scanned.files, 'file')} scanned{passed}: {told}")
    lines += [f"note: {path} was not looked at: {reason}" for path, reason in scanned.unread]
    lines += [f"note: {name} of [tool.kit.redaction] matched nothing here" for name in scanned.unmatched]
    return "\n".join(lines)


def scanned_json(scanned: Scanned) -> str:
    """The same for programs."""
    found = [
        {"file": path, "line": find.line, "place": find.place, "kind": find.kind, "shown": find.shown}
        for path, find in scanned.found
    ]
    whole = {
        "found": found,
        "files": scanned.files,
        "without_text": list(scanned.passed_over),
        "not_looked_at": [{"file": path, "reason": reason} for path, reason in scanned.unread],
        "unmatched_rules": list(scanned.unmatched),
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _where(path: str, find: Find) -> str:
    if find.line is not None:
        return f"{path}:{find.line}"
    return f"{path}: {find.place.lstrip('.')}" if find.place else path
