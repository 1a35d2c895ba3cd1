"""Which addresses a program may reach: those it serves itself, and those the user declared.

Loopback as such is not innocent, since a local model server lives there.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import weakref
from functools import lru_cache
from typing import Any

from kit.recording.guard.allow import Allow, Forbidden
from kit.recording.guard.files import FileGuard
from kit.recording.guard.passing import own_writes

_KERNEL_FAMILIES = frozenset(
    family
    for name in ("AF_NETLINK", "AF_ALG", "AF_PACKET")
    if (family := getattr(socket, name, None)) is not None
)
GRPC_EVENT = "kit.grpc"
"""Audit event of a call over gRPC, which kit itself raises: target and method."""
NETWORK_EVENTS = frozenset(
    {
        "socket.connect",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        GRPC_EVENT,
    }
)
"""Events before which nothing has left the machine."""
_GRPC = "over gRPC, which kit cannot record"
_INTERNET = frozenset({socket.AF_INET, socket.AF_INET6})


class NetworkGuard:
    """Judges the audit events about sockets for one run."""

    def __init__(self, allow: Allow, files: FileGuard) -> None:
        self._allow = allow
        self._files = files
        self._bound: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def reached(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`socket.connect`, `socket.sendto`, `socket.sendmsg`: the socket and the address."""
        sock, address = args[0], args[1]
        if address is None or sock.family in _KERNEL_FAMILIES:
            return None
        if sock.family == getattr(socket, "AF_UNIX", None):
            # An abstract address is not a file; only this machine's desktop services use them.
            return None if not address or address[:1] in {"\0", b"\0"} else self._files.socket_file(address)
        if sock.family not in _INTERNET:
            return Forbidden(f"connect to {address!r}", "connect:HOST:PORT")
        host, port = str(address[0]), int(address[1])
        if self._is_own(host, port) or self._is_declared(host, port):
            return None
        return Forbidden(f"connect to {_shown(host)}:{port}", f"connect:{_shown(host)}:{port}")

    def escaped(self, args: tuple[Any, ...]) -> Forbidden | None:
        """The same in record, where only what may carry a model's answer counts: TCP."""
        sock = args[0]
        if sock.family not in _INTERNET or sock.type & 0xF == socket.SOCK_DGRAM:
            return None
        return self.reached(args)

    def called(self, args: tuple[Any, ...]) -> Forbidden | None:
        """A call over gRPC: target and method."""
        target, method = str(args[0]), str(args[1])
        if target.startswith("unix"):
            return Forbidden(f"connect to {target} {_GRPC}: {method}", "connect:HOST:PORT")
        host, port = _of_target(target)
        if self._is_own(host, port) or self._is_declared(host, port):
            return None
        place = f"{_shown(host)}:{port}"
        return Forbidden(f"connect to {place} {_GRPC}: {method}", f"connect:{place}")

    def bound(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`socket.bind`: a server of the program's own; a Unix socket is a file like others."""
        sock, address = args[0], args[1]
        if sock.family in _INTERNET:
            self._bound.add(sock)
            return None
        if sock.family == getattr(socket, "AF_UNIX", None) and address and address[:1] not in {"\0", b"\0"}:
            return self._files.socket_file(address)
        return None

    def looked_up(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`socket.getaddrinfo` (host, port, …) and `socket.gethostbyname` (host)."""
        host = "" if args[0] is None else os.fsdecode(args[0])
        if not host or _is_local_name(host) or self._allow.may_resolve(host):
            return None
        port = args[1] if len(args) > 1 and args[1] else None
        shown = f"{host}:{port}" if port else host
        return Forbidden(f"connect to {shown}", f"connect:{host}:{port or '*'}")

    def _is_own(self, host: str, port: int) -> bool:
        return _is_loopback(host) and (port in self._bound_ports() or port in _listening_ports())

    def _bound_ports(self) -> set[int]:
        ports: set[int] = set()
        for sock in list(self._bound):
            try:
                ports.add(sock.getsockname()[1])
            except OSError:  # closed meanwhile
                continue
        return ports

    def _is_declared(self, host: str, port: int) -> bool:
        if self._allow.may_connect(host, port):
            return True
        names = {name for name, known in self._allow.connects if known in {None, port}}
        return any(host in _addresses(name) for name in names)


def _of_target(target: str) -> tuple[str, int]:
    """Host and port of a gRPC target: `host:port`, `dns:///host:port`, `ipv6:[::1]:port`."""
    place = target.rpartition("/")[2].removeprefix("dns:").removeprefix("ipv4:").removeprefix("ipv6:")
    host, _, port = place.rpartition(":")
    if not port.isdigit():
        host, port = place, "443"
    return host.removeprefix("[").removesuffix("]"), int(port)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified


def _is_local_name(host: str) -> bool:
    if host.lower() in {"localhost", "ip6-localhost", socket.gethostname().lower()}:
        return True
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


@lru_cache(maxsize=64)
def _addresses(name: str) -> frozenset[str]:
    """The addresses of a declared host: the program resolved it before it connects to one of them."""
    with own_writes():
        try:
            return frozenset(str(found[4][0]) for found in socket.getaddrinfo(name, None))
        except OSError:
            return frozenset()


def _listening_ports() -> set[int]:
    """Ports on which a socket of this process listens (Linux; elsewhere the sockets seen at bind must do)."""
    inodes = _own_socket_inodes()
    ports: set[int] = set()
    for table in ("/proc/self/net/tcp", "/proc/self/net/tcp6"):
        try:
            with open(table, encoding="ascii") as rows:  # noqa: PTH123 - Path.open is four times as slow
                for row in rows:
                    field = row.split()
                    if field[3] == "0A" and field[9] in inodes:
                        ports.add(int(field[1].rpartition(":")[2], 16))
        except OSError:
            continue
    return ports


def _own_socket_inodes() -> set[str]:
    inodes: set[str] = set()
    try:
        numbers = os.listdir("/proc/self/fd")  # noqa: PTH208 - see above
    except OSError:
        return inodes
    for number in numbers:
        try:
            target = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115 - see above
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    return inodes
