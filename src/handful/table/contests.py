"""Contests: several finished rolls compared by one check; resistance, group checks, parries.

Each side is declared and rolled on its own, with its own visibility; then their replies are replayed
through the comparing check, each when its side is asked.  Dice are inherited, never thrown again;
only what that check asks beyond them (a rerolled tie) is thrown.

`contest` joins finalised rolls.  `challenge` names the sides first: nobody throws until all are
declared, and the contest is resolved as soon as it is decided, or all sides have rolled.  That
moment depends on dice, so a viewer who does not see every side in full must not notice it: for them
the comparing roll does not exist (`TableRoll.level_for`).
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.errors import BadReply, HandfulError, Message, Refused
from handful.records import replace
from handful.roll import Throw, bind, resume, start
from handful.rules.free_dice import is_free_check
from handful.rules.ruleset import Check
from handful.table.commands import CallOffContest, CompareRolls, NamedSide, OpenContest
from handful.table.events import (
    ContestCalledOff,
    ContestOpened,
    HouseRulesChanged,
    RollDeclared,
    RollFinalised,
    RulesChanged,
    TargetRevealed,
)
from handful.table.events.values import ComponentData, ReplyData, SideData, Values
from handful.table.hidden_parameters import check_hideable
from handful.table.key_ledger import place_for_roll
from handful.table.key_streams import commitment_of
from handful.table.points import is_visible_to
from handful.table.redact_rolls import reply_data
from handful.table.rolls import finalise_if_complete, finalise_roll, roll_modes
from handful.table.state import Table, TableRoll
from handful.table.transaction import Transaction, asked_check
from handful.table.visibility import ALL, ANY_GM, ANY_WATCHER, DECLARED, PRESENCE, combine_modes

ENDED_PHASES = ("decided", "finalised")
RETRY_EVENTS = (HouseRulesChanged, RulesChanged)  # events after which every contest is retried


def contest(transaction: Transaction, command: CompareRolls) -> None:
    join_rolls(transaction, command)


def join_rolls(transaction: Transaction, command: CompareRolls) -> str:
    """Declare a roll that compares finalised rolls; return its id.  Visible to those who see them all."""
    components = [find_finalised(transaction, name) for name in command.rolls]
    modes = roll_modes(transaction.table, command.mode)
    comparison = _Comparison(transaction.table, command.check, components, command.parameters, command.hidden)
    comparison.replay_components()
    comparison.emit_declared(transaction, transaction.new_id, transaction.actor, modes)
    return transaction.new_id


def find_finalised(transaction: Transaction, name: str) -> TableRoll:
    """Return a finalised roll of which the acting seat sees everything."""
    roll = transaction.known.rolls.get(name)
    if roll is None or roll.level < ALL or not roll.key:
        raise Refused(Message("roll.unknown_finalised", name=name[:80]))
    return transaction.table.rolls[name]


def compare_answers(transaction: Transaction) -> None:
    """Compare answers, such as a parry, with the roll they answer once both results are final.

    Finalising the answer finalises the answered roll as well, if everyone who sees that roll's end sees
    the answer.  Otherwise that would reveal the answer, and the GM has to finalise both.
    """
    for name in [one.body.roll for one in transaction.events if isinstance(one.body, RollFinalised)]:
        roll = transaction.table.rolls[name]
        answered = transaction.table.rolls.get(roll.action_context.get("answers", ""))
        if answered is None:
            compared = _answers_to(transaction.table, name)
        elif answered.key:
            compared = [roll]
        elif answered.phase in ENDED_PHASES and _is_public_answer(transaction.table, roll):
            finalise_roll(transaction, answered.id)
            compared = _answers_to(transaction.table, answered.id)
        else:
            continue
        for one in compared:
            _compare_answer(transaction, one)


def _answers_to(table: Table, roll_id: str) -> list[TableRoll]:
    """Return the final answers to a roll."""
    if "target" not in table.rolls[roll_id].action_context:
        return []
    return [one for one in table.rolls.values() if one.action_context.get("answers") == roll_id and one.key]


def _is_public_answer(table: Table, answer: TableRoll) -> bool:
    """Return whether everyone who sees how a roll ends sees its answer, by their modes alone."""
    answered = table.rolls[answer.action_context["answers"]]
    viewers = [ANY_GM, ANY_WATCHER, *(table.viewer(one.roller) for one in (answer, answered))]
    return is_visible_to(answer, [one for one in viewers if answered.level_by_mode(one) >= DECLARED], ALL)


def _compare_answer(transaction: Transaction, answer: TableRoll) -> None:
    answered = transaction.table.rolls[answer.action_context["answers"]]
    modes: tuple[str, ...] = (transaction.table.mode,)
    side = answered
    name = f"{transaction.new_id} {answer.commitment[:8]}"  # an id that reveals nothing about other answers
    if _is_public_answer(transaction.table, answer):
        name = _free_id(transaction)
        if answered.hidden:  # the answer shows that the target was hit
            transaction.emit(TargetRevealed(roll=answered.id))
        side = replace(answered, hidden=())
    elif _is_gm_only(transaction.table, answer):  # GMs know the target, and only they see the contest
        modes = (*modes, "gm")
        side = replace(answered, hidden=())
    asked = answered.declared
    try:
        comparison = _Comparison(transaction.table, asked.check, [side, answer], asked.parameters)
        comparison.replay_components()
    except HandfulError:
        return  # a target must stay hidden, or house rules have changed: the GM compares by hand
    comparison.emit_declared(transaction, name, transaction.actor, modes)


def _is_gm_only(table: Table, answer: TableRoll) -> bool:
    viewers = [ANY_WATCHER, table.viewer(answer.roller)]
    return all(one.is_gm or answer.level_by_mode(one) < DECLARED for one in viewers)


def _free_id(transaction: Transaction) -> str:
    """Return an unused id, also if this command has already created a roll."""
    taken = transaction.new_id in transaction.table.rolls
    return f"{transaction.new_id} compared" if taken else transaction.new_id


class _Comparison:
    """Rolls being replayed through the check that compares them."""

    def __init__(
        self,
        table: Table,
        check_name: str,
        components: Sequence[TableRoll],
        parameters: Values,
        hidden: Sequence[str] = (),
    ) -> None:
        check = table.rules.check(check_name)
        if check.sides is None:
            raise Refused(Message("contest.one_side", check=check.name))
        if len({one.id for one in components}) < len(components):
            raise Refused(Message("contest.against_itself"))
        if any(one.asked is not None and is_free_check(one.asked.check) for one in components):
            raise Refused(Message("free_dice.not_compared"))
        self.components = components
        sides = [side_parameters(check, one) for one in components]
        self.bound = bind(table.rules, check.name, sides, parameters, table.options)
        self.asked = asked_check(self.bound)
        names = {one for part in components for one in part.hidden if one in check.params}
        names.update(hidden)
        self.hidden = check_hideable(self.bound, self.asked, sorted(names))
        self.inherited_replies: list[ReplyData] = []

    def replay_components(self) -> bool:
        """Replay the components' replies, each when its side is asked; return whether they decide it.

        A side that is never asked (a parry after a miss) has rolled for nothing; a check that would have
        needed other dice is refused.
        """
        remaining = [list(zip(one.replies, reply_data(one.replies), strict=True)) for one in self.components]
        remaining = [
            replies if part.key else [] for replies, part in zip(remaining, self.components, strict=True)
        ]
        node = start(self.bound)
        while (ask := node.ask) is not None:
            first_left = next((n for n, replies in enumerate(remaining) if replies), 0)
            side = ask.side - 1 if ask.side else first_left
            if side >= len(remaining) or not remaining[side]:
                break
            recorded, data = remaining[side].pop(0)
            if recorded.sides != (ask.sides if isinstance(ask, Throw) else 0):
                raise self._dice_would_change()
            try:
                node = resume(self.bound, node, recorded.reply)
            except BadReply:
                raise self._dice_would_change() from None
            self.inherited_replies.append(data)
        for replies, part in zip(remaining, self.components, strict=True):
            if replies and (node.ask is not None or len(replies) < len(part.replies)):
                raise self._dice_would_change()
        return node.ask is None

    def _dice_would_change(self) -> Refused:
        return Refused(Message("contest.other_dice", check=self.bound.check.name))

    def emit_declared(self, transaction: Transaction, name: str, roller: str, modes: Sequence[str]) -> None:
        components = tuple(ComponentData(one.id, one.roller, one.modes) for one in self.components)
        place = place_for_roll(transaction.table, name, roller, modes, components)
        transaction.emit(
            RollDeclared(
                roll=name,
                roller=roller,
                asked=self.asked,
                title="",
                modes=tuple(modes),
                hidden=self.hidden,
                components=components,
                inherited=tuple(self.inherited_replies),
                commitment=commitment_of(transaction.dice.key(place)),
                character_ids=_characters(self.components),
            )
        )
        finalise_if_complete(transaction, name)


def _characters(components: Sequence[TableRoll]) -> tuple[str, ...] | None:
    """Return the characters of the sides, who take the contest's own decisions; None if there are none."""
    names = tuple(one.character_ids[0] if one.character_ids else "" for one in components)
    return names if any(names) else None


