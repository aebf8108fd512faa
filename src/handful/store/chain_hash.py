"""The hash over a table's chain of entries, by which a log with a gap or a changed entry is detected."""

from __future__ import annotations

from hashlib import sha256


def initial_chain_hash(table: str, game: str, secret: bytes, rules: str) -> str:
    """Return the chain hash of a table without entries."""
    return sha256("\n".join([table, game, secret.hex(), rules]).encode()).hexdigest()


def extend_chain_hash(before: str, entry: str) -> str:
    """Return the chain hash after one more entry."""
    return sha256(f"{before}\n{entry}".encode()).hexdigest()
