"""Formats the table as one seat sees it: characters, open rolls, requests, pending actions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from handful.cli import layout
from handful.cli.repl.phrases import (
    GRANTED_NOTE,
    kind_and_owner,
    note_hidden_target,
    proposal_text,
    quote,
    roll_seen_by,
    typed_check,
    typed_parameters,
    with_verb,
    without_owner,
)
from handful.cli.repl.show_fight import fight_lines
from handful.cli.show_roll import brief_text, dice_lines
from handful.errors import Refused
from handful.rules.ruleset import Ruleset, localize
from handful.table import Table, actions_in, known_to

View = Mapping[str, Any]
OPEN = ("declared", "rolling", "deciding", "decided")
MAX_SHOWN = 12  # open rolls, and characters


def heading_lines(rules: Ruleset, view: View) -> list[str]:
    """Format table, game and seat."""
    line = f"{view['table']} ({view['game']['id']}): {view['seat']}, {rules.role_title(view['role'])}"
    return [layout.apply_style(one, "bold") for one in layout.wrap_text(line, 0, 2)]


def state_lines(rules: Ruleset, view: View, *, alone: bool = False) -> list[str]:
    """Format the open state of the table and this seat's commands (omitted when `alone`)."""
    lines = character_lines(rules, view)
    lines += fight_lines(rules, view)
    lines += layout.section("open rolls", _rolls(rules, view))
    lines += layout.section("requests", _requests(view))
    lines += layout.section("contests", _contests(view))
    lines += layout.section("your move", pending_lines(rules, view))
    if not alone:
        lines += ["", *layout.wrap_text(f"you can: {', '.join(_possible_commands(view))}", 0, 2)]
    return lines[1:] if lines[:1] == [""] else lines


def seat_lines(rules: Ruleset, view: View) -> list[str]:
    rows = [
        (
            one["name"],
            rules.role_title(one["role"]) + ", left" * one["left"],
            _characters_of(view, one["name"]),
        )
        for one in view["seats"]
    ]
    return layout.columns(rows)


def _characters_of(view: View, seat: str) -> str:
    return ", ".join(one["name"] for one in view["characters"] if one["owner"] == seat)


# -- characters


def character_lines(rules: Ruleset, view: View) -> list[str]:
    rows = []
    for one in view["characters"][:MAX_SHOWN]:
        rows.append((one["name"], kind_and_owner(one["kind"], one["owner"]), _state(rules, one)))
    return layout.section("characters", layout.columns(rows))


def _state(rules: Ruleset, one: View) -> str:
    """Format points and conditions, if the sheet is visible."""
    if "sheet" not in one or rules.sheet is None:
        return ""
    resources = one["sheet"].get("resources", {})
    parts = []
    for name, value in resources.items():
        own = rules.sheet.resources[name]
        of = "" if isinstance(own.most, int) else f"/{one['ranges'][name][1]}"
        parts.append(f"{localize(own.title)} {value}{of}")
    parts += [condition["says"] for condition in one["conditions"]]
    parts += [f"{item} out of use" for item, state in one["items"].items() if state["hot"]]
    hidden = ["hidden"] if one["shown"] == "hidden" else []
    return ", ".join([*hidden, *parts])


# -- rolls


def _rolls(rules: Ruleset, view: View) -> list[str]:
    lines: list[str] = []
    visible = [one for one in view["rolls"] if "asked" in one]  # a hidden roll has nothing more to show
    for roll in [one for one in visible if one["phase"] in OPEN][-MAX_SHOWN:]:
        lines += layout.wrap_text(f"{roll['roll']}  {roll_line(rules, roll)}", 2, 6)
    return lines


def roll_line(rules: Ruleset, roll: View) -> str:
    """Format a roll in one line: roller, check and state."""
    if "asked" not in roll:
        return f"{with_verb(roll['roller'], 'rolls')} something"
    who = " and ".join(without_owner(one) for one in roll.get("as", []) if one)
    by = f"{roll['roller']} as {who}" if who else roll["roller"]
    hidden = f" (hidden: {', '.join(roll['hidden'])})" if roll["hidden"] else ""
    what = typed_check(rules, roll["asked"])
    granted = GRANTED_NOTE * ("granted" in roll.get("deed", {}))
    return f"{by}{quote(roll['title'])}: {what}{hidden}{granted}; {roll_state(rules, roll)}"


