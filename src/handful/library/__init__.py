"""The Python library: rulesets by name or path, exact odds, and rolls that can be played.

It reads files, combines the pure packages and adds no rules.  Invariant: only this package reads
files and takes randomness from the operating system.
"""

from handful.library.chance import Rng
from handful.library.files import (
    character_names,
    families,
    known,
    read_sources,
    ruleset_path,
    shipped,
    shipped_folder,
)
from handful.library.rolls import Roll, read_answer
from handful.library.rulesets import Ruleset, reviewed, ruleset
from handful.library.simulation import own_seed, simulation

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
