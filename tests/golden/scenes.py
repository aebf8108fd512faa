"""The scenes of the golden logs: plain lists of commands, one for each game.

A line is who, what, a key, and the fields of the command; whatever a line makes is named after who
and key: `ann/jump`.  Dice that a decision depends on are given as faces, all others fall by the
fixed secret.  A `sheet` names a character that comes with the game, and `"replaces": "now"` stands
for the mark of the sheet that is there.  A `hash` names a game whose rules are to hold.

A scene that has been recorded is not changed any more: what is new gets a scene of its own below,
and `make golden` records it.
"""

from __future__ import annotations

from typing import Any

Line = tuple[str, str, str, dict[str, Any]]  # who, what, key, fields
Scene = tuple[str, list[Line]]  # the game, and what happens

SEATS: list[Line] = [
    ("gm", "open", "open", {"table": "golden"}),
    ("gm", "seat", "ann", {"name": "ann", "role": "player"}),
    ("gm", "seat", "bob", {"name": "bob", "role": "player"}),
    ("gm", "seat", "eve", {"name": "eve", "role": "watcher"}),
]

UWR: list[Line] = [
    *SEATS,
    # U-14: asked for a check, proposed, refused, proposed again, accepted; rerolls; taken back
    (
        "gm",
        "request",
        "wall",
        {
            "to": ["ann", "bob"],
            "check": "direct",
            "parameters": {"target": 2},
            "hidden": ["target"],
            "title": "over the wall",
        },
    ),
    ("ann", "propose", "cook", {"request": "gm/wall", "parameters": {"attribute": 3.5, "skill": 1}}),
    ("gm", "refuse", "no", {"request": "gm/wall", "name": "ann", "words": "not by cooking"}),
    ("ann", "propose", "climb", {"request": "gm/wall", "parameters": {"attribute": 3.5, "skill": 2}}),
    ("gm", "accept", "ann climbs", {"request": "gm/wall", "name": "ann"}),
    ("gm", "accept", "bob climbs", {"request": "gm/wall", "name": "bob", "parameters": {"attribute": 2}}),
    ("ann", "throw", "c1", {"roll": "gm/ann climbs", "faces": [6, 3, 1, 4, 2]}),
    ("ann", "answer", "c2", {"roll": "gm/ann climbs", "answer": [2]}),
    ("ann", "undo", "c3", {"roll": "gm/ann climbs"}),
    ("ann", "answer", "c4", {"roll": "gm/ann climbs", "answer": [3], "words": "the worst one"}),
    ("ann", "throw", "c5", {"roll": "gm/ann climbs", "entropy": "blow on it"}),
    ("bob", "throw", "c6", {"roll": "gm/bob climbs"}),
    ("gm", "reveal_target", "c7", {"roll": "gm/ann climbs"}),
    ("gm", "request", "never mind", {"to": ["bob"], "check": "direct"}),
    ("gm", "withdraw", "w", {"request": "gm/never mind"}),
    # a lie in secret that gets called and beaten (U-20, U-23), and a call where there was none
    (
        "gm",
        "declare",
        "lie",
        {"check": "direct", "parameters": {"attribute": 3}, "mode": "secret", "title": "a lie"},
    ),
    ("gm", "throw", "l1", {"roll": "gm/lie", "faces": [6, 6, 1]}),
    ("ann", "call", "doubt", {"check": "direct", "parameters": {"attribute": 3}, "title": "is that so?"}),
    ("gm", "accept", "l2", {"request": "ann/doubt", "name": "ann"}),
    ("ann", "throw", "l3", {"roll": "gm/l2", "faces": [6, 5, 2]}),
    ("gm", "settle", "l4", {"request": "ann/doubt", "against": "gm/lie", "check": "opposed"}),
    ("bob", "call", "doubt", {"check": "direct", "parameters": {"attribute": 4}}),
    ("gm", "accept", "l5", {"request": "bob/doubt", "name": "bob"}),
    ("bob", "throw", "l6", {"roll": "gm/l5"}),
    ("gm", "settle", "l7", {"request": "bob/doubt"}),
    # U-18: announced and opposed, also with several who resist (AMB-U13)
    ("ann", "declare", "push", {"check": "direct", "parameters": {"attribute": 4}}),
    ("ann", "throw", "p1", {"roll": "ann/push"}),
    ("bob", "declare", "stand", {"check": "direct", "parameters": {"attribute": 3}, "mode": "private"}),
    ("bob", "throw", "p2", {"roll": "bob/stand"}),
    ("gm", "contest", "shove", {"check": "opposed", "rolls": ["ann/push", "bob/stand"]}),
    ("gm", "contest", "crowd", {"check": "opposed", "rolls": ["ann/push", "bob/stand", "gm/l5"]}),
    # every mode of visibility, a correction, house rules
    (
        "gm",
        "declare",
        "blind",
        {"check": "direct", "parameters": {"attribute": 2, "target": 1}, "for": "bob", "mode": "blind"},
    ),
    ("gm", "throw", "b1", {"roll": "gm/blind"}),
    ("gm", "declare", "hidden", {"check": "direct", "parameters": {"attribute": 2}, "mode": "gm"}),
    ("gm", "throw", "b2", {"roll": "gm/hidden"}),
    ("gm", "reveal", "b3", {"roll": "gm/hidden", "to": ["ann"]}),
    ("gm", "correct", "b4", {"roll": "gm/blind", "parameters": {"target": 2}, "words": "it was slippery"}),
    ("gm", "house_rules", "h1", {"options": {"tie_winner": "initiator"}}),
    ("gm", "visibility", "h2", {"mode": "private"}),
    ("ann", "declare", "last", {"check": "direct", "parameters": {"attribute": 2, "rerolls": 1}}),
    ("ann", "throw", "h3", {"roll": "ann/last", "faces": [1, 2]}),
    ("ann", "answer", "h4", {"roll": "ann/last", "answer": []}),
    ("ann", "finalise", "h5", {"roll": "ann/last"}),
]

