"""This machine's addresses on its networks.

A UDP socket that is connected sends nothing, but the system chooses the address it would send from.
Invariant: no packet is sent, and no name is looked up.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

# The first of each family is reserved for documentation: it takes the default route.  The others
# are usual home networks: behind a VPN they still take the route of the network at home.
TARGETS = (
    "192.0.2.1",
    "192.168.0.1",
    "192.168.1.1",
    "192.168.2.1",
    "192.168.178.1",
    "10.0.0.1",
    "172.16.0.1",
    "2001:db8::1",
    "fd00::1",
)
DISCARD_PORT = 9


def lan_addresses() -> list[str]:
    """Return the addresses at which other machines can reach this one, the likeliest first."""
    found = [one for target in TARGETS if (one := _source_address(target)) is not None]
    return [str(one) for one in sorted(dict.fromkeys(found), key=_rank)]


def _source_address(target: str) -> IPv4Address | IPv6Address | None:
    """Return the address from which the system would send to a target, if others can use it."""
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    with suppress(OSError, ValueError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target, DISCARD_PORT))
        found = ip_address(probe.getsockname()[0])
        # a link-local address is only valid together with the name of an interface
        if not (found.is_loopback or found.is_unspecified or found.is_link_local):
            return found
    return None


def _rank(address: IPv4Address | IPv6Address) -> tuple[bool, bool]:
    """IPv4 first, because it is easier to type; addresses of a home network before public ones."""
    return address.version == 6, not address.is_private


def url(host: str, port: int) -> str:
    """Return the URL of a server.

    >>> url("192.168.178.20", 8000), url("fd00::2", 8000)
    ('http://192.168.178.20:8000', 'http://[fd00::2]:8000')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
