"""The key that signs a table's logs.

`cryptography` signs if it is installed: six times as fast, and in constant time.  Otherwise
`handful.ed25519` does.  Both give the same signatures.
"""

from __future__ import annotations

from typing import Protocol

from handful import ed25519


class Signer(Protocol):
    """A private key that signs messages; `public_key` verifies them."""

    @property
    def public_key(self) -> bytes: ...

    def sign(self, message: bytes) -> bytes: ...


class LibraryKey:
    """A private key of the package `cryptography`; raises ImportError without it."""

    def __init__(self, seed: bytes) -> None:
        # imported here because it takes 35 ms, and most commands sign nothing
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public_key: bytes = self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        signature: bytes = self._key.sign(message)
        return signature


def signer(seed: bytes) -> Signer:
    """Return the private key that follows from a seed of 32 bytes."""
    try:
        return LibraryKey(seed)
    except ImportError:
        return ed25519.SigningKey(seed)
