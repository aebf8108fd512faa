"""Random names for characters of games that bring no names of their own.

Invented, and at home in no language in particular.
"""

from __future__ import annotations

from handful.rules.ruleset import Ruleset
from handful.sheet.chance import Choices

GIVEN = (
    "Ada",
    "Alrik",
    "Anoush",
    "Bela",
    "Bram",
    "Cael",
    "Dara",
    "Edda",
    "Elin",
    "Farid",
    "Gesa",
    "Hale",
    "Ilka",
    "Imre",
    "Jarek",
    "Jora",
    "Kaia",
    "Kolja",
    "Leif",
    "Liv",
    "Marek",
    "Mila",
    "Nadim",
    "Nela",
    "Oda",
    "Orin",
    "Pia",
    "Rasmus",
    "Rika",
    "Sefa",
    "Sorin",
    "Tamsin",
    "Tilda",
    "Ulf",
    "Vesna",
    "Wanda",
    "Yara",
    "Yorick",
    "Zane",
    "Zora",
)
FAMILY = (
    "Alder",
    "Anker",
    "Arden",
    "Birk",
    "Brandt",
    "Corvin",
    "Dorn",
    "Ember",
    "Falk",
    "Fenn",
    "Garrow",
    "Hagen",
    "Harl",
    "Holm",
    "Iven",
    "Jarl",
    "Kestrel",
    "Kron",
    "Lark",
    "Linde",
    "Marr",
    "Morgen",
    "Nord",
    "Orlo",
    "Pell",
    "Quist",
    "Raven",
    "Rook",
    "Sander",
    "Stark",
    "Storm",
    "Tarn",
    "Thorne",
    "Ulm",
    "Varga",
    "Vane",
    "Wald",
    "Winter",
    "Yarrow",
    "Zander",
)


def random_name(rules: Ruleset, seed: int | str) -> str:
    """Return a name from the game's lists, or from these; the same seed gives the same name."""
    parts = rules.sheet.creation.names if rules.sheet else {}
    choices = Choices(f"name {seed}")
    return " ".join(choices.one(part) for part in parts.values() or (GIVEN, FAMILY))
