"""Evolve: the table after an event.

`evolve` never refuses: it applies whatever `decide` emitted, and replays no roll; positions are
computed on demand (`position`).  It is total: what a seat knows is the fold of its redacted events by
the same function, so an event may be about something that this seat does not know, or lack fields.
An event of an unknown kind changes nothing, so an older Handful can still read the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import HandfulError
from handful.records import replace
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset
from handful.sheet import read_character
from handful.table.events import (
    CallSettled,
    CharacterBrought,
    CharacterDismissed,
    CharacterPictured,
    CharacterRenamed,
    CharacterShown,
    CharacterUpdated,
    CheckCalled,
    CheckProposed,
    CheckRequested,
    ContestCalledOff,
    ContestOpened,
    DiceThrown,
    EpochBegun,
    Event,
    GmShared,
    HouseRulesChanged,
    ItemChanged,
    MessageSent,
    PointsChanged,
    PointsSpent,
    ProposalAccepted,
    ProposalRefused,
    RequestReopened,
    RequestWithdrawn,
    RollBody,
    RollDeclared,
    RulesChanged,
    ScratchpadChanged,
    SeatLeft,
    SeatPictured,
    SeatStyled,
    SeatTaken,
    TableOpened,
    TaskChanged,
    VisibilityChanged,
)
from handful.table.events.values import Counts, DeclaredSide
from handful.table.evolve_rolls import evolve_roll
from handful.table.fight import FIGHT_EVOLVERS, with_offer
from handful.table.persistent_map import PersistentMap, put
from handful.table.sheet_conversion import convert_sheet
from handful.table.state import ChatMessage, Contest, ContestSide, Request, Table, TableCharacter, TableRoll
from handful.table.visibility import ALL, NOTHING, PRESENCE


def apply_event(table: Table, event: Event, roll: TableRoll | None = None) -> Table:
    """Return one table after an event, without what others know.

    `roll`: the roll after an event about it, if the caller has computed it already.
    """
    digests = table.command_digests
    if event.key and (event.seat, event.key) not in digests:
        digests = put(digests, (event.seat, event.key), event.command_digest)
    next_seq: dict[str, Any] = {"command_digests": digests, "seq": table.seq + 1}
    if isinstance(event.body, RollBody):
        roll = roll or evolve_roll(table, event)
        if roll is None:
            return replace(table, **next_seq)
        next_seq["counted_rolls"] = counted_after(table.counted_rolls, event.body, roll)
        before = _with_side_effects(table, event.body, roll)
        rolls, open_rolls = put(before.rolls, roll.id, roll), open_after(before.open_rolls, roll)
        return replace(before, rolls=rolls, open_rolls=open_rolls, **next_seq)
    evolver = _EVOLVERS.get(type(event.body))
    after = table if evolver is None else evolver(table, event, event.body)
    return replace(after, **next_seq)


# -- rolls


def _with_side_effects(table: Table, body: RollBody, roll: TableRoll) -> Table:
    """Return the table with what an event about a roll changes besides the roll."""
    if isinstance(body, RollDeclared) and roll.id in table.contests:
        table = _closed(table, roll.id, "decided")
    if isinstance(body, DiceThrown) and roll.mode.others == ALL:
        for name in roll.character_ids:  # after a throw, earlier point changes can no longer be undone
            character = table.characters.get(name)
            if character is not None and character.last_change:
                table = _with_character(table, replace(character, last_change={}))
    if table.fight is None:
        return table
    offer = getattr(body, "offered", None)
    return table if offer is None else with_offer(table, roll.id, offer)


def open_after(open_rolls: tuple[str, ...], roll: TableRoll) -> tuple[str, ...]:
    """Return the names of the open rolls after a change of one roll."""
    was_open, is_open = roll.id in open_rolls, roll.is_open
    if is_open and not was_open:
        return (*open_rolls, roll.id)
    if was_open and not is_open:
        return tuple([one for one in open_rolls if one != roll.id])
    return open_rolls


def counted_after(counted_rolls: int, body: RollBody, roll: TableRoll) -> int:
    """Return how many rolls are numbered after an event about one."""
    return int(roll.label) if isinstance(body, RollDeclared) and roll.label.isdigit() else counted_rolls


def changes_more(table: Table, body: RollBody, roll: TableRoll) -> bool:
    """Return whether an event about a roll may change more of a table than its rolls."""
    return (
        (isinstance(body, RollDeclared) and roll.id in table.contests)
        or table.fight is not None
        or (isinstance(body, DiceThrown) and bool(roll.character_ids))
    )


# -- the table itself


def _table_opened(table: Table, event: Event, body: TableOpened) -> Table:
    return replace(table, id=body.table, epoch=0 if body.public_key is None else 1)


def _epoch_begun(table: Table, event: Event, body: EpochBegun) -> Table:
    return replace(table, epoch=body.number)


def _seat_taken(table: Table, event: Event, body: SeatTaken) -> Table:
    left = tuple(name for name in table.left_seats if name != body.name)
    return replace(table, seats={**table.seats, body.name: body.role}, left_seats=left)


def _seat_left(table: Table, event: Event, body: SeatLeft) -> Table:
    return replace(table, left_seats=(*table.left_seats, body.name))


def _seat_pictured(table: Table, event: Event, body: SeatPictured) -> Table:
    return replace(table, pictures={**table.pictures, body.name: body.picture})


def _seat_styled(table: Table, event: Event, body: SeatStyled) -> Table:
    return replace(table, colours={**table.colours, body.name: body.colour})


def _gm_shared(table: Table, event: Event, body: GmShared) -> Table:
    return replace(table, gm_seats={**table.gm_seats, body.name: body.to})


def _house_rules_changed(table: Table, event: Event, body: HouseRulesChanged) -> Table:
    return replace(table, options=body.options)


def _rules_changed(table: Table, event: Event, body: RulesChanged) -> Table:
    """Switch to other rules; rolls already declared keep theirs."""
    after = table.rulesets.get(body.game.hash)
    if after is None:  # a ruleset that is not available here: keep the current one
        return replace(table, options=body.options)
    characters: dict[str, TableCharacter] = {}
    dismissed = dict(table.dismissed)
    for name, character in table.characters.items():
        converted = _convert_character(table.rules, after, character)
        if converted is None:
            dismissed[name] = character
        else:
            characters[name] = converted
    return replace(
        table,
        rules=after,
        options=body.options,
        characters=PersistentMap(characters),
        dismissed=dismissed,
    )


def _convert_character(before: Ruleset, after: Ruleset, character: TableCharacter) -> TableCharacter | None:
    try:
        sheet = None if character.sheet is None else convert_sheet(before, after, character.sheet)
    except HandfulError:
        return None
    return replace(character, sheet=sheet, last_change={})


def _visibility_changed(table: Table, event: Event, body: VisibilityChanged) -> Table:
    return replace(table, mode=body.mode)


# -- what people say and write


def _message_sent(table: Table, event: Event, body: MessageSent) -> Table:
    said = ChatMessage(body.message, event.seat, body.text, body.to)
    return replace(table, messages=put(table.messages, said.id, said))


def _scratchpad_changed(table: Table, event: Event, body: ScratchpadChanged) -> Table:
    return replace(table, gm_notes=body.text) if body.for_gms else replace(table, scratchpad=body.text)


# -- requests


def _with_request(table: Table, name: str | None, **fields: Any) -> Table:
    """Return the table with a changed request; unchanged if there is none of that name."""
    request = table.requests.get(name or "")
    if request is None:
        return table
    return replace(table, requests=put(table.requests, request.id, replace(request, **fields)))


def _new_request(table: Table, request: Request) -> Table:
    return replace(table, requests=put(table.requests, request.id, request))


def _check_requested(table: Table, event: Event, body: CheckRequested) -> Table:
    characters = {} if body.character_id is None else dict.fromkeys(body.to, body.character_id)
    request = Request(
        body.request,
        body.to,
        body.check,
        body.parameters,
        body.hidden,
        body.mode,
        body.title,
        character_id=body.character_id or "",
        character_ids=characters,
    )
    return _new_request(table, request)


def _check_called(table: Table, event: Event, body: CheckCalled) -> Table:
    (caller,) = body.to
    request = Request(
        body.request,
        (caller,),
        body.check,
        {},
        title=body.title,
        called=True,
        proposals={caller: body.parameters},
        character_ids={} if body.character_id is None else {caller: body.character_id},
    )
    return _new_request(table, request)


def _check_proposed(table: Table, event: Event, body: CheckProposed) -> Table:
    request = table.requests.get(body.request)
    if request is None:
        return table
    characters = {} if body.character_id is None else {body.name: body.character_id}
    return _with_request(
        table,
        request.id,
        proposals={**request.proposals, body.name: body.parameters},
        character_ids={**request.character_ids, **characters},
    )


def _proposal_accepted(table: Table, event: Event, body: ProposalAccepted) -> Table:
    request = table.requests.get(body.request or "")
    if request is not None and body.name and body.roll_of:
        rolls = {**request.rolls, body.name: body.roll_of}
        table = _with_request(table, request.id, rolls=rolls)
        side = ContestSide(body.name, request=request.id)
        for contest in table.contests.values():
            if side in contest.sides:
                table = _with_side(table, contest, side, body.roll_of)
    for one in body.sides or ():
        table = _with_declared_side(table, one)
    return table


def _with_declared_side(table: Table, declared: DeclaredSide) -> Table:
    contest = table.contests.get(declared.contest)
    if contest is None:
        return table
    waiting = (one for one in contest.sides if one.name == declared.name and not one.roll)
    side = next(waiting, None)
    return table if side is None else _with_side(table, contest, side, declared.roll)


def _with_side(table: Table, contest: Contest, side: ContestSide, roll: str) -> Table:
    sides = [replace(one, roll=roll) if one is side or one == side else one for one in contest.sides]
    return _with_contest(table, replace(contest, sides=tuple(sides)))


def _request_reopened(table: Table, event: Event, body: RequestReopened) -> Table:
    request = table.requests.get(body.request)
    rolls = {} if request is None else {n: one for n, one in request.rolls.items() if n != body.name}
    return _with_request(table, body.request, rolls=rolls)


def _proposal_refused(table: Table, event: Event, body: ProposalRefused) -> Table:
    request = table.requests.get(body.request)
    left = {} if request is None else {n: one for n, one in request.proposals.items() if n != body.name}
    return _with_request(table, body.request, proposals=left)


def _request_withdrawn(table: Table, event: Event, body: RequestWithdrawn) -> Table:
    return _with_request(table, body.request, closed="withdrawn")


def _call_settled(table: Table, event: Event, body: CallSettled) -> Table:
    return _with_request(table, body.request, closed="found" if body.found else "nothing found")


# -- characters


def _with_character(table: Table, character: TableCharacter) -> Table:
    return replace(table, characters=put(table.characters, character.id, character))


def _without_character(table: Table, name: str) -> Table:
    others = {one: character for one, character in table.characters.items() if one != name}
    return replace(table, characters=PersistentMap(others))


def _character_brought(table: Table, event: Event, body: CharacterBrought) -> Table:
    sheet = None if body.sheet is None else read_character(table.rules, body.sheet)
    character = TableCharacter(
        body.character,
        body.owner,
        body.name,
        body.type,
        body.shown or "",
        sheet,
        PRESENCE if sheet is None else ALL,
    )
    dismissed = {one: gone for one, gone in table.dismissed.items() if one != body.character}
    return replace(_with_character(table, character), dismissed=dismissed)


def _character_updated(table: Table, event: Event, body: CharacterUpdated) -> Table:
    character = table.characters.get(body.character)
    if character is None:
        return table
    return _with_character(table, replace(character, sheet=read_character(table.rules, body.sheet)))


def _character_renamed(table: Table, event: Event, body: CharacterRenamed) -> Table:
    character = table.characters.get(body.character)
    if character is None:
        return table
    sheet = None if character.sheet is None else replace(character.sheet, name=body.name)
    return _with_character(table, replace(character, name=body.name, sheet=sheet))


def _character_pictured(table: Table, event: Event, body: CharacterPictured) -> Table:
    character = table.characters.get(body.character)
    return table if character is None else _with_character(table, replace(character, picture=body.picture))


def _character_shown(table: Table, event: Event, body: CharacterShown) -> Table:
    if body.level == NOTHING:
        return _without_character(table, body.character)
    character = table.characters.get(body.character)
    if character is None:
        if body.owner is None or body.name is None or body.type is None:
            return table
        character = TableCharacter(body.character, body.owner, body.name, body.type, "")
    if body.picture is not None:
        character = replace(character, picture=body.picture)
    if body.level is not None:
        concealed = replace(
            character, shown="", sheet=None, level=body.level, items={}, tasks={}, last_change={}
        )
        return _with_character(table, concealed)
    shown = replace(character, shown=body.shown, level=ALL)
    if body.sheet is not None:
        items = {name: (one.uses, one.hot) for name, one in (body.items or {}).items()}
        sheet = read_character(table.rules, body.sheet)
        shown = replace(shown, sheet=sheet, items=items, tasks=body.tasks or {})
    return _with_character(table, shown)


def _character_dismissed(table: Table, event: Event, body: CharacterDismissed) -> Table:
    character = table.characters.get(body.character)
    if character is None:
        return table
    dismissed = {**table.dismissed, character.id: character}
    return replace(_without_character(table, character.id), dismissed=dismissed)


def _points_changed(table: Table, event: Event, body: PointsChanged) -> Table:
    return _with_points(table, body.character, body.now, {} if body.undone else body.changes)


def _with_points(table: Table, name: str, now: Counts, last_change: Counts) -> Table:
    character = table.characters.get(name)
    if character is None or character.sheet is None:
        return table
    sheet = replace(character.sheet, resources=Record({**character.sheet.resources, **now}))
    return _with_character(table, replace(character, sheet=sheet, last_change=last_change))


def _points_spent(table: Table, event: Event, body: PointsSpent) -> Table:
    roll = table.rolls.get(body.roll)
    if roll is not None:
        paid = dict(roll.paid.get(body.character, {}))
        for resource, count in body.changes.items():
            paid[resource] = paid.get(resource, 0) + count
        paid_roll = replace(roll, paid={**roll.paid, body.character: paid})
        rolls, open_rolls = put(table.rolls, roll.id, paid_roll), open_after(table.open_rolls, paid_roll)
        table = replace(table, rolls=rolls, open_rolls=open_rolls)
    return _with_points(table, body.character, body.now, {})


def _item_changed(table: Table, event: Event, body: ItemChanged) -> Table:
    character = table.characters.get(body.character)
    if character is None:
        return table
    items = {**character.items, body.item: (body.uses, body.hot)}
    return _with_character(table, replace(character, items=items))


def _task_changed(table: Table, event: Event, body: TaskChanged) -> Table:
    character = table.characters.get(body.character)
    if character is None:
        return table
    tasks = {name: tries for name, tries in character.tasks.items() if name != body.task}
    if body.failed:
        tasks = {**tasks, body.task: body.failed}
    return _with_character(table, replace(character, tasks=tasks))


# -- contests


def _with_contest(table: Table, contest: Contest) -> Table:
    return replace(table, contests=put(table.contests, contest.id, contest))


def _closed(table: Table, contest: str, how: str) -> Table:
    found = table.contests.get(contest)
    return table if found is None else _with_contest(table, replace(found, closed=how))


def _contest_opened(table: Table, event: Event, body: ContestOpened) -> Table:
    return _with_contest(table, read_contest(event.seat, body))


def read_contest(by: str, body: ContestOpened) -> Contest:
    """Return the contest that an event has opened."""
    return Contest(
        body.contest,
        by,
        body.check or "",
        body.parameters or {},
        tuple(ContestSide(one.name, one.roll, one.request or "") for one in body.sides),
        body.hidden or (),
        body.modes or (),
        body.together is not False,
    )


def _contest_called_off(table: Table, event: Event, body: ContestCalledOff) -> Table:
    return _closed(table, body.contest, "called off")


_EVOLVERS: Mapping[type, Callable[[Table, Event, Any], Table]] = {
    TableOpened: _table_opened,
    EpochBegun: _epoch_begun,
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    SeatStyled: _seat_styled,
    SeatPictured: _seat_pictured,
    GmShared: _gm_shared,
    HouseRulesChanged: _house_rules_changed,
    RulesChanged: _rules_changed,
    VisibilityChanged: _visibility_changed,
    MessageSent: _message_sent,
    ScratchpadChanged: _scratchpad_changed,
    CheckRequested: _check_requested,
    CheckCalled: _check_called,
    CheckProposed: _check_proposed,
    ProposalAccepted: _proposal_accepted,
    ProposalRefused: _proposal_refused,
    RequestReopened: _request_reopened,
    RequestWithdrawn: _request_withdrawn,
    CallSettled: _call_settled,
    CharacterBrought: _character_brought,
    CharacterUpdated: _character_updated,
    CharacterRenamed: _character_renamed,
    CharacterPictured: _character_pictured,
    CharacterShown: _character_shown,
    CharacterDismissed: _character_dismissed,
    PointsChanged: _points_changed,
    PointsSpent: _points_spent,
    ItemChanged: _item_changed,
    TaskChanged: _task_changed,
    ContestOpened: _contest_opened,
    ContestCalledOff: _contest_called_off,
    **FIGHT_EVOLVERS,
}