def side_parameters(check: Check, roll: TableRoll) -> Values:
    """Return the parameters of a roll that the comparing check takes for a side."""
    asked = roll.asked
    assert asked is not None
    if len(asked.sides) > 1:
        raise Refused(Message("contest.several_sides", roll=roll.id))
    values = {**asked.parameters, **(asked.sides[0] if asked.sides else {})}
    wanted = {param.name for param in check.per_side()}
    return {name: value for name, value in values.items() if name in wanted}


# -- contests opened before their rolls


def challenge(transaction: Transaction, command: OpenContest) -> None:
    """Open a contest with these sides: rolls, or seats that were asked for one; for the GM."""
    sides = [_read_side(transaction, one) for one in command.sides]
    check = transaction.table.rules.check(command.check)
    if check.sides is None:
        raise Refused(Message("contest.one_side", check=check.name))
    if not check.sides.least <= len(sides) <= check.sides.most:
        raise Refused(
            Message(
                "contest.number_of_sides",
                check=check.name,
                least=check.sides.least,
                most=check.sides.most,
                given=len(sides),
            )
        )
    if any(not one.roll for one in sides):
        _check_can_wait(transaction.table, sides, command.together)
    else:
        rolls = [transaction.table.rolls[one.roll] for one in sides]
        _Comparison(transaction.table, check.name, rolls, command.parameters, command.hidden)
    transaction.emit(
        ContestOpened(
            contest=transaction.new_id,
            check=check.name,
            sides=tuple(sides),
            parameters=command.parameters,
            hidden=command.hidden,
            modes=roll_modes(transaction.table, command.mode),
            together=command.together,
        )
    )


