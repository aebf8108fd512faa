"""Saved rulesets of a store, by hash.

A log means something only together with its rules, so their texts are saved with it.  Each ruleset is
loaded on first use; texts that do not match their hash are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handful.errors import HandfulError, Message
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.store.protocol import RulesetTexts, Store, StoreFault


def read_stored_rules(hash: str, texts: RulesetTexts, where: str = "") -> Ruleset:
    """Load a ruleset from its saved texts; raises `StoreFault` if they do not match the hash."""
    if not texts:
        raise StoreFault(
            Message("store.rules_not_kept", where=where, hash=hash[:12]), Message("store.use_backup")
        )
    try:
        rules = loading.load([loading.Source(name, text) for name, text in texts])
    except HandfulError as error:
        raise StoreFault(
            Message("store.rules_unreadable", where=where, reason=str(error).splitlines()[0]),
            error.advice or Message("store.newer_may_know"),
        ) from None
    if rules.hash != hash:
        raise StoreFault(
            Message("store.rules_changed", where=where),
            Message("store.file_changed"),
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
