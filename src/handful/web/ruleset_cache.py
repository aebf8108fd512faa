"""Cache of what the pages show of a ruleset, by the hash of its rules and the language.

Invariant: equal rules share an entry, however often they are loaded, and no entry keeps a ruleset alive.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from handful.rules.ruleset import Ruleset

Derived = TypeVar("Derived")
MAX_ENTRIES = 32  # a few games in every language; an entry takes up to a megabyte


class RulesetCache(Generic[Derived]):
    """Least recently used cache of one function of a ruleset and a language; threads may share it."""

    def __init__(self, compute: Callable[[Ruleset, str], Derived], most: int = MAX_ENTRIES) -> None:
        self._compute, self._most, self._lock = compute, most, Lock()
        self._entries: OrderedDict[tuple[str, str], Derived] = OrderedDict()

    def get(self, rules: Ruleset, language: str) -> Derived:
        """Return the cached value, or compute it."""
        key = rules.hash, language
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
        derived = self._compute(rules, language)  # unlocked: others need not wait for it
        with self._lock:
            self._entries[key] = derived
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
        return derived
