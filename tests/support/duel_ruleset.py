"""A home-brew with rounds, weapons and hit points that no shipped game resembles."""

from __future__ import annotations

DUEL = '''
language = 2
id = "duel"
usual_check = "strike"
title = { en = "Duel" }
about = { en = "Count every 4 and higher against a guard." }

[words]
hits = { en = "hits" }
wound = { en = "wound" }

[checks.strike]
title = { en = "Strike" }
help = { en = "Strike at somebody's guard." }
main = "hits"
does = """
close = 1 if style == "near" else 0
count = sum(roll(max(1, pool + edge - 1 + close), d6 >= 4))
if not given(guard):
    result(hits = count, success = None, margin = None)
result(hits = count, success = count >= guard, margin = count - guard)
"""
[checks.strike.params]
pool = { type = "number", min = 0, max = 30, label = { en = "Pool" } }
edge = { type = "number", min = 0, max = 9, default = 0, label = { en = "Edge" } }
style = { type = "choice", values = ["near", "far"], default = "near", label = { en = "Style" } }
guard = { type = "number", min = 0, max = 30, optional = true, label = { en = "Guard" } }

[checks.bite]
title = { en = "Bite" }
help = { en = "How deep it goes." }
main = "wound"
does = """
result(wound = sum(roll(depth, d6)))
"""
[checks.bite.params]
depth = { type = "number", min = 1, max = 9, label = { en = "Depth" } }

[sheet.attributes]
nerve = { title = { en = "Nerve" }, min = 0, max = 9 }
[sheet.skill]
called = "rank"
min = 0
max = 9
label = { en = "Rank" }
[sheet.skills]
foil = { title = { en = "Foil" } }
[sheet.item.fields]
art = { type = "text", label = { en = "Art" } }
keen = { type = "number", min = 0, max = 9, default = 0, label = { en = "Keen" } }
deep = { type = "number", min = 1, max = 9, default = 1, label = { en = "Deep" } }
[sheet.items]
rapier = { title = { en = "Rapier" }, art = "foil", keen = 2, deep = 3, uses = 2 }
[sheet.resources.blood]
title = { en = "Blood" }
min = 0
max = 20
[sheet.picks.pool]
skills = { pool = "rank" }
attributes = { pool = "value" }

[rounds]
initiative = "attributes.nerve"
free = ["bite"]
harm = "blood"
[rounds.targets.strike]
by = "style"
guard = { near = "attributes.nerve", far = "0" }
[rounds.attacks.strike]
item = { pool = "art", edge = "keen" }
damage = { check = "bite", item = { depth = "deep" } }
'''


def duellist(name: str, nerve: int, **items: dict[str, object]) -> dict[str, object]:
    """Return a character of the game."""
    return {
        "format": 1,
        "ruleset": "duel",
        "name": name,
        "kind": "pc",
        "attributes": {"nerve": nerve},
        "skills": {"foil": 3},
        "items": {"rapier": {}, **items},
    }
