"""Visitors, identified by address, and limits on what each of them holds open.

An address limits a visitor and never gives a right.  An IPv6 customer usually has a whole /64
network, so that is one visitor.  The address comes from the connection, or from a trusted proxy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from handful.errors import Message
from handful.web.faults import Fault

LONGEST_NAME = 64  # characters of a forwarded name that is not an address
SHARE = 8  # a visitor may hold at most 1/SHARE of what is free

Network = IPv4Network | IPv6Network


def visitor_at(host: str) -> str:
    """Return the name of the visitor at an address; a /64 network is one visitor.

    >>> visitor_at("203.0.113.7"), visitor_at("2001:db8::1:2:3:4"), visitor_at("::ffff:10.0.0.1")
    ('203.0.113.7', '2001:db8::/64', '10.0.0.1')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host[:LONGEST_NAME]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


def networks(text: str) -> list[Network]:
    """Parse addresses and networks separated by commas; raise ValueError for anything else."""
    return [ip_network(one.strip()) for one in text.split(",") if one.strip()]


def is_within(host: str, ranges: list[Network]) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in one for one in ranges)


class Admission:
    """Counts what visitors hold open, such as connections, and keeps some free for others.

    A visitor may hold up to `each`, and no more than 1/SHARE of what is still free.  So a few
    visitors cannot take everything, and a visitor who holds nothing is admitted.
    """

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each, self.total = most, each, 0
        self._held: Counter[str] = Counter()

    def enter(self, visitor: str, *, limited: bool = True) -> None:
        """Count one more; `limited` is False for a proxy, which stands for many visitors."""
        free = self.most - self.total
        if free <= 0:
            raise Fault(503, "too_many", Message("server.full"), Message("server.try_again_soon"))
        if limited and self._held[visitor] >= min(self.each, max(1, free // SHARE)):
            raise Fault(
                429,
                "too_many",
                Message("server.too_many_connections"),
                Message("server.close_pages"),
            )
        self._held[visitor] += 1
        self.total += 1

    def leave(self, visitor: str) -> None:
        self.total -= 1
        self._held[visitor] -= 1
        if not self._held[visitor]:
            del self._held[visitor]

    @contextmanager
    def holding(self, visitor: str) -> Iterator[None]:
        self.enter(visitor)
        try:
            yield
        finally:
            self.leave(visitor)
