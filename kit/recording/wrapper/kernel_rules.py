"""What the kernel may be asked to stop in a replay, from what the audit hook lets pass (decision 1).

Everything that the hook lets pass must pass the kernel too, so the kernel's rules are the wider ones:

    - it knows folders, not patterns: `write:logs/*.txt` permits the longest folder without a wildcard;
    - a folder stands for all below it, so `.git`, `cassettes` and `baselines` in the working directory are
      closed by the hook alone;
    - a declared file permits its folder: files are replaced by renaming, databases have journals beside them;
    - the caches of tools are permitted in the working directory and, where they are there, above it;
    - a network has no single hosts: where one is declared, the program keeps the machine's network.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from kit.recording.guard.allow import Allow
from kit.recording.guard.files import CACHES, zones

Part = Literal["writes", "network"]
PARTS: tuple[Part, ...] = ("writes", "network")
Wanted = Literal["all", "writes", "network", "none"]

_SWITCHED_OFF = "kernel_guard in [tool.kit.replay] leaves it out"
_SYSTEM = ("/dev", "/proc")
"""Names in them differ from process to process, and the hook does not see the devices of C code."""
_WILDCARD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class KernelRules:
    """What the kernel is asked for.

    Attributes:
        writable: existing folders below which files may change; None asks for no limit.
        network: whether the program is left no network but its own loopback.
        lacks: by part that is not asked for, why.
    """

    writable: tuple[str, ...] | None = None
    network: bool = False
    lacks: dict[Part, str] = field(default_factory=dict)


def kernel_rules(wanted: Wanted, allow: Allow, cwd: Path, own: tuple[Path, ...]) -> KernelRules:
    """The rules for one wrapped program.

    Args:
        wanted: the setting `kernel_guard`.
        allow: declared side effects.
        cwd: the program's working directory.
        own: kit's folders for this run.
    """
    lacks: dict[Part, str] = {}
    for part in PARTS:
        if wanted not in {"all", part}:
            lacks[part] = _SWITCHED_OFF
    if "network" not in lacks and allow.connects:
        host, port = allow.connects[0]
        lacks["network"] = f"connect:{host}:{'*' if port is None else port} is declared"
    privileged = next(filter(_gains_rights, (rule[0] for rule in allow.runs if rule)), None)
    if privileged is not None:
        why = f"run:{privileged} is declared, which gains rights that the kernel would keep from it"
        lacks = dict.fromkeys(PARTS, why) | lacks
    writable = None if "writes" in lacks else _writable(allow, cwd, own)
    return KernelRules(writable, "network" not in lacks, lacks)


def _writable(allow: Allow, cwd: Path, own: tuple[Path, ...]) -> tuple[str, ...]:
    known = zones(None, cwd)
    passing = [
        folder for folder, zone in known.items() if zone != "closed" and not _is_below(folder, _SYSTEM)
    ]
    folders = [
        *_SYSTEM,
        *(folder for folder in passing if Path(folder).is_dir()),
        *(os.path.realpath(folder) for folder in own),
        *(str(path) for above in cwd.parents for name in CACHES if (path := above / name).is_dir()),
        *(_fixed_folder(rule) for rule in allow.writes),
    ]
    return tuple(dict.fromkeys(folders))


def _fixed_folder(rule: str) -> str:
    """The longest folder without a wildcard that is there; a file's own folder."""
    parts = Path(rule).parts
    is_pattern = "*" in rule or "?" in rule
    wild = next((at for at, part in enumerate(parts) if is_pattern and _WILDCARD.search(part)), len(parts))
    folder = Path(*parts[:wild])
    return str(next(one for one in (folder, *folder.parents) if one.is_dir()))


def _is_below(folder: str, roots: tuple[str, ...]) -> bool:
    return any(folder.startswith(f"{root}/") for root in roots)


def _gains_rights(program: str) -> bool:
    """Whether a program runs as another user than the one who starts it: sudo, su, newgrp."""
    found = shutil.which(program)
    return found is not None and bool(Path(found).stat().st_mode & (stat.S_ISUID | stat.S_ISGID))
