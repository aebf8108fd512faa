"""Links: whoever has one may sit where it leads.  Only a mark of it is ever kept."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

from handful.store import Link, Store

BYTES = 24  # of a token: nobody guesses it


def mark_of(token: str) -> str:
    return sha256(b"handful link\n" + token.encode("utf-8", "replace")).hexdigest()


def new_link(store: Store, link: Link) -> str:
    """The token of a new link."""
    token = token_urlsafe(BYTES)
    store.keep_link(mark_of(token), link)
    return token


def follow(store: Store, token: str) -> Link | None:
    """Where a token leads; nowhere if it was taken back, or never given out."""
    return store.link(mark_of(token)) if len(token) <= 100 else None


def take_back(store: Store, table: str, seat: str, role: str) -> int:
    """Every link to a seat, or to new seats of a role, leads nowhere; how many there were."""
    marks = [
        mark
        for mark, link in store.links(table)
        if link.seat == seat and (seat or link.role == role)
    ]
    store.drop_links(marks)
    return len(marks)
