"""Saved rulesets of a store, by hash.

A log means something only together with its rules, so their texts are saved with it.  Each ruleset is
loaded on first use; texts that do not match their hash are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handful.errors import HandfulError
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.store.protocol import RulesetTexts, Store, StoreFault


def read_stored_rules(hash: str, texts: RulesetTexts, where: str = "") -> Ruleset:
    """Load a ruleset from its saved texts; raises `StoreFault` if they do not match the hash."""
    if not texts:
        raise StoreFault(f"{where}the rules {hash[:12]} were not kept in this file", "take a backup")
    try:
        rules = loading.load([loading.Source(name, text) for name, text in texts])
    except HandfulError as error:
        raise StoreFault(
            f"{where}the rules that it was played with cannot be read by this Handful "
            f"({str(error).splitlines()[0]})",
            error.hint or "a newer one may know them",
        ) from None
    if rules.hash != hash:
        raise StoreFault(
            f"{where}the rules that were kept with it are not those it was played with",
            "the file was changed by something else; take a backup",
        )
    return rules


class StoredRulesets(Mapping[str, Ruleset]):
    """Mapping from hash to ruleset over a store; iterates over the loaded ones only."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, Ruleset] = {}

    def __getitem__(self, hash: str) -> Ruleset:
        if hash not in self._read:
            texts = self._store.rules(hash)
            if not texts:
                raise KeyError(hash)
            self._read[hash] = read_stored_rules(hash, texts)
        return self._read[hash]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)
