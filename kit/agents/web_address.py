"""Which web addresses the home agent gets: plain http(s) on the hosts that its policy names."""

from __future__ import annotations

from urllib.parse import urlsplit

_PORTS = frozenset({None, 80, 443})


def objection(url: str, hosts: tuple[str, ...]) -> str:
    """Why an address is not asked, in words for model and user; empty where it may be.

    Args:
        url: the whole address; at a redirect the one it leads to.
        hosts: names of the hosts that may be asked, lower case; a subdomain is another host.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{url} is no web address"
    if parts.scheme not in {"http", "https"} or not host:
        return f"{url} is no web address"
    if "@" in parts.netloc or "\\" in url or port not in _PORTS:
        return f"{url} carries more than a host, which the policy does not allow"
    if host.rstrip(".") not in hosts:
        allowed = ", ".join(hosts) or "no host at all"
        return f"{host} is not a host that the policy allows ({allowed})"
    return ""
