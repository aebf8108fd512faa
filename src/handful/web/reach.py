"""Reach of this server: only this machine, its network, or everybody at a public address.

A server on loopback can be opened to the network while it runs: it then listens on the machine's
own addresses as well.  Invariant: only names under which this server can be reached are accepted as
`Host`, so that a foreign page cannot pose as this one (DNS rebinding).
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from time import monotonic
from typing import Literal
from urllib.parse import urlsplit

from handful.errors import FileFault, Message
from handful.web.faults import Fault
from handful.web.network_addresses import lan_addresses, url
from handful.web.settings import Settings

WILDCARDS = ("0.0.0.0", "::")
FRESH_SECONDS = 5.0  # how long the machine's addresses are kept: a laptop changes networks

Scope = Literal["machine", "network", "public"]


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Reach:
    """Addresses on which the server listens, and those that others type."""

    def __init__(self, settings: Settings, find: Callable[[], list[str]] = lan_addresses) -> None:
        self.settings, self.port = settings, settings.port
        self.is_on_network = settings.lan
        # set by whoever runs the server: accept connections on one more socket
        self.listen: Callable[[socket.socket], Awaitable[None]] | None = None
        self._find, self._found, self._until = find, list[str](), 0.0

    @property
    def scope(self) -> Scope:
        if self.settings.public:
            return "public"
        return "network" if self.is_on_network or not is_loopback(self.settings.host) else "machine"

    def lan_urls(self) -> list[str]:
        """Return the URLs that other machines of the network would use, the likeliest first."""
        return [url(one, self.port) for one in self._addresses()]

    def urls(self) -> list[str]:
        """Return the URLs that others can open now, the likeliest first; none on loopback."""
        if self.settings.public:
            return [self.settings.public]
        if self.scope == "machine":
            return []
        if self.is_on_network or self.settings.host in WILDCARDS:
            return self.lan_urls()
        return [url(self.settings.host, self.port)]

    def _addresses(self) -> list[str]:
        if monotonic() >= self._until:
            self._found, self._until = self._find(), monotonic() + FRESH_SECONDS
        return self._found

    def knows_host(self, name: str, local: str) -> bool:
        """Return whether `name` is this server; `local` is the address the client connected to."""
        if self.settings.public and name == urlsplit(self.settings.public).hostname:
            return True
        if not is_loopback(self.settings.host) or is_loopback(name):
            return True
        if not self.is_on_network:
            return False
        try:
            asked = ip_address(name)
        except ValueError:
            return False
        mine = (*self._addresses(), *([local] if local else []))
        return any(asked == ip_address(one.partition("%")[0]) for one in mine)

    async def open_to_network(self) -> None:
        """Listen on the machine's own addresses, too; refuse if there is none or it fails."""
        if self.scope != "machine":
            return
        self._until = 0.0
        if self.listen is None or not self._addresses():
            raise Fault(409, "refused", Message("server.no_network"), Message("server.connect_first"))
        opened = 0
        for address in self._addresses():
            try:
                await self.listen(bind(address, self.port))
                opened += 1
            except (OSError, FileFault) as error:
                fault = error
        if not opened:
            raise Fault(409, "refused", Message("server.cannot_open", reason=fault)) from None
        self.is_on_network = True


def bind(host: str, port: int) -> socket.socket:
    """Bind a socket; a taken or foreign address is refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with an explicit IPPROTO_TCP asyncio sets TCP_NODELAY: small answers are not delayed by 40 ms
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        _share_address(bound)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # IPv4 has its own socket
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        reason = (error.strerror or str(error)).lower()
        raise FileFault(
            Message("serve.cannot_listen", host=host, port=port, reason=reason),
            Message("serve.other_port"),
        ) from None
    return bound


def _share_address(bound: socket.socket) -> None:
    """Let a restarted server listen at once.

    On Windows SO_REUSEADDR would let another program take the port away; it has an option against that.
    """
    if (exclusive := getattr(socket, "SO_EXCLUSIVEADDRUSE", None)) is not None:
        bound.setsockopt(socket.SOL_SOCKET, exclusive, 1)
    else:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
