"""Requests and calls: the GM asks for a check, or a player challenges what may be a lie.

A player proposes how to make the check, the GM accepts or refuses, and the roll is declared.
A call is a request that a player makes unasked, even if there is no lie to find; only a call that
wins reveals whether there was one.
"""

from __future__ import annotations

from handful.errors import Message, Refused
from handful.records import replace
from handful.rules.name_resolution import CharacterNames, resolve_parameters
from handful.rules.params import ADD_SUFFIX
from handful.rules.ruleset import Check, Ruleset
from handful.table.commands import (
    AcceptProposal,
    CallCheck,
    CompareRolls,
    Declaration,
    ProposeCheck,
    RefuseProposal,
    RequestCheck,
    SettleCall,
    WithdrawRequest,
)
from handful.table.contests import check_side_visible, find_finalised, join_rolls
from handful.table.events import (
    CallSettled,
    CheckCalled,
    CheckProposed,
    CheckRequested,
    ProposalAccepted,
    ProposalRefused,
    RequestWithdrawn,
    RollRevealed,
)
from handful.table.events.values import Values
from handful.table.rolls import declare_roll, throw_due_dice
from handful.table.state import Request, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, PLAYER


def request(transaction: Transaction, command: RequestCheck) -> None:
    """Ask one or several seats for a check; for the GM."""
    for name in command.to:
        if transaction.table.role(name) != PLAYER:
            raise Refused(Message("request.not_a_player", name=name))
    to = [name for name in dict.fromkeys(command.to) if name not in transaction.table.left_seats]
    if not to:
        raise Refused(Message("request.needs_player"))
    check = transaction.table.rules.check(command.check)
    for name in command.hidden:
        if name not in check.params:
            raise Refused(Message("request.unknown_parameter", check=check.name, name=name))
    if command.character_id is not None:
        character = transaction.known.characters.get(command.character_id)
        if character is None or (character.owner,) != command.to:
            name = command.character_id[:160]
            raise Refused(Message("request.other_character", name=name))
    transaction.emit(
        CheckRequested(
            request=transaction.new_id,
            to=tuple(to),
            check=check.name,
            parameters=_read_parameters(transaction.table.rules, check, command.parameters),
            hidden=command.hidden,
            mode=command.mode,
            title=command.title,
            character_id=command.character_id,
        )
    )


def _read_parameters(rules: Ruleset, check: Check, given: Values) -> Values:
    """Return the proposed parameters of a check by their declared names.

    Mistakes that do not depend on the roller are refused now, not when the roll is declared.
    """
    picks = rules.sheet.picks if rules.sheet else {}
    parameters = {}
    for typed, value in resolve_parameters(rules, check, given, CharacterNames()).items():
        name = typed.removesuffix(ADD_SUFFIX)
        if not (isinstance(value, str) and name in picks):  # it may name an entry of a sheet
            check.params[name].read(value)
        parameters[typed] = value
    return parameters


def _own_character(transaction: Transaction, name: str | None) -> str | None:
    """Return the character for a proposal; it must be the acting seat's own."""
    if name is not None:
        character = transaction.known.characters.get(name)
        if character is None or character.owner != transaction.actor:
            raise Refused(Message("character.seat_has_none", seat=transaction.actor, name=name[:160]))
    return name


def call(transaction: Transaction, command: CallCheck) -> None:
    """Challenge what may be a lie; the check to be rolled is a proposal like any other."""
    check = transaction.table.rules.check(command.check)
    transaction.emit(
        CheckCalled(
            request=transaction.new_id,
            to=(transaction.actor,),
            check=check.name,
            parameters=_read_parameters(transaction.table.rules, check, command.parameters),
            title=command.title,
            character_id=_own_character(transaction, command.character_id),
        )
    )


def propose(transaction: Transaction, command: ProposeCheck) -> None:
    transaction.emit(read_proposal(transaction, command.request, command.parameters, command.character_id))


def read_proposal(
    transaction: Transaction, request: str, parameters: Values, character_id: str | None
) -> CheckProposed:
    """Return the acting seat's proposal for a request; refuse one that cannot be meant."""
    rules = transaction.table.rules
    check = rules.check(transaction.known.requests[request].check)
    return CheckProposed(
        request=request,
        name=transaction.actor,
        parameters=_read_parameters(rules, check, parameters),
        character_id=_own_character(transaction, character_id),
    )