AGGA: list[Line] = [
    *SEATS,
    # only failed dice are rerolled; the attribute is rounded down
    (
        "ann",
        "declare",
        "jump",
        {"check": "direct", "parameters": {"attribute": 3.5, "skill": 1, "difficulty": "difficult"}},
    ),
    ("ann", "throw", "1", {"roll": "ann/jump", "faces": [6, 1, 2, 5]}),
    ("ann", "answer", "2", {"roll": "ann/jump", "answer": [2]}),
    ("ann", "throw", "3", {"roll": "ann/jump"}),
    ("gm", "correct", "4", {"roll": "ann/jump", "parameters": {"difficulty": "extreme"}}),
    ("bob", "declare", "hide", {"check": "direct", "parameters": {"attribute": 4}, "mode": "secret"}),
    ("bob", "throw", "5", {"roll": "bob/hide"}),
    ("bob", "reveal", "6", {"roll": "bob/hide"}),
]

FONS: list[Line] = [
    *SEATS,
    ("gm", "house_rules", "stack", {"options": {"reroll_stack": "stacking"}}),
    (
        "ann",
        "declare",
        "leap",
        {"check": "direct", "parameters": {"attribute": 2, "rerolls": 2, "difficulty": "trivial"}},
    ),
    ("ann", "throw", "1", {"roll": "ann/leap", "faces": [1, 2]}),
    ("ann", "answer", "2", {"roll": "ann/leap", "answer": [1]}),
    ("ann", "throw", "3", {"roll": "ann/leap", "faces": [1]}),
    ("ann", "answer", "4", {"roll": "ann/leap", "answer": [1]}),
    ("ann", "throw", "5", {"roll": "ann/leap", "faces": [6]}),
    ("bob", "declare", "hold", {"check": "direct", "parameters": {"attribute": 3}}),
    ("bob", "throw", "6", {"roll": "bob/hold"}),
]

TUURNA: list[Line] = [
    *SEATS,
    # a group is judged by its weakest
    ("ann", "declare", "sneak", {"check": "check", "parameters": {"level": 3, "fate": "lucky"}}),
    ("ann", "throw", "1", {"roll": "ann/sneak"}),
    ("bob", "declare", "sneak", {"check": "check", "parameters": {"level": 2, "labor": 1}}),
    ("bob", "throw", "1", {"roll": "bob/sneak"}),
    (
        "gm",
        "contest",
        "group",
        {
            "check": "group",
            "rolls": ["ann/sneak", "bob/sneak"],
            "parameters": {"judge": "min", "difficulty": 2},
        },
    ),
    # a tie stands, or is rolled again
    ("ann", "declare", "race", {"check": "check", "parameters": {"level": 2}}),
    ("ann", "throw", "2", {"roll": "ann/race", "faces": [3, 1]}),
    ("bob", "declare", "race", {"check": "check", "parameters": {"level": 2}}),
    ("bob", "throw", "2", {"roll": "bob/race", "faces": [3, 1]}),
    (
        "gm",
        "contest",
        "tie",
        {"check": "contest", "rolls": ["ann/race", "bob/race"], "parameters": {"ties": "stand"}},
    ),
    ("gm", "contest", "again", {"check": "contest", "rolls": ["ann/race", "bob/race"]}),
    ("gm", "throw", "3", {"roll": "gm/again", "faces": [3, 3, 1, 1]}),
    # several Skills at once
    ("ann", "declare", "both", {"check": "check", "parameters": {"level": "5,3", "difficulty": "moderate"}}),
    ("ann", "throw", "4", {"roll": "ann/both"}),
]

ME_D6: list[Line] = [
    *SEATS,
    # D-5: a critical failure, and the GM's words on it
    (
        "ann",
        "declare",
        "shoot",
        {"check": "check", "parameters": {"dice": "3D", "difficulty": 5, "ruling": "ask"}},
    ),
    ("ann", "throw", "1", {"roll": "ann/shoot", "faces": [1, 5, 3]}),
    ("gm", "answer", "2", {"roll": "ann/shoot", "answer": "complication", "words": "the lamp goes out"}),
    ("gm", "undo", "3", {"roll": "ann/shoot"}),
    ("gm", "answer", "4", {"roll": "ann/shoot", "answer": "cancel"}),
    ("gm", "finalise", "5", {"roll": "ann/shoot"}),
    ("gm", "correct", "6", {"roll": "ann/shoot", "parameters": {"difficulty": 3}}),
    # D-31: one roll of a group against several targets
    ("gm", "declare", "thugs", {"check": "check", "parameters": {"dice": "3D"}, "title": "thugs"}),
    ("gm", "throw", "7", {"roll": "gm/thugs", "faces": [3, 4, 4]}),
    ("ann", "declare", "duck", {"check": "check", "parameters": {"dice": "2D+1"}}),
    ("ann", "throw", "8", {"roll": "ann/duck", "faces": [6, 2, 3]}),
    ("bob", "declare", "duck", {"check": "check", "parameters": {"dice": "4D"}}),
    ("bob", "throw", "8", {"roll": "bob/duck", "faces": [2, 5, 5, 5]}),
    ("gm", "contest", "at ann", {"check": "opposed", "rolls": ["gm/thugs", "ann/duck"]}),
    ("gm", "contest", "at bob", {"check": "opposed", "rolls": ["gm/thugs", "bob/duck"]}),
]

