"""Stops in replay what would happen a second time, and notices in record what passes by the recording.

One `sys.addaudithook` a process, added when the first run is guarded; it cannot be removed, so it does
nothing while no run is in force. In **replay** it stops writes, processes and sockets that no rule lets
pass, raises `SideEffect` with the program's own file and line, and tells the session, since programs
swallow even that. In **record** nothing is stopped; a connection that was not made by a recording stub is
told to the session as an escape (decision 7), a file of the project that is read as an input (`reads.py`).

The working directory of a tape: creating and overwriting files below it is allowed, except inside `.git`,
`cassettes` and `baselines`; deleting or renaming a file that this run did not create is a side effect. In a
scenario's run only the workspace and temporary folders are free (`files.py` has the zones).
`docs/side-effects.md` is the user's page.

Which run an operation belongs to is the session's context. Code without one (a thread nobody carried it to)
belongs to the only run in force; with several in force it is judged by the first, so that it never passes
unseen; only kit's own threads are let through.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from kit.errors import EXIT_CASSETTE, SideEffect
from kit.recording.guard.allow import Allow, Forbidden
from kit.recording.guard.files import FileGuard, zones
from kit.recording.guard.frames import is_kit_at_work, program_place
from kit.recording.guard.network import GRPC_EVENT, NETWORK_EVENTS, NetworkGuard
from kit.recording.guard.passing import BEHIND_TOOL, is_passing, own_writes
from kit.recording.guard.processes import ProcessGuard
from kit.recording.guard.reads import ReadFiles
from kit.recording.guard.stray import OVER as _OVER
from kit.recording.guard.stray import judge_stray, remember

Check = Callable[[tuple[Any, ...]], Forbidden | None]

_FILES = frozenset({"open", "os.rename"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Witness(Protocol):
    """Who is told what the guard saw: the session."""

    def report(self, kind: Literal["side_effects", "escapes", "reads", "writes"], text: str) -> None:
        """Keeps a side effect that was stopped, traffic that passed by, or a file of the project."""


class Watch:
    """What the guard knows of one run.

    Args:
        mode: the session's.
        witness: the session.
        allow: declared side effects.
        current: finds the session of the running code, None where no context says it.
        workspace: the scenario's workspace; None for a tape.
        project: working directory; the process's own by default.
        inputs: the project whose files a recording reads; None notes none.
    """

    def __init__(
        self,
        mode: Literal["record", "replay"],
        witness: Witness,
        allow: Allow,
        *,
        current: Callable[[], object],
        workspace: Path | None = None,
        project: Path | None = None,
        inputs: Path | None = None,
    ) -> None:
        self.witness = witness
        self.current = current
        self._told: set[str] = set()
        self._pid = os.getpid()
        files = FileGuard(zones(workspace, project or Path.cwd()), allow)
        network = NetworkGuard(allow, files)
        self.is_replay = mode == "replay"
        self.reads = ReadFiles(inputs, witness, workspace) if inputs and not self.is_replay else None
        self.checks = (
            _replay_checks(files, network, ProcessGuard(allow))
            if self.is_replay
            else {
                "socket.connect": network.escaped,
                "socket.sendto": network.escaped,
                "socket.sendmsg": network.escaped,
                "socket.bind": network.bound,
                GRPC_EVENT: network.called,
                **_noting(self.reads),
            }
        )

    def judge(self, check: Check, args: tuple[Any, ...], *, is_known: bool) -> None:
        """Lets an operation pass, or tells the session and, in replay, stops it.

        Args:
            check: the rule.
            args: the audit event's.
            is_known: whether the context says that this run does it.

        Raises:
            SideEffect: in replay, the operation is forbidden.
        """
        forbidden = check(args)
        if forbidden is None or is_kit_at_work(through_libraries=not is_known):
            return
        where = str(program_place())
        if not self.is_replay:
            act = forbidden.act.replace("connect", "connected", 1)
            self._tell("escapes", f"{where} {act}, past the recording")
            return
        # JSON's quoting is what TOML wants.
        rule = json.dumps(forbidden.rule, ensure_ascii=False)
        text = (
            f"{where} would {forbidden.act}: a side effect is not repeated in replay\n"
            f"  next: if it is harmless, add {rule} to allow in [tool.kit.replay], pyproject.toml"
        )
        self._tell("side_effects", text)
        if os.getpid() != self._pid:
            # In a forked child an exception would unwind into the parent's program and run it a second time.
            os.write(2, f"kit: {text}\n".encode())
            os._exit(EXIT_CASSETTE)
        raise SideEffect(text)

    def _tell(self, kind: Literal["side_effects", "escapes"], text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            with own_writes():
                self.witness.report(kind, text)


@contextmanager
def guarded(watch: Watch) -> Iterator[None]:
    """Puts a run under guard; `watch.witness` is the session that its code finds."""
    _add_hook()
    _IN_FORCE[id(watch.witness)] = watch
    if watch.reads is not None:
        _NOTING[id(watch.witness)] = watch
    try:
        yield
    finally:
        if watch.is_replay:
            remember(watch)
        del _IN_FORCE[id(watch.witness)]
        _NOTING.pop(id(watch.witness), None)


_IN_FORCE: dict[int, Watch] = {}
_NOTING: dict[int, Watch] = {}
"""Those that note what is read: none in replay, where every read would have to wait for it."""


@cache
def _add_hook() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    # Every import, attribute look-up and read comes through here: the quick ways out stand first.
    if event not in _SEEN:
        return
    if _OVER and event in NETWORK_EVENTS:
        judge_stray(event, args)
    if not _IN_FORCE:
        return
    is_read = event == "open" and not args[2] & _WRITING
    if is_read and not _NOTING:
        return
    if is_passing():
        _note_of_tool(event, args, is_read=is_read)
        return
    in_force = list(_IN_FORCE.values())  # at once: another thread may end its run right now
    if not in_force:
        return
    watch = _IN_FORCE.get(id(in_force[0].current()))
    is_known = watch is not None
    watch = watch or in_force[0]
    if is_read:
        if watch.reads is not None:
            watch.reads.read(args[0], is_known=is_known)
        return
    check = watch.checks.get(event)
    if check is not None:
        watch.judge(check, args, is_known=is_known)


def _note_of_tool(event: str, args: tuple[Any, ...], *, is_read: bool) -> None:
    """What a recorded tool does is not judged, but its files are inputs: replay serves its result."""
    if event not in _FILES or not BEHIND_TOOL.get():
        return
    noting = list(_NOTING.values())
    watch = _NOTING.get(id(noting[0].current())) if noting else None
    if watch is None or watch.reads is None:
        return
    if is_read:
        watch.reads.read(args[0], is_known=True)
    else:
        _noting(watch.reads)[event](args)


def _replay_checks(files: FileGuard, network: NetworkGuard, processes: ProcessGuard) -> dict[str, Check]:
    return {
        "open": files.opened,
        "os.truncate": files.contents_changed,
        "os.setxattr": files.contents_changed,
        "os.removexattr": files.contents_changed,
        "os.chmod": files.attributes_changed,
        "os.chown": files.attributes_changed,
        "os.utime": files.attributes_changed,
        "os.mkdir": files.folder_made,
        "os.remove": files.removed,
        "os.rmdir": files.removed,
        "os.rename": files.renamed,
        "os.link": files.linked,
        "os.symlink": files.linked,
        "sqlite3.connect": files.database,
        "subprocess.Popen": processes.popen,
        "os.exec": processes.exec_or_spawn,
        "os.posix_spawn": processes.exec_or_spawn,
        "os.spawn": processes.spawned,
        "os.system": processes.system,
        "pty.spawn": processes.pty,
        "os.kill": processes.killed,
        "os.killpg": processes.group_killed,
        "socket.connect": network.reached,
        "socket.sendto": network.reached,
        "socket.sendmsg": network.reached,
        "socket.bind": network.bound,
        GRPC_EVENT: network.called,
        "socket.getaddrinfo": network.looked_up,
        "socket.gethostbyname": network.looked_up,
    }


def _noting(reads: ReadFiles | None) -> dict[str, Check]:
    return {} if reads is None else {"open": reads.opened, "os.rename": reads.renamed}


def _seen() -> frozenset[str]:
    files = FileGuard({}, Allow())
    return frozenset(_replay_checks(files, NetworkGuard(Allow(), files), ProcessGuard(Allow())))


_SEEN = _seen()
