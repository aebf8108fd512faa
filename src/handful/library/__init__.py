"""The Python library: rulesets by name or path, exact odds, and rolls that can be played.

It reads files, combines the pure packages and adds no rules.  Invariant: only this package reads
files and takes randomness from the operating system.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from handful.library.files import (
    character_names,
    families,
    known,
    read_sources,
    ruleset_path,
    shipped,
    shipped_folder,
)
from handful.library.rulesets import Ruleset, reviewed, ruleset
from handful.library.simulation import own_seed, simulation

if TYPE_CHECKING:
    from handful.library.chance import Rng
    from handful.library.rolls import Roll, read_answer

_LATER = {"Rng": "chance", "Roll": "rolls", "read_answer": "rolls"}  # imported on first access


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'handful.library' has no attribute {name!r}")
    return getattr(import_module(f"handful.library.{_LATER[name]}"), name)


__all__ = [
    "Rng",
    "Roll",
    "Ruleset",
    "character_names",
    "families",
    "known",
    "own_seed",
    "read_answer",
    "read_sources",
    "reviewed",
    "ruleset",
    "ruleset_path",
    "shipped",
    "shipped_folder",
    "simulation",
]