ME_D6_CHARACTERS: list[Line] = [
    *SEATS,
    ("ann", "bring", "sanna", {"sheet": "sanna"}),
    ("bob", "bring", "corvin", {"sheet": "corvin"}),
    ("gm", "bring", "raider", {"sheet": "raider"}),
    ("gm", "show", "1", {"character": "gm/Raider", "shown": "own"}),
    ("gm", "show", "2", {"character": "gm/Raider", "shown": "open"}),
    ("gm", "show", "3", {"character": "gm/Raider", "shown": "hidden"}),
    ("gm", "adjust", "4", {"character": "ann/Sanna Vey", "resources": {"hit_points": -2}, "words": "a fall"}),
    ("ann", "use", "5", {"character": "ann/Sanna Vey", "resource": "medals", "use": "heal"}),
    # a roll that costs a point; its line is switched off and on again, another one is added
    (
        "ann",
        "declare",
        "mend",
        {
            "check": "check",
            "as": "ann/Sanna Vey",
            "parameters": {"dice": "repair", "difficulty": 10, "spend": "paragon-bonus"},
        },
    ),
    ("gm", "switch", "6", {"roll": "ann/mend", "line": 2, "on": False}),
    ("gm", "switch", "7", {"roll": "ann/mend", "line": 2, "on": True}),
    ("gm", "add_line", "8", {"roll": "ann/mend", "parameter": "bonus", "value": "+1D", "note": "good tools"}),
    ("ann", "throw", "9", {"roll": "ann/mend"}),
    # an import over somebody who has changed meanwhile, and somebody who leaves
    ("ann", "bring", "sanna again", {"sheet": "sanna", "replaces": "now"}),
    ("bob", "dismiss", "10", {"character": "bob/Corvin Ade"}),
]

UWR_CHARACTERS: list[Line] = [
    *SEATS,
    ("ann", "bring", "mira", {"sheet": "mira"}),
    ("gm", "bring", "sentry", {"sheet": "sentry"}),
    (
        "gm",
        "request",
        "wall",
        {
            "to": ["ann"],
            "check": "direct",
            "parameters": {"target": 1},
            "as": "ann/Mira Quill",
            "hidden": ["target"],
        },
    ),
    (
        "ann",
        "propose",
        "climb",
        {
            "request": "gm/wall",
            "parameters": {"attribute": "Grace", "skill": "Acrobatics"},
            "as": "ann/Mira Quill",
        },
    ),
    ("gm", "accept", "1", {"request": "gm/wall", "name": "ann"}),
    ("ann", "throw", "2", {"roll": "gm/1", "faces": [6, 6, 5, 5, 1]}),
    ("ann", "answer", "2.1", {"roll": "gm/1", "answer": [5]}),
    ("ann", "throw", "2.2", {"roll": "gm/1"}),
    ("gm", "reveal_target", "3", {"roll": "gm/1"}),
    (
        "gm",
        "declare",
        "watch",
        {"check": "direct", "as": "gm/Sentry", "parameters": {"attribute": "Insight"}, "mode": "gm"},
    ),
    ("gm", "throw", "4", {"roll": "gm/watch"}),
    ("gm", "reveal", "5", {"roll": "gm/watch"}),
    (
        "ann",
        "call",
        "doubt",
        {"check": "direct", "as": "ann/Mira Quill", "parameters": {"attribute": "Insight"}},
    ),
    ("gm", "withdraw", "6", {"request": "ann/doubt"}),
]