def _read_side(transaction: Transaction, side: NamedSide) -> SideData:
    """Return a side as data for the event: its seat, and its roll or the request for it."""
    match side:
        case NamedSide(roll=str(name), request=None, name=None):
            roll = transaction.known.rolls.get(name)
            if roll is None or roll.level < ALL:
                raise Refused(Message("roll.unknown", name=name[:80]))
            return SideData(roll.roller, name, "")
        case NamedSide(roll=None, request=str(asked), name=str(name)):
            request = transaction.known.requests.get(asked)
            if request is None or request.closed or request.called or name not in request.to:
                raise Refused(Message("contest.not_asked", name=name[:60], request=asked[:80]))
            roll_of = request.rolls.get(name, "")
            return SideData(name, roll_of, "" if roll_of else asked)
    raise Refused(Message("contest.form_of_side"))


def _check_can_wait(table: Table, sides: Sequence[SideData], together: bool) -> None:
    """Refuse to wait for a side where the waiting would reveal a hidden one."""
    for one in sides:
        if one.roll:
            roll = table.rolls[one.roll]
            if together and roll.replies:
                raise Refused(Message("contest.thrown_already", roll=roll.id))
            mode = roll.mode
        else:
            mode = combine_modes(table.mode, table.requests[one.request or ""].mode)
        if min(mode.others, mode.roller) < PRESENCE:
            raise Refused(Message("contest.hidden_side"))


def check_side_visible(table: Table, request: str, name: str, modes: Sequence[str]) -> None:
    """Refuse a declaration that would hide a side that others are waiting for."""
    waiting = any(
        (one.request, one.name, one.roll) == (request, name, "")
        for open_one in table.contests.values()
        if not open_one.closed
        for one in open_one.sides
    )
    mode = combine_modes(*modes)
    if waiting and (min(mode.others, mode.roller) < PRESENCE or mode.gm < ALL):
        raise Refused(Message("contest.side_would_be_hidden"))


def call_off(transaction: Transaction, command: CallOffContest) -> None:
    transaction.emit(ContestCalledOff(contest=command.contest))


def resolve_open_contests(transaction: Transaction) -> None:
    """Resolve the contests that are decided by now, or whose sides have all rolled.

    A contest that cannot be resolved stays open without a message, because only the GM may know why.
    """
    names = ("roll", "roll_of", "contest")
    touched = {getattr(one.body, name, None) for one in transaction.events for name in names}
    retry_all = any(isinstance(one.body, RETRY_EVENTS) for one in transaction.events)
    for contest in list(transaction.table.contests.values()):
        if contest.closed or contest.undeclared_sides:
            continue
        if not retry_all and touched.isdisjoint([contest.id, *(one.roll for one in contest.sides)]):
            continue  # nothing about it has changed, so no time is spent that others could notice
        components = [transaction.table.rolls[one.roll] for one in contest.sides]
        try:
            comparison = _Comparison(
                transaction.table, contest.check, components, contest.parameters, contest.hidden
            )
            is_decided = comparison.replay_components()
        except HandfulError:
            continue
        if is_decided or all(one.key for one in components):
            comparison.emit_declared(
                transaction, contest.id, contest.by, (transaction.table.mode, *contest.modes)
            )
