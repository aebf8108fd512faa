"""Characters for tests: the shipped ones, and those of a toy ruleset with a sheet."""

from __future__ import annotations

from functools import cache
from typing import Any

from ruleset_cases import GAMES, ruleset

from handful.roll import start
from handful.rules.load import Source, load
from handful.sheet import Character, Contribution, Draft, list_contributions, read_character

SHIPPED = [(game, name) for game in GAMES for name in ruleset(game).characters()]

TOY = """language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "A game for tests" }
[options.tired_costs]
values = [1, 2]
default = 1
label = { en = "What being tired costs" }
[words]
cards = { en = "cards" }
luck = { en = "Luck" }
[rules.twice]
params = ["number"]
does = "result(value = 2 * number)"
[checks.draw]
title = { en = "Draw" }
help = { en = "Draw and add" }
main = "total"
does = \"\"\"
modify("cards", cards, "cards")
modify("luck", luck, "cards")
result(total = sum(roll(max(1, cards + luck - tired * options.tired_costs), d6)))
\"\"\"
[checks.draw.params.cards]
type = "number"
min = 0
max = 50
label = { en = "Cards" }
unit = "cards"
[checks.draw.params.luck]
type = "number"
min = -20
max = 20
default = 0
label = { en = "Luck" }
[checks.draw.params.tired]
type = "number"
min = 0
max = 5
default = 0
label = { en = "Tired" }
[sheet.attribute]
min = 0
max = 9
[sheet.attributes]
wit = { title = { en = "Wit", de = "Witz" } }
nerve = { title = { en = "Nerve", de = "Mut" }, default = 2 }
[sheet.skill]
called = "knack"
min = 0
max = 5
label = { en = "Knack" }
[sheet.skills]
bluff = { title = { en = "Bluff", de = "Täuschen" } }
[sheet.derived]
hand = { title = { en = "Hand" }, value = "twice(number = attributes.wit).value + skills.bluff" }
limit = { title = { en = "Limit" }, value = "derived.hand + 3" }
[sheet.resources.chips]
title = { en = "Chips" }
min = 0
max = "derived.limit"
start = 1
[sheet.resources.heat]
title = { en = "Heat" }
max = 3
start = 0
kinds = ["npc"]
[sheet.conditions.broke]
title = { en = "Broke" }
when = "resources.chips == 0"
gives = [{ tired = 1 }]
[sheet.conditions.rattled]
title = { en = "Rattled" }
when = "resources.chips == 0 and attributes.nerve < 1"
cannot = { en = "too rattled to draw" }
[sheet.traits.charmed]
title = { en = "Charmed" }
gives = [{ luck = 2, for = ["bluff"] }, { luck = 1, off = true }]
[sheet.picks.cards]
attributes = { cards = "value" }
skills = { cards = "knack" }
"""
JO = {"format": 1, "ruleset": "toy", "name": "Jo", "attributes": {"wit": 3}, "skills": {"bluff": 2}}


def load_toy(text: str = TOY, *more: str) -> Any:
    return load([Source(f"toy{n}.toml", part) for n, part in enumerate((text, *more))])


@cache
def toy() -> Any:
    return load_toy()


def toy_character(**fields: Any) -> Character:
    """Return a character of the toy ruleset."""
    return read_character(toy(), {**JO, **fields})


def shipped_character(name: str) -> Character:
    game = next(game for game, own in SHIPPED if own == name)
    return ruleset(game).character(name)


def contributions_of(draft: Draft) -> list[Contribution]:
    return list_contributions(draft, start(draft.bound()).trace.modifiers)


def contribution_lines(draft: Draft) -> list[str]:
    """Return the contributions of a draft as texts such as `Grace 3.5 dice`."""
    return [
        f"{one.source} {one.to_dict()['amount']} {one.unit}".strip() + ("" if one.on else " off")
        for one in contributions_of(draft)
    ]