TUURNA_CONTESTS: list[Line] = [
    *SEATS,
    # sides first: nobody throws before all are declared; a rank, and the GM's word on it
    ("ann", "declare", "run", {"check": "check", "parameters": {"level": 4}}),
    ("bob", "declare", "run", {"check": "check", "parameters": {"level": 3}}),
    ("gm", "declare", "hound", {"check": "check", "parameters": {"level": 5}, "mode": "private"}),
    ("gm", "challenge", "race", {"check": "contest", "sides": [{"roll": "ann/run"}, {"roll": "bob/run"}]}),
    (
        "gm",
        "challenge",
        "hunt",
        {"check": "contest", "sides": [{"roll": "gm/hound"}, {"roll": "ann/run"}], "together": False},
    ),
    ("ann", "throw", "1", {"roll": "ann/run", "faces": [3, 3, 1, 1]}),
    ("gm", "call_off", "2", {"contest": "gm/hunt"}),
    ("bob", "throw", "3", {"roll": "bob/run", "faces": [3, 1, 1]}),
    ("gm", "judge", "4", {"roll": "gm/race", "grade": "by a hair", "words": "in the last bend"}),
]
# Two rounds of a fight, with all that can happen in one.
ME_D6_FIGHT: list[Line] = [
    *SEATS,
    ("ann", "bring", "sanna", {"sheet": "sanna"}),
    ("bob", "bring", "corvin", {"sheet": "corvin"}),
    ("gm", "bring", "raider", {"sheet": "raider", "shown": "own"}),
    ("gm", "adjust", "rested", {"character": "ann/Sanna Vey", "resources": {"hit_points": 12}}),
    # D-38: a task that is tried, fails, and is tried again
    (
        "ann",
        "declare",
        "vault",
        {
            "check": "check",
            "as": "ann/Sanna Vey",
            "task": "the vault",
            "parameters": {"dice": "decryption", "difficulty": 16},
        },
    ),
    ("ann", "throw", "v1", {"roll": "ann/vault", "faces": [2, 2, 2, 2]}),
    (
        "ann",
        "declare",
        "vault again",
        {
            "check": "check",
            "as": "ann/Sanna Vey",
            "task": "the vault",
            "parameters": {"dice": "decryption", "difficulty": 16},
        },
    ),
    ("ann", "throw", "v2", {"roll": "ann/vault again", "faces": [5, 6, 6, 6]}),
    # D-14 to D-16: Corvin, Sanna, the raider, and somebody whom nobody sees yet
    (
        "gm",
        "fight",
        "ambush",
        {
            "combatants": [
                {"character": "ann/Sanna Vey", "marks": {"situation": 1}},
                {"character": "bob/Corvin Ade"},
                {"character": "gm/Raider"},
                {"name": "sniper", "initiative": 30, "hidden": True},
            ]
        },
    ),
    ("gm", "fix", "1.0", {"combatant": "gm/sniper", "actions": 1}),
    ("gm", "act", "1.1", {"combatant": "gm/sniper", "what": "takes aim"}),
    # D-21, D-40: so many actions, and a sprint is one of them; a move is taken back
    ("bob", "fix", "1.2", {"combatant": "bob/Corvin Ade", "actions": 4}),
    ("bob", "pace", "1.3", {"combatant": "bob/Corvin Ade", "pace": "sprinting"}),
    ("bob", "act", "1.4", {"combatant": "bob/Corvin Ade", "what": "shuts the hatch"}),
    ("bob", "undo_move", "1.5", {"combatant": "bob/Corvin Ade"}),
    (
        "bob",
        "declare",
        "order",
        {"check": "check", "as": "bob/Corvin Ade", "parameters": {"dice": "command"}},
    ),
    ("bob", "cancel", "1.6", {"roll": "bob/order"}),
    ("bob", "wait", "1.7", {"combatant": "bob/Corvin Ade"}),
    # D-41: an attack on somebody whose Defense is not known; D-19: Corvin steps in before its end
    ("ann", "fix", "2.1", {"combatant": "ann/Sanna Vey", "actions": 2}),
    (
        "ann",
        "declare",
        "shot",
        {
            "check": "attack",
            "as": "ann/Sanna Vey",
            "target": "gm/Raider",
            "item": "pistol",
            "parameters": {"dice": "ranged", "kind": "ranged"},
        },
    ),
    ("ann", "throw", "2.2", {"roll": "ann/shot", "faces": [4, 4, 4]}),
    (
        "bob",
        "declare",
        "shout",
        {
            "check": "check",
            "as": "bob/Corvin Ade",
            "spends": "interruption",
            "interrupts": "ann/shot",
            "parameters": {"dice": "command", "difficulty": 5},
        },
    ),
    ("bob", "throw", "2.3", {"roll": "bob/shout", "faces": [5]}),
    ("gm", "finalise", "2.4", {"roll": "bob/shout"}),
    ("gm", "finalise", "2.5", {"roll": "ann/shot"}),
    ("gm", "equip", "2.6", {"character": "ann/Sanna Vey", "item": "pistol", "uses": 2}),
    # D-7: the second shot of the round, and the pistol is too hot
    (
        "ann",
        "declare",
        "shot 2",
        {
            "check": "attack",
            "as": "ann/Sanna Vey",
            "target": "gm/Raider",
            "item": "pistol",
            "parameters": {"dice": "ranged", "kind": "ranged"},
        },
    ),
    ("ann", "throw", "2.7", {"roll": "ann/shot 2", "faces": [1, 3, 3]}),
    ("gm", "answer", "2.8", {"roll": "ann/shot 2", "answer": "complication", "words": "smoke everywhere"}),
    ("gm", "finalise", "2.9", {"roll": "ann/shot 2"}),
    # D-43: the raider strikes at Corvin, who parries; the two are compared by themselves
    ("gm", "fix", "3.1", {"combatant": "gm/Raider", "actions": 1}),
    (
        "gm",
        "declare",
        "blow",
        {
            "check": "attack",
            "as": "gm/Raider",
            "target": "bob/Corvin Ade",
            "parameters": {"dice": "melee", "kind": "melee"},
        },
    ),
    ("gm", "throw", "3.2", {"roll": "gm/blow", "faces": [5, 5, 5]}),
    (
        "bob",
        "declare",
        "parry",
        {"check": "check", "as": "bob/Corvin Ade", "answers": "gm/blow", "parameters": {"bonus": "+1D"}},
    ),
    ("bob", "throw", "3.3", {"roll": "bob/parry", "faces": [3]}),
    ("gm", "finalise", "3.4", {"roll": "bob/parry"}),
    # D-44: damage less what resists it; once too much, and taken back
    ("gm", "declare", "damage", {"check": "total", "parameters": {"dice": "3D"}}),
    ("gm", "throw", "3.5", {"roll": "gm/damage", "faces": [4, 5, 5]}),
    (
        "bob",
        "declare",
        "resist",
        {"check": "total", "as": "bob/Corvin Ade", "parameters": {"dice": "Strength"}},
    ),
    ("bob", "throw", "3.6", {"roll": "bob/resist", "faces": [2, 3, 2]}),
    ("gm", "harm", "3.7", {"character": "bob/Corvin Ade", "damage": "gm/damage"}),
    ("gm", "undo_points", "3.8", {"character": "bob/Corvin Ade"}),
    (
        "gm",
        "harm",
        "3.9",
        {"character": "bob/Corvin Ade", "damage": "gm/damage", "resist": "bob/resist", "words": "the blade"},
    ),
    # the second round: D-28, D-29, D-20, and people who come and go
    ("gm", "next_round", "4.0", {}),
    ("gm", "uncover", "4.1", {"combatant": "gm/sniper"}),
    ("bob", "prepare", "4.3", {"combatant": "bob/Corvin Ade"}),
    ("gm", "end_turn", "4.2", {"combatant": "gm/sniper"}),
    ("gm", "react", "4.4", {"combatant": "gm/Raider", "actions": 2, "what": "kicks the crate over"}),
    ("ann", "stance", "4.5", {"combatant": "ann/Sanna Vey", "stance": "full_reaction", "choice": "ranged"}),
    ("gm", "join", "4.6", {"who": {"name": "drone"}, "behind": "gm/Raider"}),
    (
        "gm",
        "declare",
        "volley",
        {
            "check": "attack",
            "as": "gm/Raider",
            "target": "ann/Sanna Vey",
            "item": "rifle",
            "parameters": {"dice": "ranged", "kind": "ranged"},
        },
    ),
    ("gm", "throw", "4.7", {"roll": "gm/volley", "faces": [4, 3]}),
    ("gm", "finalise", "4.8", {"roll": "gm/volley"}),
    ("gm", "out", "4.9", {"combatant": "gm/Raider"}),
    ("gm", "equip", "5.0", {"character": "ann/Sanna Vey", "item": "pistol", "hot": False}),
    ("gm", "end_fight", "5.1", {}),
]

