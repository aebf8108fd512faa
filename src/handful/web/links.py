"""Capability links: possession of a token grants a seat.

A join link is for the whole table: a short code that can be typed, and that follows from the table's
secret and a nonce, so that the GM can look at it again.  A recovery code gives a GM a new link.
Invariant: only a SHA-256 of a token or code is stored.  Each seat has its own URL path, which names the
table and, after `~`, a hash of the seat.  The cookie is scoped to it, so that two seats in one
browser do not get mixed up.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from secrets import token_bytes, token_urlsafe

from handful.store import Link, Store

TOKEN_BYTES = 24  # 192 random bits: too many to guess
MAX_TOKEN_LENGTH = 100
COOKIE = "handful_seat"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: without letters that look like others
READ_AS = str.maketrans("oil", "011")
GROUP = 4  # characters of a code between hyphens
JOIN_LENGTH = 12  # 60 random bits, for a seat of a player; guesses are rate-limited
RECOVERY_LENGTH = 20  # 100 random bits, for the GM's seat


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
    """Return the link of a token, or of a code as people type it; None if there is none any more."""
    if not 0 < len(token) <= MAX_TOKEN_LENGTH:
        return None
    return store.link(hash_token(token)) or store.link(hash_token(read_code(token)))


# -- codes that people type


def write_code(random: bytes, length: int) -> str:
    """Return random bytes as a code.

    >>> write_code(bytes(range(7, 40)), 12)
    '789a-bcde-fghj'
    """
    found = "".join(ALPHABET[one % len(ALPHABET)] for one in random[:length])
    return "-".join(found[at : at + GROUP] for at in range(0, length, GROUP))


def read_code(typed: str) -> str:
    """Return a typed code in the form in which it was written.

    >>> read_code(" 789A bcde_FGHJ")
    '789a-bcde-fghj'
    >>> read_code("OIl0")
    '0110'
    """
    found = "".join(one for one in typed.lower().translate(READ_AS) if one in ALPHABET)
    return "-".join(found[at : at + GROUP] for at in range(0, len(found), GROUP))


def join_code(store: Store, table: str, role: str) -> str | None:
    """Return the code of a table's join link for a role; None if there is none, or it was revoked."""
    nonce = store.join_nonce(table, role)
    if nonce is None:
        return None
    code = _join_code(store, table, role, nonce)
    return code if store.link(hash_token(code)) else None


def create_join_link(store: Store, table: str, role: str) -> str:
    """Make a join link for a role, instead of all open invitations for it so far; return its code."""
    revoke_links(store, table, "", role)
    nonce = token_bytes(16)
    store.save_join_nonce(table, role, nonce)
    code = _join_code(store, table, role, nonce)
    store.save_link(hash_token(code), Link(table, "", role))
    return code


def _join_code(store: Store, table: str, role: str, nonce: bytes) -> str:
    secret = next(one.secret for one in store.tables() if one.table == table)
    message = b"\n".join((b"handful join link", table.encode(), role.encode(), nonce))
    return write_code(hmac.digest(secret, message, "sha256"), JOIN_LENGTH)


def hash_recovery_code(code: str) -> str:
    return sha256(b"handful recovery\n" + read_code(code).encode()).hexdigest()


def create_recovery_code(store: Store, table: str, seat: str) -> str:
    """Make a recovery code for a seat, instead of the one before; it is stored as a hash only."""
    code = write_code(token_bytes(RECOVERY_LENGTH), RECOVERY_LENGTH)
    store.save_recovery_code(hash_recovery_code(code), table, seat)
    return code


def revoke_links(store: Store, table: str, seat: str, role: str) -> int:
    """Delete all links to a seat, or to new seats of a role; return their number.

    A recovery code of the seat is deleted, too: it would make a new link.
    """
    if seat:
        store.delete_recovery_code(table, seat)
    hashes = [hash for hash, link in store.links(table) if link.seat == seat and (seat or link.role == role)]
    store.delete_links(hashes)
    return len(hashes)
