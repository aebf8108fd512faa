"""Evolve: the table after an event.

`evolve` never refuses: it applies whatever `decide` emitted, and replays no roll; positions are
computed on demand (`position`).  An event of an unknown kind changes nothing, so an older Handful
can still read the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from handful.errors import HandfulError
from handful.records import replace
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset
from handful.sheet import read_character
from handful.table.events import Data, Event
from handful.table.fight import FIGHT_EVOLVERS
from handful.table.index import index_after
from handful.table.lines import corrected_lines, read_line, with_line
from handful.table.persistent_map import put
from handful.table.sheet_conversion import convert_sheet
from handful.table.state import (
    Contest,
    ContestSide,
    Judgment,
    RecordedReply,
    Request,
    Table,
    TableCharacter,
    TableRoll,
    read_components,
    read_contest,
)
from handful.table.visibility import ALL, combine_modes


def evolve(table: Table, event: Event) -> Table:
    """Return the table after an event."""
    evolver = EVOLVERS.get(event.kind)
    after = table if evolver is None else evolver(table, event, event.data)
    digests = table.command_digests
    if event.key and (event.seat, event.key) not in digests:
        digests = put(digests, (event.seat, event.key), event.command_digest)
    index = index_after(table, after, event)
    return replace(after, command_digests=digests, seq=table.seq + 1, index=index)


def fold(table: Table, events: Iterable[Event]) -> Table:
    """Return the table after all these events."""
    for event in events:
        table = evolve(table, event)
    return table


def parse_reply(value: Any) -> Any:
    return value if isinstance(value, str) else tuple(value)


def _with_roll(table: Table, roll: TableRoll) -> Table:
    return replace(table, rolls=put(table.rolls, roll.id, roll))


def _with_reply(table: Table, name: str, reply: RecordedReply) -> Table:
    roll = table.rolls[name]
    before = replace(roll, typed=()) if roll.typed else roll
    after = before.with_replies(roll.rules(table.rules), roll.asked, (*roll.replies, reply))
    return _with_roll(table, after)


def _table_opened(table: Table, event: Event, data: Data) -> Table:
    return replace(table, id=data["table"])


def _seat_taken(table: Table, event: Event, data: Data) -> Table:
    left = tuple(name for name in table.left_seats if name != data["name"])
    return replace(table, seats={**table.seats, data["name"]: data["role"]}, left_seats=left)


def _seat_left(table: Table, event: Event, data: Data) -> Table:
    return replace(table, left_seats=(*table.left_seats, data["name"]))


def _house_rules_changed(table: Table, event: Event, data: Data) -> Table:
    return replace(table, options=data["options"])


def _rules_changed(table: Table, event: Event, data: Data) -> Table:
    """Switch to other rules; rolls already declared keep theirs."""
    after = table.rulesets.get(data["game"]["hash"])
    if after is None:  # a ruleset that is not available here: keep the current one
        return replace(table, options=data["options"])
    characters = table.characters
    for name, character in table.characters.items():
        characters = put(characters, name, _convert_character(table.rules, after, character))
    return replace(table, rules=after, options=data["options"], characters=characters)


def _convert_character(before: Ruleset, after: Ruleset, character: TableCharacter) -> TableCharacter:
    try:
        sheet = None if character.sheet is None else convert_sheet(before, after, character.sheet)
    except HandfulError:
        return replace(character, is_dismissed=True)
    return replace(character, sheet=sheet, last_change={})


def _visibility_changed(table: Table, event: Event, data: Data) -> Table:
    return replace(table, mode=data["mode"])


def _roll_declared(table: Table, event: Event, data: Data) -> Table:
    modes = tuple(data["modes"])
    roll = TableRoll(
        data["roll"],
        data["roller"],
        data["commitment"],
        modes=modes,
        mode=combine_modes(*modes),
        hidden=tuple(data["hidden"]),
        title=data["title"],
        components=read_components(table, data["parts"]),
        inherited_count=len(data["begun"]),
        character_ids=tuple(data.get("as", ())),
        skill_counts=tuple(data.get("places", ())),
        lines=tuple(map(read_line, data.get("lines", ()))),
        action_context=data.get("deed", {}),
        number=len(table.rolls),
    )
    inherited = tuple(map(_read_inherited, data["begun"]))
    after = _with_roll(table, roll.with_replies(table.rules, data["asked"], inherited))
    return _closed(after, roll.id, "decided") if roll.id in table.contests else after


def _read_inherited(reply: Data) -> RecordedReply:
    if "faces" in reply:
        faces = tuple(reply["faces"])
        return RecordedReply(
            faces, reply["by"], thrown=True, sides=reply["sides"], physical=reply["physical"]
        )
    return RecordedReply(parse_reply(reply["answer"]), reply["by"], thrown=False, words=reply["words"])


def _line_changed(table: Table, event: Event, data: Data) -> Table:
    roll, new = table.rolls[data["roll"]], event.kind == "line_added"
    rules = roll.rules(table.rules)
    roll = with_line(rules, roll, data["number"], read_line(data["line"]), new=new)
    return _with_roll(table, roll.with_replies(rules, data["asked"], roll.replies))


def _dice_thrown(table: Table, event: Event, data: Data) -> Table:
    reply = RecordedReply(
        tuple(data["faces"]),
        event.seat,
        thrown=True,
        sides=data["sides"],
        physical=data["physical"],
        entropy=data["entropy"],
    )
    roll = table.rolls[data["roll"]]
    for name in roll.character_ids if roll.mode.others == ALL else ():
        if (
            name and table.characters[name].last_change
        ):  # after a throw, earlier point changes can no longer be undone
            table = _with_character(table, replace(table.characters[name], last_change={}))
    return _with_reply(table, data["roll"], reply)


def _decision_taken(table: Table, event: Event, data: Data) -> Table:
    reply = RecordedReply(parse_reply(data["answer"]), event.seat, thrown=False, words=data["words"])
    return _with_reply(table, data["roll"], reply)


def _faces_typed(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    return _with_roll(table, replace(roll, typed=(*roll.typed, tuple(data["faces"]))))


def _faces_taken_back(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    return _with_roll(table, replace(roll, typed=roll.typed[:-1]))


def _decision_undone(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    return _with_roll(table, roll.with_replies(roll.rules(table.rules), roll.asked, roll.replies[:-1]))


def _roll_finalised(table: Table, event: Event, data: Data) -> Table:
    return _with_roll(table, replace(table.rolls[data["roll"]], key=data["key"]))


def _roll_corrected(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    original = roll if roll.is_past_dice and roll.before_correction is None else roll.before_correction
    replies = with_faces(roll.replies, data.get("faces", []))
    lines = corrected_lines(roll, data["asked"], event.seat)
    rules = roll.rules(table.rules)
    after = replace(roll, before_correction=original, lines=lines).with_replies(rules, data["asked"], replies)
    return _with_roll(table, after)


def _unchanged(table: Table, event: Event, data: Data) -> Table:
    """Keep the table as it is: the event only tells that nothing changed."""
    return table


def with_faces(replies: tuple[RecordedReply, ...], throws: Iterable[Data]) -> tuple[RecordedReply, ...]:
    """Return the replies with other faces for some throws."""
    result = list(replies)
    throw_positions = [at for at, one in enumerate(replies) if one.thrown]
    for one in throws:
        at = throw_positions[one["throw"]]
        result[at] = replace(result[at], reply=tuple(one["faces"]))
    return tuple(result)


def _roll_cancelled(table: Table, event: Event, data: Data) -> Table:
    return _with_roll(table, replace(table.rolls[data["roll"]], cancelled=True))


def _roll_revealed(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    return _with_roll(table, replace(roll, revealed_to=(*roll.revealed_to, *data["to"])))


def _roll_judged(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    judgment = Judgment(event.seat, data["grade"], data["words"])
    return _with_roll(table, replace(roll, judgments=(*roll.judgments, judgment)))


def _target_revealed(table: Table, event: Event, data: Data) -> Table:
    return _with_roll(table, replace(table.rolls[data["roll"]], hidden=()))


# -- requests


def _with_request(table: Table, request: Request) -> Table:
    return replace(table, requests=put(table.requests, request.id, request))


def _check_requested(table: Table, event: Event, data: Data) -> Table:
    request = Request(
        data["request"],
        tuple(data["to"]),
        data["check"],
        data["parameters"],
        tuple(data["hidden"]),
        data["mode"],
        data["title"],
        character_ids={name: data["as"] for name in data["to"] if "as" in data},
    )
    return _with_request(table, request)


def _check_called(table: Table, event: Event, data: Data) -> Table:
    (caller,) = data["to"]
    request = Request(
        data["request"],
        (caller,),
        data["check"],
        {},
        title=data["title"],
        called=True,
        proposals={caller: data["parameters"]},
        character_ids={caller: data["as"]} if "as" in data else {},
    )
    return _with_request(table, request)


def _check_proposed(table: Table, event: Event, data: Data) -> Table:
    request = table.requests[data["request"]]
    proposals = {**request.proposals, data["name"]: data["parameters"]}
    character_ids = (
        {**request.character_ids, data["name"]: data["as"]} if "as" in data else request.character_ids
    )
    return _with_request(table, replace(request, proposals=proposals, character_ids=character_ids))


def _proposal_accepted(table: Table, event: Event, data: Data) -> Table:
    request = table.requests[data["request"]]
    name, roll = data["name"], data["roll_of"]
    table = _with_request(table, replace(request, rolls={**request.rolls, name: roll}))
    asked = ContestSide(name, request=request.id)
    for contest in table.contests.values():
        if asked in contest.sides:
            sides = (replace(one, roll=roll) if one == asked else one for one in contest.sides)
            table = _with_contest(table, replace(contest, sides=tuple(sides)))
    return table


def _request_reopened(table: Table, event: Event, data: Data) -> Table:
    request = table.requests[data["request"]]
    others = {name: one for name, one in request.rolls.items() if name != data["name"]}
    return _with_request(table, replace(request, rolls=others))


def _proposal_refused(table: Table, event: Event, data: Data) -> Table:
    request = table.requests[data["request"]]
    others = {name: one for name, one in request.proposals.items() if name != data["name"]}
    return _with_request(table, replace(request, proposals=others))


def _request_withdrawn(table: Table, event: Event, data: Data) -> Table:
    return _with_request(table, replace(table.requests[data["request"]], closed="withdrawn"))


def _call_settled(table: Table, event: Event, data: Data) -> Table:
    closed = "found" if data["found"] else "nothing found"
    return _with_request(table, replace(table.requests[data["request"]], closed=closed))


# -- characters


def _with_character(table: Table, character: TableCharacter) -> Table:
    return replace(table, characters=put(table.characters, character.id, character))


def _character_brought(table: Table, event: Event, data: Data) -> Table:
    character = TableCharacter(
        data["character"],
        data["owner"],
        data["name"],
        data["kind"],
        data["shown"],
        read_character(table.rules, data["sheet"]),
    )
    return _with_character(table, character)


def _character_updated(table: Table, event: Event, data: Data) -> Table:
    character = table.characters[data["character"]]
    return _with_character(table, replace(character, sheet=read_character(table.rules, data["sheet"])))


def _character_shown(table: Table, event: Event, data: Data) -> Table:
    return _with_character(table, replace(table.characters[data["character"]], shown=data["shown"]))


def _character_dismissed(table: Table, event: Event, data: Data) -> Table:
    return _with_character(table, replace(table.characters[data["character"]], is_dismissed=True))


def _points_changed(table: Table, event: Event, data: Data) -> Table:
    character = table.characters[data["character"]]
    assert character.sheet is not None
    resources = Record({**character.sheet.resources, **data["now"]})
    last = data["changes"] if event.kind == "points_changed" and "undone" not in data else {}
    sheet = replace(character.sheet, resources=resources)
    return _with_character(table, replace(character, sheet=sheet, last_change=last))


def _points_spent(table: Table, event: Event, data: Data) -> Table:
    roll, name = table.rolls[data["roll"]], data["character"]
    paid = dict(roll.paid.get(name, {}))
    for resource, count in data["changes"].items():
        paid[resource] = paid.get(resource, 0) + count
    table = _with_roll(table, replace(roll, paid={**roll.paid, name: paid}))
    return _points_changed(table, event, data)


# -- contests


def _with_contest(table: Table, contest: Contest) -> Table:
    return replace(table, contests=put(table.contests, contest.id, contest))


def _closed(table: Table, contest: str, how: str) -> Table:
    return _with_contest(table, replace(table.contests[contest], closed=how))


def _contest_opened(table: Table, event: Event, data: Data) -> Table:
    return _with_contest(table, read_contest(event))


def _contest_called_off(table: Table, event: Event, data: Data) -> Table:
    return _closed(table, data["contest"], "called off")


def _item_changed(table: Table, event: Event, data: Data) -> Table:
    character = table.characters[data["character"]]
    items = {**character.items, data["item"]: (data["uses"], data["hot"])}
    return _with_character(table, replace(character, items=items))


def _task_changed(table: Table, event: Event, data: Data) -> Table:
    character = table.characters[data["character"]]
    tasks = {name: tries for name, tries in character.tasks.items() if name != data["task"]}
    if data["failed"]:
        tasks = {**tasks, data["task"]: tuple(data["failed"])}
    return _with_character(table, replace(character, tasks=tasks))


EVOLVERS: dict[str, Callable[[Table, Event, Data], Table]] = {
    "table_opened": _table_opened,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "house_rules_changed": _house_rules_changed,
    "rules_changed": _rules_changed,
    "visibility_changed": _visibility_changed,
    "roll_declared": _roll_declared,
    "line_switched": _line_changed,
    "line_added": _line_changed,
    "faces_typed": _faces_typed,
    "faces_taken_back": _faces_taken_back,
    "dice_thrown": _dice_thrown,
    "decision_taken": _decision_taken,
    "decision_undone": _decision_undone,
    "roll_finalised": _roll_finalised,
    "roll_corrected": _roll_corrected,
    "contest_kept": _unchanged,
    "roll_cancelled": _roll_cancelled,
    "roll_revealed": _roll_revealed,
    "roll_judged": _roll_judged,
    "target_revealed": _target_revealed,
    "check_requested": _check_requested,
    "check_called": _check_called,
    "check_proposed": _check_proposed,
    "proposal_accepted": _proposal_accepted,
    "proposal_refused": _proposal_refused,
    "request_reopened": _request_reopened,
    "request_withdrawn": _request_withdrawn,
    "call_settled": _call_settled,
    "character_brought": _character_brought,
    "character_updated": _character_updated,
    "character_shown": _character_shown,
    "character_dismissed": _character_dismissed,
    "points_changed": _points_changed,
    "points_spent": _points_spent,
    "item_changed": _item_changed,
    "task_changed": _task_changed,
    "contest_opened": _contest_opened,
    "contest_called_off": _contest_called_off,
    **FIGHT_EVOLVERS,
}