# A round that goes on: everybody fixes their actions first (AMB-D2), the raider is hidden.
ME_D6_ROUND: list[Line] = [
    *SEATS,
    ("gm", "house_rules", "order", {"options": {"round_structure": "interleaved"}}),
    ("ann", "bring", "sanna", {"sheet": "sanna"}),
    ("bob", "bring", "corvin", {"sheet": "corvin"}),
    ("gm", "bring", "raider", {"sheet": "raider"}),
    ("gm", "adjust", "rested", {"character": "ann/Sanna Vey", "resources": {"hit_points": 12}}),
    (
        "gm",
        "fight",
        "night",
        {
            "combatants": [
                {"character": "ann/Sanna Vey"},
                {"character": "bob/Corvin Ade"},
                {"character": "gm/Raider"},
            ]
        },
    ),
    ("ann", "fix", "1", {"combatant": "ann/Sanna Vey", "actions": 2}),
    ("bob", "fix", "1", {"combatant": "bob/Corvin Ade", "actions": 2}),
    ("gm", "fix", "1", {"combatant": "gm/Raider", "actions": 1}),
    ("bob", "wait", "2", {"combatant": "bob/Corvin Ade"}),
    ("ann", "declare", "search", {"check": "check", "as": "ann/Sanna Vey", "parameters": {"dice": "search"}}),
    ("ann", "throw", "3", {"roll": "ann/search"}),
    (
        "bob",
        "interrupt",
        "4",
        {"combatant": "bob/Corvin Ade", "roll_of": "ann/search", "what": "pulls her back"},
    ),
    ("gm", "act", "5", {"combatant": "gm/Raider", "what": "creeps closer"}),
]

UWR_HANDS: list[Line] = [
    *SEATS,
    # dice by hand, die by die: typed in, taken back, typed in again
    ("gm", "request", "wall", {"to": ["ann", "bob"], "check": "direct", "parameters": {"target": 2}}),
    ("ann", "propose", "climb", {"request": "gm/wall", "parameters": {"attribute": 3.5, "skill": 1}}),
    ("gm", "accept", "1", {"request": "gm/wall", "name": "ann"}),
    ("ann", "cancel", "2", {"roll": "gm/1"}),
    ("ann", "propose", "jump", {"request": "gm/wall", "parameters": {"attribute": 3.5, "skill": 2}}),
    ("gm", "accept", "3", {"request": "gm/wall", "name": "ann"}),
    ("gm", "correct", "4", {"roll": "gm/3", "parameters": {"target": 3}, "words": "higher"}),
    ("ann", "throw", "5", {"roll": "gm/3", "faces": [6, 3]}),
    ("ann", "throw", "6", {"roll": "gm/3", "faces": [1]}),
    ("ann", "undo", "7", {"roll": "gm/3"}),
    ("ann", "throw", "8", {"roll": "gm/3", "faces": [5, 4, 2]}),
    # somebody goes and comes back; the GM answers for them
    ("bob", "leave", "9", {}),
    (
        "gm",
        "accept",
        "10",
        {"request": "gm/wall", "name": "bob", "parameters": {"attribute": 2, "rerolls": 1}},
    ),
    ("gm", "throw", "11", {"roll": "gm/10"}),
    ("gm", "seat", "12", {"name": "bob", "role": "player"}),
    # corrections before the end: the dice and the decisions stay
    ("gm", "correct", "13", {"roll": "gm/3", "throw": 0, "faces": [6, 3, 5, 5, 2]}),
    ("gm", "correct", "14", {"roll": "gm/3", "parameters": {"target": 2}}),
    ("ann", "answer", "15", {"roll": "gm/3", "answer": [5]}),
    ("ann", "throw", "16", {"roll": "gm/3", "faces": [4]}),
    ("gm", "correct", "17", {"roll": "gm/3", "throw": 1, "faces": [5], "words": "a five"}),
    # a blind roll as its roller hears of it: up to the first throw
    (
        "gm",
        "declare",
        "listen",
        {"check": "direct", "parameters": {"attribute": 2, "target": 1}, "for": "bob", "mode": "blind"},
    ),
    ("gm", "correct", "18", {"roll": "gm/listen", "parameters": {"target": 2}}),
    ("bob", "throw", "19", {"roll": "gm/listen", "entropy": "quiet now"}),
    ("gm", "leave", "20", {"name": "eve"}),
]