def accept(transaction: Transaction, command: AcceptProposal) -> None:
    """Accept a proposal, or answer for an absent seat: declares the roll; for the GM."""
    open_request, name = transaction.table.requests[command.request], command.name
    if name not in open_request.to or name in open_request.rolls:
        raise Refused(Message("request.not_waiting", name=name))
    if name not in open_request.proposals and command.parameters is None:
        raise Refused(Message("request.nothing_proposed_yet", name=name))
    check_side_visible(transaction.table, open_request.id, name, [transaction.table.mode, open_request.mode])
    proposed = open_request.proposals.get(name, {})
    overrides = {**open_request.parameters, **(command.parameters or {})}
    declaration = replace(
        requested_declaration(open_request, name, {**proposed, **overrides}, command.character_id),
        off=command.off,
        add=command.add,
        spends=command.spends,
        target=command.target,
        item=command.item,
        task=command.task,
    )
    authors = {one: name for one in proposed if one not in overrides}
    roll = declare_roll(transaction, name, declaration, authors)
    transaction.emit(ProposalAccepted(request=open_request.id, name=name, roll_of=roll))


def requested_declaration(
    open_request: Request, name: str, parameters: Values, character_id: str | None
) -> Declaration:
    """Return a seat's answer to a request as a declaration."""
    character_id = character_id or open_request.character_ids.get(name, "")
    return Declaration(
        check=open_request.check,
        parameters=parameters,
        hidden=open_request.hidden,
        mode=open_request.mode,
        title=open_request.title,
        character_ids=(character_id,) if character_id else (),
    )


def refuse(transaction: Transaction, command: RefuseProposal) -> None:
    open_request = transaction.table.requests[command.request]
    if command.name not in open_request.proposals or command.name in open_request.rolls:
        raise Refused(Message("request.nothing_proposed", name=command.name))
    transaction.emit(ProposalRefused(request=open_request.id, name=command.name, words=command.words))


def withdraw(transaction: Transaction, command: WithdrawRequest) -> None:
    transaction.emit(RequestWithdrawn(request=command.request))


def settle(transaction: Transaction, command: SettleCall) -> None:
    """Settle a call; if there is nothing to find it looks the same as a failure; for the GM."""
    open_request = transaction.table.requests[command.request]
    (caller,) = open_request.to
    rolled = transaction.known.rolls.get(open_request.rolls[caller])
    if rolled is None or rolled.level < ALL or not rolled.key:
        raise Refused(Message("request.call_not_finished"))
    if command.against is None and command.contest is None:
        transaction.emit(CallSettled(request=open_request.id, name=caller, found=False))
        return
    contest = _contest_for_call(transaction, command, rolled)
    sides = [one.roll for one in contest.components]
    found = _wins(contest)[sides.index(rolled.id)]
    transaction.emit(CallSettled(request=open_request.id, name=caller, found=found))
    if found:
        _reveal_found(transaction, contest, rolled)


def _contest_for_call(transaction: Transaction, command: SettleCall, rolled: TableRoll) -> TableRoll:
    """Return the contest of the call against what it challenges: the earlier roll is the first side."""
    if command.contest is not None:
        contest = find_finalised(transaction, command.contest)
        if rolled.id not in [one.roll for one in contest.components]:
            raise Refused(Message("request.other_contest", contest=contest.id))
        return contest
    if command.check is None:
        raise Refused(Message("request.settle_needs_check"))
    rolls = (command.against or "", rolled.id)
    compared = CompareRolls(check=command.check, rolls=rolls, parameters=command.parameters, mode="gm")
    contest_id = join_rolls(transaction, compared)
    throw_due_dice(transaction, contest_id)  # a tie may be rerolled
    if not transaction.table.rolls[contest_id].key:
        raise Refused(
            Message("request.contest_asks"),
            Message("request.make_contest"),
        )
    return transaction.table.rolls[contest_id]


def _wins(contest: TableRoll) -> list[bool]:
    outcome = contest.node.outcome if contest.node else None
    if outcome is None or outcome.get("wins") is None:
        raise Refused(
            Message("request.no_winner", check=contest.bound.check.name if contest.bound else contest.id)
        )
    return list(outcome["wins"])


def _reveal_found(transaction: Transaction, contest: TableRoll, rolled: TableRoll) -> None:
    """Reveal the beaten roll to everyone, and the contest to those who saw the call."""
    seats = transaction.table.seats
    for one in contest.components:
        if one.roll != rolled.id:
            transaction.emit(RollRevealed(roll=one.roll, to=tuple(seats)))
    table = transaction.table
    viewers = tuple(name for name in seats if rolled.level_for(table.viewer(name)) == ALL)
    transaction.emit(RollRevealed(roll=contest.id, to=viewers))
