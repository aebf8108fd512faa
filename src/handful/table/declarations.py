"""Declaring a roll, and what may come with it: the answer to a request, the throw, the finish.

One click is one command.  Each part of it takes place if it is legal for the seat when its turn comes, as
if it had been a command of its own; if not, the parts before it stand.
"""

from __future__ import annotations

from handful.errors import HandfulError, Message, Refused
from handful.roll import why_impossible
from handful.table.commands import Declaration, DeclareRoll
from handful.table.drafts import draft_declaration
from handful.table.events import ProposalAccepted
from handful.table.events.values import Texts
from handful.table.legality import check_action
from handful.table.requests import read_proposal, requested_declaration
from handful.table.rolls import declare_roll, finalise_if_legal, throw_if_legal
from handful.table.settled_requests import is_settled_for
from handful.table.state import Request, Table
from handful.table.transaction import Transaction
from handful.table.visibility import GM


def declare(transaction: Transaction, command: DeclareRoll) -> None:
    """Declare a roll, and throw and finalise it if that was asked for and is possible."""
    if command.request is None:
        roll: str | None = _declare(transaction, command)
    else:
        roll = _answer_request(transaction, command, command.request)
    if roll is None:
        return
    throw_if_legal(transaction, roll, command.throw)
    if command.finish:
        finalise_if_legal(transaction, roll)


def _declare(transaction: Transaction, command: DeclareRoll) -> str:
    roller = transaction.actor if command.for_seat is None else command.for_seat
    if roller != transaction.actor and transaction.role != GM:
        raise Refused(Message("roll.only_gm_declares_for_others"))
    return declare_roll(transaction, roller, command)


# -- answers to requests


def _answer_request(transaction: Transaction, command: DeclareRoll, name: str) -> str | None:
    """Declare the requested roll if the GM left nothing open, else propose it; return the roll's id."""
    check_action(transaction.known, transaction.viewer, "propose", "request", name)
    request, actor = transaction.known.requests[name], transaction.actor
    _check_answer(transaction.table, request, command)
    proposal = read_proposal(transaction, name, command.parameters, command.first_character or None)
    declaration = requested_declaration(request, actor, request.parameters, proposal.character_id)
    authors = dict.fromkeys(request.parameters, name.partition("/")[0])  # the GM who asked
    is_settled = (
        is_settled_for(transaction.known, request, declaration.first_character)
        and {*proposal.parameters} <= {*request.parameters}
        and _can_declare(transaction, declaration, authors)
    )
    if not is_settled:
        transaction.emit(proposal)
        return None
    roll = declare_roll(transaction, actor, declaration, authors)
    transaction.emit(ProposalAccepted(request=name, name=actor, roll_of=roll))
    return roll


def _check_answer(table: Table, request: Request, command: DeclareRoll) -> None:
    """Refuse an answer that is another check, or says more than a request leaves to the player."""
    if (check := table.rules.check(command.check).name) != request.check:
        raise Refused(Message("request.other_check", request=request.id, check=request.check, given=check))
    allowed = DeclareRoll(
        check=command.check,
        parameters=command.parameters,
        character_ids=command.character_ids[:1],
        throw=command.throw,
        finish=command.finish,
        request=command.request,
    )
    if command != allowed:
        raise Refused(Message("request.fields_of_answer"))


def _can_declare(transaction: Transaction, declaration: Declaration, authors: Texts) -> bool:
    """Return whether a check is complete and possible; if not, the GM may change what counts."""
    table, known, actor = transaction.table, transaction.known, transaction.actor
    try:
        bound, _ = draft_declaration(table, known, actor, actor, declaration, authors)
    except HandfulError:
        return False
    return not why_impossible(bound)
