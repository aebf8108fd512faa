"""Capability links: possession of a token grants a seat.

Invariant: only a SHA-256 of the token is stored.  Each seat has its own URL path, which names the
table and, after `~`, a hash of the seat.  The cookie is scoped to it, so that two seats in one
browser do not get mixed up.
"""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

from handful.store import Link, Store

TOKEN_BYTES = 24  # 192 random bits: too many to guess
MAX_TOKEN_LENGTH = 100
COOKIE = "handful_seat"


def hash_token(token: str) -> str:
    return sha256(b"handful link\n" + token.encode("utf-8", "replace")).hexdigest()


def seat_path(link: Link) -> str:
    """Return the path of a seat: /t/PLACE in the browser, /api/tables/PLACE for programs."""
    return f"{link.table}~{sha256(link.seat.encode()).hexdigest()[:8]}"


def create_link(store: Store, link: Link) -> str:
    """Store a new link and return its token."""
    token = token_urlsafe(TOKEN_BYTES)
    store.save_link(hash_token(token), link)
    return token


def find_link(store: Store, token: str) -> Link | None:
    """Return the link of a token; None if it was revoked or never existed."""
    return store.link(hash_token(token)) if 0 < len(token) <= MAX_TOKEN_LENGTH else None


def revoke_links(store: Store, table: str, seat: str, role: str) -> int:
    """Delete all links to a seat, or to new seats of a role; return their number."""
    hashes = [hash for hash, link in store.links(table) if link.seat == seat and (seat or link.role == role)]
    store.delete_links(hashes)
    return len(hashes)
