from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.recording.guard.allow import Allow, parse_allow
from kit.recording.guard.files import FileGuard, zones
from kit.recording.guard.network import NetworkGuard


def guard(*rules: str) -> NetworkGuard:
    allow = parse_allow(rules) if rules else Allow()
    return NetworkGuard(allow, FileGuard(zones(None, Path("/kit-project")), allow))


@pytest.fixture
def tcp() -> Iterator[socket.socket]:
    """A TCP socket that goes nowhere."""
    with socket.socket() as sock:
        yield sock


@pytest.fixture
def server() -> Iterator[int]:
    """A port on which this process listens."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        yield sock.getsockname()[1]


def test_own_server_may_be_reached(tcp: socket.socket, server: int) -> None:
    """A program may talk to the server it runs itself, whatever loopback is called."""
    assert guard().reached((tcp, ("127.0.0.1", server))) is None
    assert guard().reached((tcp, ("localhost", server))) is None


def test_foreign_loopback_is_stopped(tcp: socket.socket) -> None:
    """A local model server is as far away as any other."""
    found = guard().reached((tcp, ("127.0.0.1", 11434)))
    assert found is not None
    assert found.act == "connect to 127.0.0.1:11434"
    assert found.rule == "connect:127.0.0.1:11434"


def test_own_server_is_known_by_its_bind_where_there_is_no_proc(
    tcp: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without /proc the sockets seen at bind tell the own ports, until they are closed."""
    monkeypatch.setattr("kit.recording.guard.network._listening_ports", set)
    watched = guard()
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        port = own.getsockname()[1]
        assert watched.bound((own, ("127.0.0.1", 0))) is None
        assert watched.reached((tcp, ("127.0.0.1", port))) is None
    assert watched.reached((tcp, ("127.0.0.1", port))) is not None


def test_port_that_only_another_process_owns_is_foreign(tcp: socket.socket, server: int) -> None:
    """The own address with another host is not the own server."""
    assert guard().reached((tcp, ("192.0.2.1", server))) is not None


def test_declared_address_passes_by_name_and_by_number(tcp: socket.socket) -> None:
    """A rule names the host; the program connects to what that name resolved to."""
    watched = guard("connect:localhost:5432")
    assert watched.looked_up(("localhost", 5432)) is None
    assert watched.reached((tcp, ("127.0.0.1", 5432))) is None
    assert watched.reached((tcp, ("127.0.0.1", 5433))) is not None


def test_looking_a_name_up_already_leaves_the_machine() -> None:
    """Names are stopped at look-up; numbers and the machine's own names need no server."""
    watched = guard("connect:db.example:*")
    found = watched.looked_up(("api.openai.com", 443))
    assert found is not None
    assert found.act == "connect to api.openai.com:443"
    assert found.rule == "connect:api.openai.com:443"
    for host in (None, "", "localhost", "127.0.0.1", "::1", b"10.0.0.1", socket.gethostname(), "db.example"):
        assert watched.looked_up((host, 80)) is None
    by_name = watched.looked_up(("api.openai.com",))
    assert by_name is not None
    assert by_name.rule == "connect:api.openai.com:*"


def test_socket_files_are_files() -> None:
    """A Unix socket outside is a door to another program; an abstract or unnamed one is not judged."""
    with socket.socket(socket.AF_UNIX) as sock:
        assert guard().reached((sock, "/run/docker.sock")) is not None
        assert guard().reached((sock, f"{os.path.realpath('/tmp')}/x.sock")) is None
        assert guard().reached((sock, "\0abstract")) is None
        assert guard().bound((sock, "/run/kit-test.sock")) is not None
        assert guard().bound((sock, "")) is None


def test_datagram_without_address_passes(tcp: socket.socket) -> None:
    """`sendmsg` on a connected socket was judged when it was connected."""
    assert guard().reached((tcp, None)) is None


def test_record_looks_at_tcp_only(tcp: socket.socket) -> None:
    """Only what may carry a model's answer can be an escape."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket(socket.AF_UNIX) as unix:
        assert guard().escaped((udp, ("192.0.2.1", 53))) is None
        assert guard().escaped((unix, "/run/docker.sock")) is None
    assert guard().escaped((tcp, ("192.0.2.1", 443))) is not None
    assert guard("connect:192.0.2.1:443").escaped((tcp, ("192.0.2.1", 443))) is None


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("api.example:443", "api.example:443"),
        ("dns:///api.example:50051", "api.example:50051"),
        ("ipv6:[::1]:50051", "[::1]:50051"),
        ("api.example", "api.example:443"),
        ("unix:///run/x.sock", "unix:///run/x.sock"),
    ],
)
def test_a_call_over_grpc_names_its_server(target: str, place: str) -> None:
    """Whatever form its address has."""
    forbidden = NetworkGuard(Allow(), FileGuard({}, Allow())).called((target, "/pkg.Service/Method"))
    assert forbidden is not None
    assert forbidden.act == f"connect to {place} over gRPC, which kit cannot record: /pkg.Service/Method"
