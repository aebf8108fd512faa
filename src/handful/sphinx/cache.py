"""Caches results next to Sphinx's doctrees, by the hash of the rules and the query.

Invariant: an entry is never stale, because other rules have another hash.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from typing import Any

import handful
from handful import library
from handful.errors import FileFault
from handful.library import Ruleset, read_sources
from handful.library.files import read_text, write_atomically

FORMAT = 1  # version of the entries
Result = dict[str, Any]
_RULESETS: dict[tuple[Any, ...], Ruleset] = {}


class ResultCache:
    """A folder of results as JSON files."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def get_or_compute(self, key: Any, compute: Callable[[], Result]) -> Result:
        path = self.stem(key) + ".json"
        if os.path.exists(path):
            try:
                found: Result = json.loads(read_text(path))
                return found
            except (ValueError, FileFault):
                pass  # damaged: compute it again
        return self.put(key, compute())

    def put(self, key: Any, data: Result) -> Result:
        os.makedirs(self.folder, exist_ok=True)
        write_atomically(self.stem(key) + ".json", json.dumps(data).encode())
        return data

    def stem(self, key: Any) -> str:
        """Return the path of an entry's files, without the suffix."""
        text = json.dumps([FORMAT, handful.__version__, key], sort_keys=True, default=str)
        return os.path.join(self.folder, hashlib.sha256(text.encode()).hexdigest()[:32])


def load_ruleset(path: str) -> Ruleset:
    """Load a ruleset; read again only if one of its files has changed."""
    files = [source.file for source in read_sources(path)]
    key = tuple((file, os.stat(file).st_mtime_ns, os.stat(file).st_size) for file in files)
    if key not in _RULESETS:
        _RULESETS[key] = library.ruleset(path)
    return _RULESETS[key]