TUURNA_KEPT: list[Line] = [
    *SEATS,
    # a tie that only the GM and Bob know of was rolled again; with other numbers there was none
    ("ann", "declare", "run", {"check": "check", "parameters": {"level": 2}}),
    ("ann", "throw", "1", {"roll": "ann/run", "faces": [3, 1]}),
    ("bob", "declare", "follow", {"check": "check", "parameters": {"level": 2}, "mode": "private"}),
    ("bob", "throw", "1", {"roll": "bob/follow", "faces": [3, 1]}),
    ("gm", "contest", "chase", {"check": "contest", "rolls": ["ann/run", "bob/follow"]}),
    ("gm", "throw", "2", {"roll": "gm/chase", "faces": [3, 3, 1, 1]}),
    ("gm", "correct", "3", {"roll": "ann/run", "parameters": {"leverage": 1}}),
]

UWR_TO_FONS: list[Line] = [
    *SEATS,
    ("ann", "bring", "come", {"sheet": "mira"}),
    ("gm", "house_rules", "house", {"options": {"reroll_stack": "stacking"}}),
    ("ann", "declare", "climb", {"check": "direct", "parameters": {"attribute": 3, "target": 1}}),
    ("ann", "throw", "1", {"roll": "ann/climb", "faces": [6, 4, 2]}),
    # of this one the GM knows nothing: it goes on by the rules by which it was begun
    (
        "bob",
        "declare",
        "luck",
        {"check": "direct", "parameters": {"attribute": 2, "target": 1}, "mode": "secret"},
    ),
    ("gm", "rules", "other", {"hash": "fons"}),
    ("bob", "throw", "2", {"roll": "bob/luck", "faces": [5, 1]}),
    # a roll from before is corrected by its own rules
    ("gm", "correct", "3", {"roll": "ann/climb", "parameters": {"target": 2}}),
    (
        "ann",
        "declare",
        "jump",
        {"check": "direct", "as": "ann/Mira Quill", "parameters": {"attribute": "grace", "target": 1}},
    ),
    ("ann", "throw", "4", {"roll": "ann/jump", "faces": [5, 4, 3]}),
    ("ann", "answer", "4a", {"roll": "ann/jump", "answer": []}),
    ("ann", "finalise", "4b", {"roll": "ann/jump"}),
    # somebody does not fit these rules, and goes
    ("gm", "rules", "third", {"hash": "agga", "dismisses": ["ann/Mira Quill"]}),
    ("ann", "declare", "run", {"check": "direct", "parameters": {"attribute": 3, "target": 1}}),
    ("ann", "throw", "5", {"roll": "ann/run"}),
]