def roll_state(rules: Ruleset, roll: View) -> str:
    question = roll.get("question")
    if roll["phase"] == "rolled":
        return f"thrown, only the {rules.role_title('gm')} sees it"
    if roll["phase"] == "decided":
        spends = roll.get("deed", {}).get("spends", "nothing") != "nothing"
        waiting = f"rolled, the {rules.role_title('gm')} reveals the result: finalise"
        return waiting if spends else "decided, ready to finalise"
    if question is None:
        return "final" if roll["phase"] == "finalised" else str(roll["phase"])
    who = next_roller(roll)
    if "throw" in question:
        typed = f", {' '.join(map(str, question['typed']))} so far" if question["typed"] else ""
        return f"{with_verb(who, 'throws')} {question['due']}d{question['sides']} next{typed}"
    by = f"the {rules.role_title('gm')}" if question["by"] == "gm" else who
    return f"{with_verb(by, 'decides')}: {localize(rules.decisions[question['decision']].question)}"


def next_roller(roll: View) -> str:
    """Return the seat that rolls next: in a contest, that of the side asked."""
    side, parts = roll["question"].get("side", 0), roll.get("parts", [])
    return str(parts[side - 1]["roller"] if 0 < side <= len(parts) else roll["roller"])


def roll_lines(table: Table, seat: str, name: str) -> list[str]:
    """Format the dice, or the result once finished, as far as visible to a seat."""
    roll = roll_seen_by(table, seat, name)
    if roll is None:
        table_roll = known_to(table, seat).rolls.get(name)  # only the dice may be visible
        faces = [
            face for one in (table_roll.replies if table_roll else ()) if one.thrown for face in one.reply
        ]
        return [f"  dice {' '.join(map(str, faces))}"] if faces else []
    if roll.finished:
        return note_hidden_target(table, seat, name, brief_text(roll)).splitlines()
    return dice_lines(roll)


# -- requests and contests


def _requests(view: View) -> list[str]:
    lines: list[str] = []
    over = {one["roll"] for one in view["rolls"] if one["phase"] not in OPEN}
    for one in view["requests"]:
        asked = one["to"] if view["role"] == "gm" else [view["seat"]]
        if not one["called"] and all(one["rolls"].get(name) in over for name in asked):
            continue  # nothing left to do
        given = typed_parameters(one["parameters"])
        what = f"{one['check']} {given}".rstrip() + quote(one["title"])
        seats = ", ".join(one["to"])
        kind = f"{with_verb(seats, 'calls')} it out" if one["called"] else f"to {seats}"
        state = [f"{name} rolls {roll}" for name, roll in one["rolls"].items()]
        state += [
            proposal_text(name, parameters)
            for name, parameters in one["proposals"].items()
            if name not in one["rolls"]
        ]
        open_ = [n for n in one["to"] if n not in one["rolls"] and n not in one["proposals"]]
        state += [f"waiting for {', '.join(open_)}"] if open_ and view["role"] == "gm" else []
        details = f"; {'; '.join(state)}" if state else ""
        lines += layout.wrap_text(f"{one['request']}  {kind}: {what}{details}", 2, 6)
    return lines


def _contests(view: View) -> list[str]:
    lines: list[str] = []
    for one in view["contests"]:
        if one["result"]:
            continue
        sides = " against ".join(f"{side['name']} ({side['phase']})" for side in one["sides"])
        check = f"{one['check']}: " if "check" in one else ""
        lines += layout.wrap_text(f"{one['contest']}  {check}{sides}", 2, 6)
    return lines


# -- legal commands


