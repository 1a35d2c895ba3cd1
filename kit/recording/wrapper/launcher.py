"""Asks the kernel to stop what the audit hook cannot see, then becomes the program that is replayed.

kit starts this file by its path with `python -I -S`, so that it is a process with one thread, which both
namespaces and Landlock want, and it imports nothing of kit. What the kernel is asked for holds for the
program and for every process it starts, in whatever language:

    network   a network namespace in which only loopback is there: the program's own servers work, nobody else
              can be reached
    writes    Landlock: files are made, written and removed only below the folders that kit names

What the kernel refuses is reported with the reason, and the program runs without it. Each part is tried in a
copy of this process first, since half a namespace cannot be undone.

Arguments: the job's folder, then the program and its arguments. Rules and report are files in that folder, of
entries that end with a NUL: `network`, `writes`, `write:FOLDER`; and `PART:REASON`, `asked:`, `errno:NUMBER`.

Every replay waits for these imports: `_socket` and `_signal` are there at once, while `socket`, `signal`,
`json` and `typing` take as long as Python itself.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import errno
import fcntl
import os
import stat
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

RULES_FILE = "kernel-rules"
REPORT_FILE = "kernel-report"
NOT_STARTED = 127

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _SET_ADDRESS, _SET_MASK = 0x8914, 0x8916, 0x891C
_UP_AND_RUNNING = 0x41
_LOWEST_PORT = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
_NO_NEW_PRIVILEGES = 38
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers of landlock_* are the same on all machines
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))


def main(arguments: list[str]) -> None:
    """Asks the kernel, reports, and becomes the program; returns only in tests."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    job, *command = arguments
    rules = _read(f"{job}/{RULES_FILE}").split("\0")
    # Opened before anything is limited.
    report = os.open(f"{job}/{REPORT_FILE}", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    refused: dict[str, str] = {}
    if "network" in rules:
        _ask("network", cut_network, refused)
    if "writes" in rules:
        folders = [rule[6:] for rule in rules if rule.startswith("write:")]
        _ask("writes", lambda: limit_writes(folders), refused)
    for part, why in refused.items():
        os.write(report, f"{part}:{why}\0".encode())
    os.write(report, b"asked:\0")
    # Python ignores these, and a program would inherit that.
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)
    try:
        os.execvpe(command[0], command, os.environ)  # noqa: S606 - what the user asked kit to run
    except OSError as error:
        os.write(report, f"errno:{error.errno}\0".encode())
        os._exit(NOT_STARTED)


def cut_network() -> None:
    """Leaves this process no network but a loopback of its own.

    Who may do so at once (root in most containers) keeps its user; anybody else needs a user namespace, in
    which the own user and group are themselves and all others are `nobody`.

    Raises:
        OSError: the kernel or the container refuses it.
    """
    lowest_port = _read(_LOWEST_PORT)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK) != 0:
        if ctypes.get_errno() != errno.EPERM:
            raise _failed("a network namespace")
        user, group = os.geteuid(), os.getegid()
        if libc.unshare(_NEW_USER | _NEW_NETWORK) != 0:
            raise _failed("a user namespace")
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    any_socket = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP_AND_RUNNING))
    try:
        # Without an address beside 127.0.0.1 glibc finds no `localhost` for who asks with AI_ADDRCONFIG.
        fcntl.ioctl(any_socket, _SET_ADDRESS, _own_address("192.0.2.1"))
        fcntl.ioctl(any_socket, _SET_MASK, _own_address("255.255.255.255"))
        if lowest_port and lowest_port != _read(_LOWEST_PORT):
            _write(_LOWEST_PORT, lowest_port)
    except OSError:
        pass  # a comfort: loopback itself is up
    any_socket.close()


def limit_writes(folders: list[str]) -> None:
    """Lets this process change files only below some folders, and write to where its output goes.

    Args:
        folders: absolute paths; those that do not exist are left out.

    Raises:
        OSError: the kernel has no Landlock, or none that lets files be renamed between folders.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = _call(libc, "Landlock", _CREATE, None, 0, 1)
    if version < 2:
        raise OSError(errno.EOPNOTSUPP, "Landlock 1 stops renames between folders")
    rights = _WRITE_FILE | _REMOVE_AND_MAKE | _REFER | (_TRUNCATE if version >= 3 else 0)
    ruleset = _call(libc, "Landlock", _CREATE, struct.pack("=Q", rights), 8, 0)
    for output in (0, 1, 2):
        # `/dev/stdout` is the file that a shell redirected it to, wherever that lies.
        if _is_file(output):
            _allow(libc, ruleset, output, rights & (_WRITE_FILE | _TRUNCATE))
    for folder in folders:
        try:
            opened = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            continue
        _allow(libc, ruleset, opened, rights)
        os.close(opened)
    # Where the process has no right over its namespace, the kernel wants it to gain none any more.
    if libc.syscall(_RESTRICT, ruleset, 0) != 0:
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            raise _failed("no new privileges")
        _call(libc, "Landlock", _RESTRICT, ruleset, 0)
    os.close(ruleset)


def _ask(part: str, step: Callable[[], None], refused: dict[str, str]) -> None:
    problem = rehearsed(step)
    if problem is None:
        step()
    else:
        refused[part] = problem


def rehearsed(step: Callable[[], None]) -> str | None:
    """Does a step in a copy of this process, and says why it failed there; None where it did not."""
    reading, writing = os.pipe()
    copy = os.fork()
    if copy == 0:
        try:
            step()
        except OSError as error:
            os.write(writing, (error.strerror or str(error)).encode())
            os._exit(1)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the copy
            os.write(writing, repr(error).encode())
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:  # noqa: PTH123 - a descriptor
        problem = answer.read().decode(errors="replace")
    status = os.waitpid(copy, 0)[1]
    return (problem or f"the try ended with status {status}") if status else None


def _call(libc: ctypes.CDLL, what: str, *arguments: int | bytes | None) -> int:
    result = libc.syscall(*(ctypes.c_long(one) if isinstance(one, int) else one for one in arguments))
    if result < 0:
        raise _failed(what)
    return int(result)


def _allow(libc: ctypes.CDLL, ruleset: int, opened: int, rights: int) -> None:
    _call(libc, "a rule of Landlock", _ADD, ruleset, 1, struct.pack("=Qi", rights, opened), 0)


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def _is_file(number: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(number).st_mode)
    except OSError:
        return False


def _own_address(address: str) -> bytes:
    return struct.pack("16sHH4s8x", b"lo:0", _socket.AF_INET, 0, _socket.inet_aton(address))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123 - no pathlib here
            return file.read()
    except OSError:
        return ""


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - see above
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