# D-15: what is left when a round ends is lost, and said; nobody hears it of whoever is hidden.
ME_D6_LOST: list[Line] = [
    *SEATS,
    ("ann", "bring", "sanna", {"sheet": "sanna"}),
    ("gm", "bring", "raider", {"sheet": "raider"}),
    ("gm", "fight", "alley", {"combatants": [{"character": "ann/Sanna Vey"}, {"character": "gm/Raider"}]}),
    ("ann", "fix", "1", {"combatant": "ann/Sanna Vey", "actions": 2}),
    ("ann", "act", "2", {"combatant": "ann/Sanna Vey", "what": "runs"}),
    ("ann", "end_turn", "3", {"combatant": "ann/Sanna Vey"}),
    ("gm", "fix", "1", {"combatant": "gm/Raider", "actions": 3}),
    ("gm", "next_round", "2", {}),
]
# D-43, D-20, D-24: parries before the own turn, a hit that is taken, and what the GM grants.
ME_D6_LEAVE: list[Line] = [
    *SEATS,
    ("gm", "house_rules", "late", {"options": {"early_parry": "gm_leave"}}),
    ("ann", "bring", "sanna", {"sheet": "sanna"}),
    ("bob", "bring", "corvin", {"sheet": "corvin"}),
    ("gm", "bring", "raider", {"sheet": "raider", "shown": "own"}),
    ("gm", "adjust", "rested", {"character": "ann/Sanna Vey", "resources": {"hit_points": 12}}),
    (
        "gm",
        "fight",
        "dock",
        {"combatants": [{"character": "ann/Sanna Vey"}, {"character": "bob/Corvin Ade"}]},
    ),
    ("gm", "join", "boards", {"who": {"character": "gm/Raider"}, "behind": "bob/Corvin Ade"}),
    ("bob", "end_turn", "1.1", {"combatant": "bob/Corvin Ade"}),
    ("gm", "fix", "1.2", {"combatant": "gm/Raider", "actions": 2}),
    (
        "gm",
        "declare",
        "blow",
        {"check": "attack", "as": "gm/Raider", "target": "ann/Sanna Vey", "parameters": {"dice": "melee"}},
    ),
    ("gm", "throw", "1.3", {"roll": "gm/blow", "faces": [5, 5]}),
    ("ann", "take_hit", "1.4", {"combatant": "ann/Sanna Vey", "roll_of": "gm/blow"}),
    ("gm", "finalise", "1.5", {"roll": "gm/blow"}),
    # an early parry by the GM's leave, of two actions
    (
        "gm",
        "declare",
        "second",
        {"check": "attack", "as": "gm/Raider", "target": "ann/Sanna Vey", "parameters": {"dice": "melee"}},
    ),
    ("gm", "throw", "1.6", {"roll": "gm/second", "faces": [5, 5]}),
    ("gm", "grant", "1.7", {"combatant": "ann/Sanna Vey", "leave": "reaction"}),
    (
        "ann",
        "declare",
        "parry",
        {"check": "check", "as": "ann/Sanna Vey", "answers": "gm/second", "actions": 2},
    ),
    ("ann", "throw", "1.8", {"roll": "ann/parry", "faces": [5, 5, 5]}),
    ("ann", "answer", "1.9", {"roll": "ann/parry", "answer": "paragon-bonus"}),
    ("gm", "finalise", "1.10", {"roll": "ann/parry"}),
    # a free action, cancelled once and then made
    ("gm", "grant", "2.1", {"combatant": "bob/Corvin Ade", "leave": "free_action"}),
    (
        "bob",
        "declare",
        "glance",
        {"check": "check", "as": "bob/Corvin Ade", "parameters": {"dice": "search"}, "spends": "nothing"},
    ),
    ("bob", "cancel", "2.2", {"roll": "bob/glance"}),
    (
        "bob",
        "declare",
        "listen",
        {"check": "check", "as": "bob/Corvin Ade", "parameters": {"dice": "search"}, "spends": "nothing"},
    ),
    ("bob", "throw", "2.3", {"roll": "bob/listen", "faces": [3, 3, 3, 3]}),
    ("bob", "answer", "2.4", {"roll": "bob/listen", "answer": "none"}),
    ("gm", "finalise", "2.5", {"roll": "bob/listen"}),
    ("gm", "next_round", "3.0", {}),
    # before the own turn without a roll, and with the number of actions
    ("gm", "grant", "3.1", {"combatant": "ann/Sanna Vey", "leave": "reaction"}),
    ("ann", "react", "3.2", {"combatant": "ann/Sanna Vey", "actions": 2, "what": "catches the flask"}),
    ("bob", "fix", "3.3", {"combatant": "bob/Corvin Ade", "actions": 1}),
]

ENTROPY = "0123456789abcdef" * 2
ASKED = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}

UWR_EPOCHS: list[Line] = [
    ("gm", "open", "open", {"table": "golden"}),
    ("gm", "seat", "seat 1", {"name": "ann", "role": "player"}),
    ("gm", "make link", "", {"seat": "ann", "by": "gm"}),
    ("gm", "seat", "seat 2", {"name": "eve", "role": "watcher"}),
    ("ann", "declare", "1", ASKED),
    ("ann", "throw", "1.1", {"roll": "ann/1", "entropy": ENTROPY}),
    ("ann", "declare", "2", {**ASKED, "mode": "secret"}),
    ("gm", "declare", "1", {**ASKED, "mode": "gm", "for": "ann"}),
    # the table is opened again: declared rolls keep their keys, later ones have new ones
    ("", "begin epoch", "", {}),
    ("ann", "throw", "2.1", {"roll": "ann/2", "entropy": ENTROPY}),
    ("gm", "throw", "1.1", {"roll": "gm/1", "entropy": ENTROPY}),
    ("ann", "declare", "3", ASKED),
    ("ann", "throw", "3.1", {"roll": "ann/3", "faces": [6, 5, 1]}),
    ("gm", "declare", "2", ASKED),
    ("gm", "throw", "2.1", {"roll": "gm/2", "entropy": ENTROPY}),
    ("gm", "contest", "c", {"check": "opposed", "rolls": ["ann/3", "gm/2"]}),
    ("ann", "reveal", "2.2", {"roll": "ann/2"}),
    ("gm", "seat", "seat 3", {"name": "bob", "role": "player"}),
]

UWR_COLOURS: list[Line] = [
    *SEATS,
    # everybody chooses a colour for their own seat, and may change it
    ("ann", "style", "1", {"colour": "red"}),
    ("gm", "style", "1", {"colour": "red"}),
    ("ann", "style", "2", {"colour": "violet"}),
    ("gm", "leave", "2", {"name": "ann"}),
    ("gm", "seat", "3", {"name": "ann", "role": "player"}),
]

UWR_NAMES: list[Line] = [
    *SEATS,
    # characters change their names: one that all see, one that others know by name, and one of the GM's
    ("ann", "bring", "mira", {"sheet": "mira"}),
    ("bob", "bring", "tove", {"sheet": "tove", "shown": "open"}),
    ("gm", "bring", "sentry", {"sheet": "sentry"}),
    ("ann", "rename", "1", {"character": "ann/Mira Quill", "name": "Mira"}),
    ("bob", "rename", "1", {"character": "bob/Tove Harl", "name": "Tove of the Heron"}),
    ("gm", "rename", "1", {"character": "gm/Sentry", "name": "Sergeant"}),
    # the old name is free again, for another character
    ("ann", "bring", "mira again", {"sheet": "mira"}),
    ("ann", "rename", "2", {"character": "ann/Mira Quill (2)", "name": "Quill"}),
    ("gm", "show", "2", {"character": "gm/Sentry", "shown": "open"}),
]

