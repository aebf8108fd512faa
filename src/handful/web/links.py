"""Links: whoever has one may sit where it leads.  Only a mark of it is ever kept.

A seat has a place of its own: the part of an address that names the table and, after ~, the seat.
A browser keeps one cookie for each place, so that two seats in one browser do not get mixed up.
"""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

from handful.store import Link, Store

TOKEN_BYTES = 24  # of a token: nobody guesses it
MAX_TOKEN_LENGTH = 100
COOKIE = "handful_seat"


def hash_token(token: str) -> str:
    return sha256(b"handful link\n" + token.encode("utf-8", "replace")).hexdigest()


def seat_path(link: Link) -> str:
    """Where a seat is found: /t/PLACE in the browser, /api/tables/PLACE for programs."""
    return f"{link.table}~{sha256(link.seat.encode()).hexdigest()[:8]}"


def create_link(store: Store, link: Link) -> str:
    """The token of a new link."""
    token = token_urlsafe(TOKEN_BYTES)
    store.save_link(hash_token(token), link)
    return token


def find_link(store: Store, token: str) -> Link | None:
    """Where a token leads; nowhere if it was taken back, or never given out."""
    return store.link(hash_token(token)) if 0 < len(token) <= MAX_TOKEN_LENGTH else None


def revoke_links(store: Store, table: str, seat: str, role: str) -> int:
    """Every link to a seat, or to new seats of a role, leads nowhere; how many there were."""
    hashes = [hash for hash, link in store.links(table) if link.seat == seat and (seat or link.role == role)]
    store.delete_links(hashes)
    return len(hashes)
