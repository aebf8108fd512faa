"""From one table to the next: what each event changes.

`evolve` never refuses: whatever `decide` gave, it takes, and plays no roll: where each one stands
is worked out when somebody looks (`standing.py`).  An event of an unknown kind changes
nothing, so that an older Handful can at least count on.
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
from handful.table.fight import CHANGES as FIGHT
from handful.table.index import index_after
from handful.table.lines import corrected, line_of, with_line
from handful.table.persistent_map import put
from handful.table.sheet_conversion import fitted
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
    """The table after an event."""
    change = _CHANGES.get(event.kind)
    after = table if change is None else change(table, event, event.data)
    done = table.command_digests
    if event.key and (event.seat, event.key) not in done:
        done = put(done, (event.seat, event.key), event.command_digest)
    index = index_after(table, after, event)
    return replace(after, command_digests=done, seq=table.seq + 1, index=index)


def fold(table: Table, events: Iterable[Event]) -> Table:
    """The table after all these events."""
    for event in events:
        table = evolve(table, event)
    return table


def reply_of(value: Any) -> Any:
    return value if isinstance(value, str) else tuple(value)


def _with_roll(table: Table, roll: TableRoll) -> Table:
    return replace(table, rolls=put(table.rolls, roll.id, roll))


def _replied(table: Table, name: str, given: RecordedReply) -> Table:
    roll = table.rolls[name]
    before = replace(roll, typed=()) if roll.typed else roll
    after = before.with_replies(roll.rules(table.rules), roll.asked, (*roll.replies, given))
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
    """From here on by other rules; rolls that were begun keep theirs."""
    after = table.rulesets.get(data["game"]["hash"])
    if after is None:  # rules that nobody has here: what is known goes on
        return replace(table, options=data["options"])
    characters = table.characters
    for name, figure in table.characters.items():
        characters = put(characters, name, _fitting(table.rules, after, figure))
    return replace(table, rules=after, options=data["options"], characters=characters)


def _fitting(before: Ruleset, after: Ruleset, figure: TableCharacter) -> TableCharacter:
    try:
        sheet = None if figure.sheet is None else fitted(before, after, figure.sheet)
    except HandfulError:
        return replace(figure, gone=True)
    return replace(figure, sheet=sheet, last_change={})


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
        lines=tuple(map(line_of, data.get("lines", ()))),
        action_context=data.get("deed", {}),
        number=len(table.rolls),
    )
    begun = tuple(map(_begun, data["begun"]))
    after = _with_roll(table, roll.with_replies(table.rules, data["asked"], begun))
    return _closed(after, roll.id, "decided") if roll.id in table.contests else after


def _begun(one: Data) -> RecordedReply:
    if "faces" in one:
        faces = tuple(one["faces"])
        return RecordedReply(faces, one["by"], thrown=True, sides=one["sides"], physical=one["physical"])
    return RecordedReply(reply_of(one["answer"]), one["by"], thrown=False, words=one["words"])


def _line_changed(table: Table, event: Event, data: Data) -> Table:
    roll, new = table.rolls[data["roll"]], event.kind == "line_added"
    rules = roll.rules(table.rules)
    roll = with_line(rules, roll, data["number"], line_of(data["line"]), new=new)
    return _with_roll(table, roll.with_replies(rules, data["asked"], roll.replies))


def _dice_thrown(table: Table, event: Event, data: Data) -> Table:
    given = RecordedReply(
        tuple(data["faces"]),
        event.seat,
        thrown=True,
        sides=data["sides"],
        physical=data["physical"],
        entropy=data["entropy"],
    )
    roll = table.rolls[data["roll"]]
    for name in roll.character_ids if roll.mode.others == ALL else ():
        if name and table.characters[name].last_change:  # what was changed before the dice stays
            table = _with_figure(table, replace(table.characters[name], last_change={}))
    return _replied(table, data["roll"], given)


def _decision_taken(table: Table, event: Event, data: Data) -> Table:
    given = RecordedReply(reply_of(data["answer"]), event.seat, thrown=False, words=data["words"])
    return _replied(table, data["roll"], given)


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
    first = roll if roll.is_past_dice and roll.before_correction is None else roll.before_correction
    given = with_faces(roll.replies, data.get("faces", []))
    lines = corrected(roll, data["asked"], event.seat)
    rules = roll.rules(table.rules)
    after = replace(roll, before_correction=first, lines=lines).with_replies(rules, data["asked"], given)
    return _with_roll(table, after)


def _contest_kept(table: Table, event: Event, data: Data) -> Table:
    return table  # as it was: that is what it says


def with_faces(given: tuple[RecordedReply, ...], throws: Iterable[Data]) -> tuple[RecordedReply, ...]:
    """The same replies with other faces for some throws."""
    made = list(given)
    places = [at for at, one in enumerate(given) if one.thrown]
    for one in throws:
        at = places[one["throw"]]
        made[at] = replace(made[at], reply=tuple(one["faces"]))
    return tuple(made)


def _roll_cancelled(table: Table, event: Event, data: Data) -> Table:
    return _with_roll(table, replace(table.rolls[data["roll"]], cancelled=True))


def _roll_revealed(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    return _with_roll(table, replace(roll, revealed_to=(*roll.revealed_to, *data["to"])))


def _roll_judged(table: Table, event: Event, data: Data) -> Table:
    roll = table.rolls[data["roll"]]
    judged = Judgment(event.seat, data["grade"], data["words"])
    return _with_roll(table, replace(roll, judgments=(*roll.judgments, judged)))


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
    own = table.requests[data["request"]]
    proposals = {**own.proposals, data["name"]: data["parameters"]}
    who = {**own.character_ids, data["name"]: data["as"]} if "as" in data else own.character_ids
    return _with_request(table, replace(own, proposals=proposals, character_ids=who))


def _proposal_accepted(table: Table, event: Event, data: Data) -> Table:
    own = table.requests[data["request"]]
    name, roll = data["name"], data["roll_of"]
    table = _with_request(table, replace(own, rolls={**own.rolls, name: roll}))
    asked = ContestSide(name, request=own.id)
    for contest in table.contests.values():
        if asked in contest.sides:
            sides = (replace(one, roll=roll) if one == asked else one for one in contest.sides)
            table = _with_contest(table, replace(contest, sides=tuple(sides)))
    return table


def _request_reopened(table: Table, event: Event, data: Data) -> Table:
    own = table.requests[data["request"]]
    left = {name: one for name, one in own.rolls.items() if name != data["name"]}
    return _with_request(table, replace(own, rolls=left))


def _proposal_refused(table: Table, event: Event, data: Data) -> Table:
    own = table.requests[data["request"]]
    left = {name: one for name, one in own.proposals.items() if name != data["name"]}
    return _with_request(table, replace(own, proposals=left))


def _request_withdrawn(table: Table, event: Event, data: Data) -> Table:
    return _with_request(table, replace(table.requests[data["request"]], closed="withdrawn"))


def _call_settled(table: Table, event: Event, data: Data) -> Table:
    closed = "found" if data["found"] else "nothing found"
    return _with_request(table, replace(table.requests[data["request"]], closed=closed))


# -- characters


def _with_figure(table: Table, figure: TableCharacter) -> Table:
    return replace(table, characters=put(table.characters, figure.id, figure))


def _character_brought(table: Table, event: Event, data: Data) -> Table:
    figure = TableCharacter(
        data["character"],
        data["owner"],
        data["name"],
        data["kind"],
        data["shown"],
        read_character(table.rules, data["sheet"]),
    )
    return _with_figure(table, figure)


def _character_updated(table: Table, event: Event, data: Data) -> Table:
    own = table.characters[data["character"]]
    return _with_figure(table, replace(own, sheet=read_character(table.rules, data["sheet"])))


def _character_shown(table: Table, event: Event, data: Data) -> Table:
    return _with_figure(table, replace(table.characters[data["character"]], shown=data["shown"]))


def _character_dismissed(table: Table, event: Event, data: Data) -> Table:
    return _with_figure(table, replace(table.characters[data["character"]], gone=True))


def _points_changed(table: Table, event: Event, data: Data) -> Table:
    own = table.characters[data["character"]]
    assert own.sheet is not None
    resources = Record({**own.sheet.resources, **data["now"]})
    last = data["changes"] if event.kind == "points_changed" and "undone" not in data else {}
    sheet = replace(own.sheet, resources=resources)
    return _with_figure(table, replace(own, sheet=sheet, last_change=last))


def _points_spent(table: Table, event: Event, data: Data) -> Table:
    roll, name = table.rolls[data["roll"]], data["character"]
    own = dict(roll.paid.get(name, {}))
    for resource, count in data["changes"].items():
        own[resource] = own.get(resource, 0) + count
    table = _with_roll(table, replace(roll, paid={**roll.paid, name: own}))
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
    own = table.characters[data["character"]]
    items = {**own.items, data["item"]: (data["uses"], data["hot"])}
    return _with_figure(table, replace(own, items=items))


def _task_changed(table: Table, event: Event, data: Data) -> Table:
    own = table.characters[data["character"]]
    left = {name: tries for name, tries in own.tasks.items() if name != data["task"]}
    if data["failed"]:
        left = {**left, data["task"]: tuple(data["failed"])}
    return _with_figure(table, replace(own, tasks=left))


_CHANGES: dict[str, Callable[[Table, Event, Data], Table]] = {
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
    "contest_kept": _contest_kept,
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
    **FIGHT,
}
