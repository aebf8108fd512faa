"""Formats events as sentences, from the data redacted for one seat and nothing else.

A sentence uses the output of `table.redact`, and for a finished roll the roll as projected for
that seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.cli.outcome import verdict
from handful.cli.repl.phrases import (
    GRANTED_NOTE,
    item_text,
    kind_and_owner,
    note_hidden_target,
    proposal_text,
    quote,
    role_text,
    roll_seen_by,
    stance_text,
    typed_check,
    typed_parameters,
    with_verb,
    without_owner,
)
from handful.cli.repl.throw_text import throw_sentence, with_side_names
from handful.errors import format_count
from handful.library import Roll
from handful.rules.ruleset import localize
from handful.table import Event, Table

Data = Mapping[str, Any]
Sentence = Callable[["EventWriter", str, Data], str]


class EventWriter:
    """Formats events for a seat; `after` is the table including the event."""

    def __init__(self, after: Table, seat: str) -> None:
        self.table, self.seat, self.rules = after, seat, after.rules

    def sentence(self, event: Event, data: Data) -> str:
        say = SENTENCES.get(event.kind)
        if say is None:
            return f"{event.seat}: {event.kind.replace('_', ' ')}"
        return say(self, event.seat, data)

    def roll_seen(self, name: str) -> Roll | None:
        return roll_seen_by(self.table, self.seat, name)

    def result_text(self, name: str) -> str:
        roll = self.roll_seen(name)
        if roll is None or not roll.finished:
            return ""
        events = "".join(f"; {self.rules.wording(one)}" for one in roll.events)
        result = with_side_names(self, name, verdict(roll))
        return f": {note_hidden_target(self.table, self.seat, name, result)}{events}"

    def resource_title(self, name: str) -> str:
        sheet = self.rules.sheet
        resource = sheet.resources.get(name) if sheet else None
        return localize(resource.title) if resource else name

    def points_text(self, changes: Mapping[str, int], now: Mapping[str, int]) -> str:
        return ", ".join(
            f"{self.resource_title(name)} {by:+} (now {now[name]})" for name, by in changes.items()
        )


# -- rolls


def _declared(writer: EventWriter, seat: str, data: Data) -> str:
    roll, roller = data["roll"], data["roller"]
    if "asked" not in data:
        return f"{roll}: {with_verb(roller, 'rolls')} something, not for your eyes"
    who = " and ".join(without_owner(one) for one in data.get("as", []) if one)
    title = f"{quote(data.get('title', ''))}"
    mode = _mode(data.get("modes", []))
    hidden = f", hidden: {', '.join(data['hidden'])}" if data.get("hidden") else ""
    if parts := " and ".join(one["roll"] for one in data.get("parts", [])):
        return f"{roll} compares {parts}{title} with {data['asked']['check']}{mode}{hidden}"
    by = with_verb(roller, "rolls", f" as {who}" if who else "")
    what = typed_check(writer.rules, data["asked"])
    granted = GRANTED_NOTE * ("granted" in data.get("deed", {}))
    return f"{roll}: {by}{title} {what}{_target_text(data.get('deed', {}))}{mode}{hidden}{granted}"


def _target_text(action: Data) -> str:
    """Format the target of a roll, and the roll it responds to."""
    against = f" against {without_owner(action['target'])}" if action.get("target") else ""
    return against + (f" in response to {action['answers']}" if action.get("answers") else "")


def _mode(modes: list[str]) -> str:
    other = [one for one in dict.fromkeys(modes) if one != "public"]
    return f" ({', '.join(other)})" if other else ""


def _typed(writer: EventWriter, seat: str, data: Data) -> str:
    if "faces" not in data:
        return f"{data['roll']}: dice are being typed in"
    return f"{data['roll']}: {' '.join(map(str, data['faces']))} by hand, {data['due']} more to come"


def _answered(writer: EventWriter, seat: str, data: Data) -> str:
    answer = data["answer"]
    decision = writer.rules.decisions[data["decision"]]
    if isinstance(answer, str):
        wording = localize(decision.answers[answer]) if answer in decision.answers else answer
        choice = answer if wording == answer else f"{answer}, {wording}"
    else:
        which = "die" if len(answer) == 1 else "dice"
        choice = f"{which} {', '.join(map(str, answer))}" if answer else "none"
    chooses = with_verb(seat, "chooses")
    return f"{data['roll']}: {chooses} {choice} ({data['decision']}){quote(data['words'])}"


def _finalised(writer: EventWriter, seat: str, data: Data) -> str:
    return f"{data['roll']} is final{writer.result_text(data['roll'])}"


def _corrected(writer: EventWriter, seat: str, data: Data) -> str:
    what = typed_check(writer.rules, data["asked"])
    return f"{data['roll']} is corrected to {what}{quote(data['words'])}{writer.result_text(data['roll'])}"


def _revealed(writer: EventWriter, seat: str, data: Data) -> str:
    story = data.get("story")
    if story is None:
        return f"{data['roll']} is revealed"
    what = typed_check(writer.rules, story["asked"])
    title = quote(story["title"])
    return f"{data['roll']} is revealed: {story['roller']} rolled{title} {what}" + writer.result_text(
        data["roll"]
    )


def _judged(writer: EventWriter, seat: str, data: Data) -> str:
    grade = f" {data['grade']}" if data["grade"] else ""
    return f"{data['roll']}: {with_verb(seat, 'says')}:{grade}{quote(data['words'])}"


def _line(verb: str) -> Sentence:
    def sentence(writer: EventWriter, seat: str, data: Data) -> str:
        line = data.get("line")
        number = f" line {data['number']}" if "number" in data else " a line"
        parameter = f" ({line['parameter']})" if isinstance(line, Mapping) else ""
        return f"{data['roll']}: {with_verb(seat, verb)}{number}{parameter}"

    return sentence


# -- requests and contests


def _requested(writer: EventWriter, seat: str, data: Data) -> str:
    given = typed_parameters(data["parameters"])
    hidden = f", hidden: {', '.join(data['hidden'])}" if data.get("hidden") else ""
    what = f"{data['check']} {given}".rstrip()
    asked = f"{with_verb(seat, 'asks')} {' and '.join(data['to'])} for"
    return f"{data['request']}: {asked}{quote(data['title'])} {what}{hidden}"


def _called(writer: EventWriter, seat: str, data: Data) -> str:
    what = f"{data['check']} {typed_parameters(data['parameters'])}".rstrip()
    return f"{data['request']}: {with_verb(seat, 'calls')} it out{quote(data['title'])} with {what}"


def _proposed(writer: EventWriter, seat: str, data: Data) -> str:
    who = f" as {without_owner(data['as'])}" if data.get("as") else ""
    return f"{data['request']}: {proposal_text(data['name'], data['parameters'])}{who}"


def _opened(writer: EventWriter, seat: str, data: Data) -> str:
    sides = " against ".join(
        one["name"] + (f" ({one['roll']})" if one.get("roll") else "") for one in data["sides"]
    )
    check = f" ({data['check']})" if "check" in data else ""
    return f"{data['contest']}: {with_verb(seat, 'opens')} a contest{check}: {sides}"


# -- people


def _picture(data: Data) -> str:
    return "a new picture" if data["picture"] else "no picture any more"


def _left(writer: EventWriter, seat: str, data: Data) -> str:
    name = data["name"]
    return (
        with_verb(name, "leaves") if seat == name else f"{with_verb(seat, 'removes')} {name} from the table"
    )


def _said(writer: EventWriter, seat: str, data: Data) -> str:
    if "to" not in data:
        return f"{with_verb(seat, 'says')}:{quote(data['text'])}"
    return f"{with_verb(seat, 'whispers')} to {' and '.join(data['to'])}:{quote(data['text'])}"


# -- characters


def _brought(writer: EventWriter, seat: str, data: Data) -> str:
    kind = data["kind"].upper() if data["owner"] == seat else kind_and_owner(data["kind"], data["owner"])
    return f"{with_verb(seat, 'adds')} {data['name']} ({kind})"


def _changed(writer: EventWriter, seat: str, data: Data) -> str:
    undone = "undone: " if data.get("undone") else ""
    use = f" ({data['use'].replace('_', ' ')})" if data.get("use") else ""
    points = writer.points_text(data["changes"], data["now"])
    return f"{without_owner(data['character'])}: {undone}{points}{use}{quote(data['words'])}"


def _spent(writer: EventWriter, seat: str, data: Data) -> str:
    parts = []
    for name, count in data["changes"].items():
        now = f" (now {data['now'][name]})" if name in data.get("now", {}) else ""
        done = "spends" if count > 0 else "gets back"
        parts.append(f"{done} {abs(count)} {writer.resource_title(name)}{now}")
    return f"{without_owner(data['character'])} {', '.join(parts)} for {data['roll']}"


def _item(writer: EventWriter, seat: str, data: Data) -> str:
    return f"{without_owner(data['character'])}: {data['item']}, {item_text(data)}"


def _task(writer: EventWriter, seat: str, data: Data) -> str:
    tries = ", ".join(map(str, data["failed"]))
    state = f"failed with {tries}" if tries else "no failed tries"
    return f"{without_owner(data['character'])}: {data['task']}, {state}"


# -- fights


def _begun(writer: EventWriter, seat: str, data: Data) -> str:
    return "a fight begins: " + ", ".join(one["name"] for one in data["order"])


def _shown(writer: EventWriter, seat: str, data: Data) -> str:
    who = without_owner(data["character"])
    return SHEET_SHOWN.get(data.get("shown", ""), "{who} is visible now").format(who=who)


SHEET_SHOWN = {
    "open": "everyone sees the sheet of {who} now",
    "own": "only the owner and the GM see the sheet of {who} now",
    "hidden": "{who} is hidden now",
}


def _what(data: Data) -> str:
    return f": {data['what']}" if data.get("what") else ""


def _for(data: Data) -> str:
    return f" for {data['roll']}" if data.get("roll") else ""


def _with(data: Data) -> str:
    return f" with {data['roll']}" if data.get("roll") else ""


def _actions(data: Data) -> str:
    return format_count(data["actions"], "action")


def _leave(data: Data) -> str:
    return str(data["leave"].replace("_", " "))


def _who(data: Data) -> str:
    return str(data.get("name") or without_owner(data["combatant"]))


SENTENCES: Mapping[str, Sentence] = {
    "table_opened": lambda t, s, d: f"{with_verb(s, 'opens')} the table {d['table']}",
    "seat_taken": lambda t, s, d: f"{with_verb(d['name'], 'joins')} as {role_text(d['role'])}",
    "link_made": lambda t, s, d: (
        f"{with_verb(d['by'] or 'the host', 'makes')} a link to the seat of {d['seat']}"
    ),
    "epoch_begun": lambda t, s, d: "the table is opened again, with new keys for its dice",
    "seat_styled": lambda t, s, d: f"{with_verb(d['name'], 'has')} the colour {d['colour']}",
    "seat_left": _left,
    "seat_pictured": lambda t, s, d: f"{with_verb(d['name'], 'has')} {_picture(d)}",
    "character_pictured": lambda t, s, d: f"{without_owner(d['character'])} has {_picture(d)}",
    "gm_shared": lambda t, s, d: (
        f"{with_verb(s, 'gives')} {d['to']} a GM's seat, {d['name']}: {d['to']} sees what GMs see from now on"
    ),
    "message_sent": _said,
    "scratchpad_changed": lambda t, s, d: (
        f"{with_verb(s, 'changes')} the {'notes of the GMs' if d.get('for_gms') else 'scratchpad'}"
    ),
    "house_rules_changed": lambda t, s, d: (
        "house rules: " + (typed_parameters(d["options"]) or "the game's own")
    ),
    "rules_changed": lambda t, s, d: (
        f"the table plays by {d['game']['id']} {d['game']['hash'][:12]} from now on"
    ),
    "visibility_changed": lambda t, s, d: f"rolls are {d['mode']} from now on",
    "roll_declared": _declared,
    "line_switched": _line("changes"),
    "line_added": _line("adds"),
    "faces_typed": _typed,
    "faces_taken_back": lambda t, s, d: f"{d['roll']}: the typed dice are taken back",
    "dice_thrown": lambda t, s, d: throw_sentence(t, d),
    "decision_taken": _answered,
    "decision_undone": lambda t, s, d: f"{d['roll']}: {with_verb(s, 'takes')} back the last decision",
    "roll_finalised": _finalised,
    "roll_corrected": _corrected,
    "contest_kept": lambda t, s, d: f"{d['roll']} stands",
    "roll_cancelled": lambda t, s, d: f"{d['roll']} is cancelled",
    "roll_revealed": _revealed,
    "roll_judged": _judged,
    "roll_noted": lambda t, s, d: f"{d['roll']}: {with_verb(s, 'notes')}{quote(d['text'])}",
    "target_revealed": lambda t, s, d: f"{d['roll']}: nothing is hidden anymore{t.result_text(d['roll'])}",
    "character_brought": _brought,
    "character_updated": lambda t, s, d: (
        f"{with_verb(s, 'updates')} the sheet of {without_owner(d['character'])}"
    ),
    "character_renamed": lambda t, s, d: (
        f"{with_verb(s, 'renames')} {without_owner(d['character'])}: {d['name']}"
    ),
    "character_shown": _shown,
    "character_dismissed": lambda t, s, d: f"{with_verb(s, 'removes')} {without_owner(d['character'])}",
    "points_changed": _changed,
    "points_spent": _spent,
    "item_changed": _item,
    "task_changed": _task,
    "fight_begun": _begun,
    "combatant_joined": lambda t, s, d: f"{d['name']} joins the fight",
    "combatant_left": lambda t, s, d: f"{_who(d)} is out of the fight",
    "combatant_revealed": lambda t, s, d: f"{_who(d)} comes into view",
    "combatant_attacked": lambda t, s, d: f"{_who(d)} is attacked",
    "round_begun": lambda t, s, d: f"round {d['number']} begins",
    "fight_ended": lambda t, s, d: "the fight is over",
    "actions_fixed": lambda t, s, d: f"{_who(d)} takes {_actions(d)} this round",
    "actions_lost": lambda t, s, d: f"{_who(d)} loses {_actions(d)}",
    "action_taken": lambda t, s, d: f"{_who(d)} spends an action{_for(d)}{_what(d)}",
    "leave_granted": lambda t, s, d: f"the GM grants {_who(d)} a {_leave(d)}",
    "leave_used": lambda t, s, d: f"{_who(d)} uses the {_leave(d)}",
    "hit_taken": lambda t, s, d: f"{_who(d)} takes the hit from {d['roll']}",
    "waited": lambda t, s, d: f"{_who(d)} waits",
    "interrupted": lambda t, s, d: f"{_who(d)} interrupts {d['roll_of']}{_with(d)}{_what(d)}",
    "reacted": lambda t, s, d: f"{_who(d)} reacts{_with(d)}{_what(d)}",
    "stance_taken": lambda t, s, d: f"{_who(d)}: {stance_text(t.rules, d['stance'], d['choice'])}",
    "round_prepared": lambda t, s, d: f"{_who(d)} spends the whole round preparing",
    "paced": lambda t, s, d: f"{_who(d)} moves: {d['pace']}, up to {d['distance']}",
    "turn_ended": lambda t, s, d: f"{_who(d)} ends the turn",
    "move_undone": lambda t, s, d: f"{_who(d)} takes back a move",
    "check_requested": _requested,
    "check_called": _called,
    "check_proposed": _proposed,
    "proposal_accepted": lambda t, s, d: (
        f"{d['request']}: {with_verb(s, 'agrees') + ', ' if s != d['name'] else ''}"
        f"{with_verb(d['name'], 'rolls')} {d['roll_of']}"
        if "request" in d
        else "; ".join(
            f"{one['contest']}: {with_verb(one['name'], 'rolls')} {one['roll']}" for one in d["sides"]
        )
    ),
    "proposal_refused": lambda t, s, d: (
        f"{d['request']}: {with_verb(s, 'turns')} down {d['name']}{quote(d['words'])}"
    ),
    "request_reopened": lambda t, s, d: f"{d['request']} is open again for {d['name']}",
    "request_withdrawn": lambda t, s, d: f"{d['request']} is withdrawn",
    "call_settled": lambda t, s, d: (
        f"{d['request']}: {d['name']} {'catches the lie' if d['found'] else 'finds nothing'}"
    ),
    "contest_opened": _opened,
    "contest_called_off": lambda t, s, d: f"{d['contest']} is called off",
}