UWR_WORDS: list[Line] = [
    *SEATS,
    # what is said to all and to some, before and after a GM sits down
    ("ann", "say", "s1", {"text": "Hello, all"}),
    ("ann", "say", "s2", {"text": "I have the key", "to": ["bob"]}),
    ("gm", "say", "s3", {"text": "You hear steps", "to": ["ann", "eve"]}),
    # notes on rolls that all see, that some see, and that is revealed with its notes
    ("ann", "declare", "1", {**ASKED, "throw": {"entropy": ENTROPY}}),
    ("bob", "note", "n1", {"roll": "ann/1", "text": "with the good rope"}),
    ("ann", "declare", "2", {**ASKED, "mode": "private", "throw": {"entropy": ENTROPY}}),
    ("ann", "note", "n2", {"roll": "ann/2", "text": "nobody saw me"}),
    ("gm", "declare", "3", {**ASKED, "mode": "gm", "throw": {"entropy": ENTROPY}}),
    ("gm", "note", "n3", {"roll": "gm/3", "text": "the guard dozes"}),
    ("bob", "declare", "4", {**ASKED, "throw": {"entropy": ENTROPY}}),
    ("gm", "reveal", "r", {"roll": "gm/3"}),
    # the shared texts
    ("bob", "scratchpad", "p1", {"text": "40 silver", "replaces": ""}),
    ("gm", "scratchpad", "p2", {"text": "The count did it", "replaces": "", "for_gms": True}),
    # a second GM, and the first one hands over
    ("gm", "share_gm", "g1", {"to": "bob", "name": "bob (GM)"}),
    ("bob (GM)", "say", "g2", {"text": "My turn", "to": ["gm"]}),
    ("gm", "leave", "g3", {}),
    ("bob (GM)", "seat", "g4", {"name": "gm", "role": "gm"}),
]

UWR_FREE: list[Line] = [
    *SEATS,
    # dice outside the rules: added up, counted, kept, compared; in several modes
    ("ann", "declare", "1", {"check": "dice:3D6 + 2", "title": "the weather", "throw": {"entropy": ENTROPY}}),
    ("bob", "declare", "2", {"check": "dice:8d10>=7", "mode": "private", "throw": {"entropy": ENTROPY}}),
    ("gm", "declare", "3", {"check": "dice:4d6 keep 3", "mode": "gm", "throw": {"faces": [6, 1, 5, 5]}}),
    ("gm", "reveal", "r", {"roll": "gm/3", "to": ["bob"]}),
    ("ann", "declare", "4", {"check": "dice:1d20+2d4-1 >= 15"}),
    ("ann", "throw", "4.1", {"roll": "ann/4", "entropy": ENTROPY}),
    ("gm", "declare", "5", {"check": "dice:3d6!", "throw": {"faces": [6, 2, 6]}}),
    ("gm", "throw", "5.1", {"roll": "gm/5", "faces": [6, 3]}),
    ("gm", "throw", "5.2", {"roll": "gm/5", "faces": [1]}),
]

UWR_PICTURES: list[Line] = [
    *SEATS,
    ("ann", "picture", "1", {"picture": "a" * 64}),
    ("gm", "picture", "1", {"picture": "b" * 64}),
    ("gm", "picture", "2", {"picture": ""}),
    ("ann", "bring", "2", {"sheet": "mira"}),
    ("ann", "portrait", "3", {"character": "ann/Mira Quill", "picture": "c" * 64}),
    # a hidden character's picture is told when the character is
    ("gm", "bring", "3", {"sheet": "sentry"}),
    ("gm", "portrait", "4", {"character": "gm/Sentry", "picture": "d" * 64}),
    ("gm", "show", "5", {"character": "gm/Sentry", "shown": "own"}),
]

SCENES: dict[str, Scene] = {
    "uwr": ("uwr", UWR),
    "agga": ("agga", AGGA),
    "fons": ("fons", FONS),
    "tuurna": ("tuurna", TUURNA),
    "me-d6": ("me-d6", ME_D6),
    "me-d6-characters": ("me-d6", ME_D6_CHARACTERS),
    "tuurna-contests": ("tuurna", TUURNA_CONTESTS),
    "uwr-characters": ("uwr", UWR_CHARACTERS),
    "me-d6-fight": ("me-d6", ME_D6_FIGHT),
    "me-d6-round": ("me-d6", ME_D6_ROUND),
    "me-d6-lost": ("me-d6", ME_D6_LOST),
    "me-d6-leave": ("me-d6", ME_D6_LEAVE),
    "tuurna-kept": ("tuurna", TUURNA_KEPT),
    "uwr-hands": ("uwr", UWR_HANDS),
    "uwr-to-fons": ("uwr", UWR_TO_FONS),
    "uwr-epochs": ("uwr", UWR_EPOCHS),
    "uwr-colours": ("uwr", UWR_COLOURS),
    "uwr-names": ("uwr", UWR_NAMES),
    "uwr-words": ("uwr", UWR_WORDS),
    "uwr-free": ("uwr", UWR_FREE),
    "uwr-pictures": ("uwr", UWR_PICTURES),
}
