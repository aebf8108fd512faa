"""Answers against other computations: enumeration, play, icepool, and rolls that are counted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from handful.errors import HandfulError, TooBig
from handful.odds import Odds, answers, odds
from handful.odds.figures import objective
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, Throw, resume, start
from handful.simulate import simulate, simulate_dice
from oracles.brute import OracleError, TooManyWays
from oracles.enumeration import TooManyWays as TooLong
from oracles.enumeration import differences, enumerated
from prover.interview import WORK, Interview, answered, asked, bound, loaded
from prover.oracle import CUT, by_icepool, counted_results, evidence

FEW_ROLLS, MANY_ROLLS = 1500, 60_000
DOUBTFUL = 5.0  # evidence from which on more rolls are counted
MOST_PLAYED = 1500  # ways


def enumeration(talk: Interview) -> None:
    """Every face of every die, by an interpreter that shares no code with the product."""
    for at, (question, policy) in enumerate(talk.pairs):
        made = talk.cold[at]
        try:
            played = talk.oracle.played(question, policy)
        except TooManyWays:
            continue
        except OracleError:  # a rule that cannot be played has no odds to compare
            talk.ways["refused by the oracle"] += 1
            continue
        talk.ways["enumeration"] += 1
        if isinstance(made, str):
            if not made.startswith("TooBig"):
                talk.differ("enumeration", at, f"refused: {made}")
        elif found := differences(made, played):
            talk.differ("enumeration", at, "; ".join(found))


def play(talk: Interview) -> None:
    """Every face of every die, by the machine that plays at the table."""
    at = talk.some()
    question, policy = talk.pairs[at]
    made = talk.cold[at]
    try:
        check = bound(loaded(talk.game), question)
        cut = CUT if talk.game.endless else Fraction(0)
        played = enumerated(check, policy=policy, most=MOST_PLAYED, cut=cut)
    except (TooLong, HandfulError):
        return
    talk.ways["play"] += 1
    if not isinstance(made, str) and (found := differences(made, played)):
        talk.differ("play", at, "; ".join(found))


def icepool(talk: Interview) -> None:
    """A plain throw by a library of other people, where the game is one."""
    if talk.game.counterpart is None:
        return
    kind, sides, *names = talk.game.counterpart
    for at, (question, _) in enumerate(talk.pairs):
        made = talk.cold[at]
        theirs = by_icepool(kind, sides, *(int(question.params[name]) for name in names))
        talk.ways["icepool"] += 1
        if isinstance(made, str) or dict(made.distribution) != theirs:
            talk.differ("icepool", at, f"{made}, but {theirs}")


# -- in the middle of a roll


def middle(talk: Interview) -> None:
    """From pauses on the way, for every answer there; several times where there are decisions."""
    for _ in range(4 if "[decisions." in talk.game.toml else 1):
        _walk(talk, talk.some())


def _walk(talk: Interview, at: int) -> None:
    try:
        check = bound(loaded(talk.game), talk.pairs[at][0])
        node = start(check)
        replies: tuple[Any, ...] = ()
        for _ in range(talk.rng.randint(1, 4)):
            if node.ask is None:
                return
            replies = (*replies, _reply(talk, node))
            node = resume(check, node, replies[-1])
            _paused(talk, at, check, node, replies)
    except HandfulError:
        return  # a rule that cannot be played this way


def _reply(talk: Interview, node: Node) -> Any:
    match node.ask:
        case Throw(count=count, sides=sides):
            return tuple(talk.rng.randint(1, sides) for _ in range(count))
        case _:
            return talk.rng.choice([reply for _, reply, _ in answers(node)])


def _paused(talk: Interview, at: int, check: BoundCheck, node: Node, replies: tuple[Any, ...]) -> None:
    question, policy = talk.pairs[at]
    made, again = (answered(lambda: odds(check, node, policy=policy, budget=WORK)) for _ in range(2))
    if made != again:
        talk.differ("middle", at, f"after {replies}: {made!r:.300}, then {again!r:.300}")
    try:
        played = talk.oracle.played(question, policy, replies)
    except (OracleError, TooManyWays):
        return
    talk.ways["middle"] += 1
    if isinstance(made, str):
        if not made.startswith("TooBig"):
            talk.differ("middle", at, f"after {replies}: {made}")
        return
    if found := differences(made, played):
        talk.differ("middle", at, f"after {replies}: {'; '.join(found)}")
    if policy == "usual" and isinstance(node.ask, (ChooseDice, PickOption)):
        _decision(talk, at, made, node, replies)


def _decision(talk: Interview, at: int, made: Odds, node: Node, replies: tuple[Any, ...]) -> None:
    """Compare the value of each answer."""
    assert made.answers is not None
    for name, reply, _ in answers(node):
        try:
            played = talk.oracle.played(talk.pairs[at][0], "usual", (*replies, reply))
        except (OracleError, TooManyWays):
            return
        talk.ways["answers"] += 1
        worth = made.answers[name]
        if not played.left and worth != played.success:
            talk.differ("answers", at, f"{replies}, {name}: {worth}, played {played.success}")


def best(talk: Interview) -> None:
    """By the best policy, against expectimax."""
    if talk.game.endless:
        return
    at = talk.some()
    question, _ = talk.pairs[at]
    solved = loaded(talk.game)
    try:
        worth = talk.oracle.best(question)
        check = bound(solved, question)
        made, again = (odds(check, policy="best", budget=WORK, solved=solved) for _ in range(2))
    except (OracleError, TooManyWays, TooBig):
        return
    talk.ways["best"] += 1
    if made != again or objective(made, 0) != worth:
        talk.differ("best", at, f"{objective(made, 0)}, then {objective(again, 0)}; the oracle gets {worth}")


# -- by chance


def simulation(talk: Interview) -> None:
    """Rolls that never meet the solver, counted and held against the odds."""
    at = talk.some()
    made = talk.cold[at]
    if isinstance(made, str):
        return
    question, policy = talk.pairs[at]
    check, seed = bound(loaded(talk.game), question), talk.rng.randrange(10**6)
    for count in (FEW_ROLLS, MANY_ROLLS):
        found = simulate_dice(check, count=count, seed=seed, policy=policy, independent=True)
        doubts = _doubts(made, found.kinds, count)
        if max(doubts) < DOUBTFUL:
            break
    for doubt in doubts:
        talk.ways["simulation"] += 1
        if talk.tests.refutes(doubt):
            talk.differ("simulation", at, f"seed {seed}: {found.kinds}, but {made!r:.600}")


def _doubts(made: Odds, kinds: Any, count: int) -> list[float]:
    """The evidence against each figure."""
    results: Counter[Any] = Counter()
    for kind, n in kinds.items():
        results[kind.result] += n
    doubts = [evidence(*counted_results(made, results))]
    facts = {
        name: (chance, lambda kind, name=name: name in kind.events) for name, chance in made.events.items()
    }
    if isinstance(made.success, Fraction):
        facts["success"] = (made.success, lambda kind: kind.success)
    for chance, happened in facts.values():
        seen = sum(n for kind, n in kinds.items() if happened(kind))
        counts = {True: seen, False: count - seen}
        doubts.append(evidence(counts, {True: chance, False: 1 - chance}))
    return doubts


def same_seed(talk: Interview) -> None:
    """Compare simulations of one seed before and after other questions."""
    at, budget = talk.some(), talk.rng.choice((WORK, 300))
    question, policy = talk.pairs[at]
    solved = loaded(talk.game)

    def ask() -> Any:
        check = bound(solved, question)
        made = simulate(check, count=50, seed=7, policy=policy, budget=budget, solved=solved)
        return made.method, made.kinds

    try:
        first = ask()
    except HandfulError:
        return
    for other in (at, talk.some(), at):
        asked(solved, *talk.pairs[other])
    talk.ways["same_seed"] += 1
    if (again := ask()) != first:
        talk.differ("same_seed", at, f"{first}, then {again}")