def pending_lines(rules: Ruleset, view: View) -> list[str]:
    """Format pending actions of this seat; for the GM, those of all seats."""
    lines = []
    rolls = {one["roll"]: one for one in view["rolls"]}
    for action in actions_in(view):
        do, roll = action["do"], rolls.get(action.get("roll", ""))
        if roll is not None and roll["phase"] in OPEN and do in ("throw", "answer", "finalise"):
            whose = "" if roll["roller"] == view["seat"] else f" ({roll['roller']}'s)"
            lines.append(f"  {do} {roll['roll']}{whose}")
        elif do == "accept":
            request = next(o for o in view["requests"] if o["request"] == action["request"])
            said = [name for name in request["proposals"] if name not in request["rolls"]]
            lines += [f"  accept {name} {request['request']}" for name in said]
        elif do == "propose":
            request = next(o for o in view["requests"] if o["request"] == action["request"])
            if view["seat"] not in request["proposals"]:
                lines.append(f"  propose {request['request']}")
        elif do == "settle":
            lines.append(f"  settle {action['request']}")
        elif do == "take_hit" and action["roll_of"] in rolls:
            lines += layout.wrap_text(hit_line(rules, view, action), 2, 4)
    return lines


def hit_line(rules: Ruleset, view: View, asked: View) -> str:
    """Format a hit and its responses: `gm/3 hits Sanna Vey: total 15; parry, or take hit`."""
    roll = next(one for one in view["rolls"] if one["roll"] == asked["roll_of"])
    offered: list[View] = next(
        (
            one["answers"]
            for one in actions_in(view)
            if one["do"] == "declare" and one.get("combatant") == asked["combatant"]
        ),
        [],
    )
    rounds = rules.rounds
    assert rounds is not None
    possible = [one for one in offered if one["roll"] == asked["roll_of"]]
    answers = [answer_words(one["answer"], rounds.actions if one["early"] else "") for one in possible]
    result = (roll.get("outcome") or {}).get(roll.get("main", ""))
    total = f": {rules.wording(roll['main'])} {result}" if result is not None else ""
    choice = ", ".join([*answers, f"or take hit {roll['roll']}"])
    return f"{roll['roll']} hits {without_owner(asked['combatant'])}{total}; {choice}"


def answer_words(answer: str, actions: str) -> str:
    """Format a response as typed; before its own turn a combatant may also set its actions."""
    return f"{answer} (or {answer} {actions}=2)" if actions else answer


def _possible_commands(view: View) -> list[str]:
    """Return the commands that are legal now, without duplicates."""
    found = [typed_word(one["do"]) for one in actions_in(view)] or ["watch"]
    words = list(dict.fromkeys([*found, "seat", "log", "luck"]))
    if len(words) <= MAX_COMMANDS:
        return words
    return [*(one for one in words if one not in RARE), "and more (help)"]


MAX_COMMANDS = 14  # if there are more, the RARE ones are left out
RARE = frozenset(
    {
        "house rules",
        "visibility",
        "leave",
        "show",
        "remove",
        "adjust",
        "equip",
        "switch",
        "line",
        "correct",
        "reveal",
        "reveal target",
        "judge",
        "out",
        "uncover",
        "cancel",
        "withdraw",
        "forget",
        "undo points",
        "add",
    }
)

TYPED_WORDS = {
    "declare": "roll",
    "bring": "add",
    "dismiss": "remove",
    "house_rules": "house rules",
    "next_round": "next",
    "end_turn": "end",
    "end_fight": "end fight",
    "undo_move": "undo move",
    "undo_points": "undo points",
    "call_off": "call off",
    "reveal_target": "reveal target",
    "add_line": "line",
    "take_hit": "take hit",
    "style": "colour",
    "share_gm": "share gm",
}


_NAMES = re.compile(rf"\b({'|'.join(TYPED_WORDS)})\b")


def in_typed_words(refusal: Refused) -> Refused:
    """Translate command names in a refusal of the table to the words typed here."""

    def said(text: str) -> str:
        return _NAMES.sub(lambda name: typed_word(name[0]) if "_" in name[0] else name[0], text)

    hint = said(refusal.hint)
    if refusal.advice.code == "fight.possible_now":
        hint = hint.replace("answer", "react")
    return Refused(said(refusal.message), hint)


def typed_word(do: str) -> str:
    """Return the word typed for a command of the table."""
    return TYPED_WORDS.get(do, do)
