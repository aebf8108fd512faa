"""The dice of a stored table: keys from the secrets of its epochs, and the key that signs its logs."""

from __future__ import annotations

from functools import cached_property

from handful import ed25519
from handful.errors import Message
from handful.store.protocol import Epoch, Store, StoreFault, TableHeader
from handful.store.signing import Signer, signer
from handful.table import derive_faces
from handful.table.key_streams import NamedKey, Place, derive_key


class StoredDice:
    """Dice from the secrets in a store.

    `unsaved` is an epoch that the next append saves; until then it counts for this process only.
    """

    def __init__(self, store: Store, header: TableHeader) -> None:
        self._store, self._header = store, header
        self._secrets: dict[int, bytes] = {}  # epoch -> secret, as far as they were needed
        self.unsaved: Epoch | None = None

    @cached_property
    def public_key(self) -> str:
        seed = self._store.signing_seed(self._header.table)
        return ed25519.SigningKey(seed).public_key.hex()  # importing a library for it would take 35 ms

    @cached_property
    def signer(self) -> Signer:
        return signer(self._store.signing_seed(self._header.table))

    def key(self, place: Place) -> str:
        if isinstance(place, NamedKey):
            return derive_key(self._header.secret, place)
        return derive_key(self._epoch_secret(place.epoch), place)

    def faces(self, place: Place, throw: int, count: int, sides: int, entropy: str) -> tuple[int, ...]:
        return derive_faces(self.key(place), throw, count, sides, entropy)

    def _epoch_secret(self, number: int) -> bytes:
        if self.unsaved is not None and self.unsaved.number == number:
            return self.unsaved.secret
        if number not in self._secrets:
            self._secrets = self._store.epochs(self._header.table)
        if number not in self._secrets:
            raise StoreFault(
                Message("store.epoch_missing", table=self._header.table, number=number),
                Message("store.file_changed"),
            )
        return self._secrets[number]
