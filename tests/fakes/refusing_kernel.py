"""Runs a command where the kernel refuses namespaces and Landlock, as many containers do.

    python tests/fakes/refusing_kernel.py COMMAND…

A filter of system calls is the same means by which Docker refuses them; it is inherited.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

UNSHARE = {"x86_64": 272, "aarch64": 97}
"""Its number differs, that of Landlock does not."""
_LANDLOCK = 444
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000


def refuse(*calls: int) -> None:
    """Makes these system calls fail with EPERM from now on, here and in every child."""
    steps = [(_LOAD, 0, 0, 0)]
    for left, call in enumerate(reversed(calls)):
        steps.insert(1, (_IF_EQUAL, left + 1, 0, call))
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.prctl(_SET_SECCOMP, _FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter")


if __name__ == "__main__":
    refuse(UNSHARE[platform.machine()], _LANDLOCK)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - it is to become the command
