"""Declaring a roll, and what may come with it: the answer to a request, the throw, the finish.

One click is one command.  Each part of it takes place if it is legal for the seat when its turn comes, as
if it had been a command of its own; if not, the parts before it stand.
"""

from __future__ import annotations

from handful.errors import HandfulError, Refused
from handful.roll import why_impossible
from handful.rules.params import ADD_SUFFIX
from handful.rules.ruleset import Ruleset
from handful.table.commands import Declaration, DeclareRoll
from handful.table.drafts import draft_declaration
from handful.table.events import CheckProposed, ProposalAccepted
from handful.table.events.values import Texts
from handful.table.legality import check_action, is_legal
from handful.table.requests import read_proposal, requested_declaration
from handful.table.rolls import declare_roll, finalise_roll, throw_dice
from handful.table.state import Request, Table
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, GM, PRESENCE, combine_modes


def declare(transaction: Transaction, command: DeclareRoll) -> None:
    """Declare a roll, and throw and finalise it if that was asked for and is possible."""
    if command.request is None:
        roll: str | None = _declare(transaction, command)
    else:
        roll = _answer_request(transaction, command, command.request)
    if roll is None:
        return
    if command.throw is not None and _may(transaction, "throw", roll):
        throw_dice(transaction, roll, command.throw.faces, command.throw.entropy)
    if command.finish and _may(transaction, "finalise", roll):
        finalise_roll(transaction, roll)


def _declare(transaction: Transaction, command: DeclareRoll) -> str:
    roller = transaction.actor if command.for_seat is None else command.for_seat
    if roller != transaction.actor and transaction.role != GM:
        raise Refused("only the GM declares a roll for somebody else")
    return declare_roll(transaction, roller, command)


def _may(transaction: Transaction, kind: str, roll: str) -> bool:
    return is_legal(transaction.known_now, transaction.viewer, kind, "roll", roll)


# -- answers to requests


def _answer_request(transaction: Transaction, command: DeclareRoll, name: str) -> str | None:
    """Declare the requested roll if the GM left nothing open, else propose it; return the roll's id."""
    check_action(transaction.known, transaction.viewer, "propose", "request", name)
    request, actor = transaction.known.requests[name], transaction.actor
    _check_answer(transaction.table, request, command)
    proposal = read_proposal(transaction, name, command.parameters, command.first_character or None)
    declaration = requested_declaration(request, actor, request.parameters, proposal.character_id)
    authors = dict.fromkeys(request.parameters, name.partition("/")[0])  # the GM who asked
    if _is_open(transaction.known, request, proposal, declaration) or not _can_declare(
        transaction, declaration, authors
    ):
        transaction.emit(proposal)
        return None
    roll = declare_roll(transaction, actor, declaration, authors)
    transaction.emit(ProposalAccepted(request=name, name=actor, roll_of=roll))
    return roll


def _check_answer(table: Table, request: Request, command: DeclareRoll) -> None:
    """Refuse an answer that is another check, or says more than a request leaves to the player."""
    if (check := table.rules.check(command.check).name) != request.check:
        raise Refused(f"{request.id} asks for {request.check}, not for {check}")
    allowed = DeclareRoll(
        check=command.check,
        parameters=command.parameters,
        character_ids=command.character_ids[:1],
        throw=command.throw,
        finish=command.finish,
        request=command.request,
    )
    if command != allowed:
        raise Refused("with 'request', declare takes check, parameters, as, throw and finish")


def _is_open(known: Table, request: Request, proposal: CheckProposed, declaration: Declaration) -> bool:
    """Return whether the GM still has to decide about an answer to a request.

    The GM rules on calls, on parameters and characters other than those of the request, on the skill if the
    request names none, and on the cost of an action in a fight; and accepts what not everyone may see.
    A roll with hidden parameters is never declared by itself, because a player would learn from it whether
    they fit the rest.
    """
    mode, character = combine_modes(known.mode, request.mode), declaration.first_character
    return (
        request.called
        or bool(request.hidden)
        or not {*proposal.parameters} <= {*request.parameters}
        or not _names_skill(known.rules, request)
        or request.character_id not in ("", character)
        or (known.fight is not None and character in known.fight.rounds)
        or min(mode.others, mode.roller) < PRESENCE
        or mode.gm < ALL
    )


def _names_skill(rules: Ruleset, request: Request) -> bool:
    """Return whether a request says what to roll with, if that can be picked from a sheet."""
    picks = {*rules.sheet.picks} & {*rules.check(request.check).params} if rules.sheet else set()
    return not picks or any(name.removesuffix(ADD_SUFFIX) in picks for name in request.parameters)


def _can_declare(transaction: Transaction, declaration: Declaration, authors: Texts) -> bool:
    """Return whether a check is complete and possible; if not, the GM may change what counts."""
    table, known, actor = transaction.table, transaction.known, transaction.actor
    try:
        bound, _ = draft_declaration(table, known, actor, actor, declaration, authors)
    except HandfulError:
        return False
    return not why_impossible(bound)
