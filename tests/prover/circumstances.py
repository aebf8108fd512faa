"""Questions repeated under other conditions (caches, order, process) must get the cold answer."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from handful.explore.inverse import solve
from handful.explore.sweep import sweep
from handful.library import Ruleset as Library
from handful.odds import Odds, odds, self_check, solve_odds
from handful.rules.load import Source, load
from handful.rules.ruleset import Ruleset
from handful.solver.solver import SolvedRules, Solver
from prover.games import Question
from prover.interview import WORK, Answer, Interview, answered, asked, bound, loaded

TABLED = ("number", "difficulty", "choice", "given")  # parameters that can vary in a table
MOST_CELLS = 5


def warm(talk: Interview) -> None:
    """In one process, in any order, with house rules mixed."""
    solved = loaded(talk.game)
    order = [*range(len(talk.pairs))] * 3
    talk.rng.shuffle(order)
    for at in order:
        talk.equal("warm", at, asked(solved, *talk.pairs[at]))


def interpreted(talk: Interview) -> None:
    """By the plain interpreter, which remembers and compiles nothing."""
    solved = loaded(talk.game)

    def ask(question: Question, policy: str) -> Odds:
        check = bound(solved, question)
        solver = Solver(SolvedRules(check.ruleset), check.options, policy, WORK)
        return solve_odds(solver, check, None, policy)

    for at, (question, policy) in enumerate(talk.pairs):
        found = answered(lambda question=question, policy=policy: ask(question, policy))
        talk.equal("interpreted", at, found)


def checked_twice(talk: Interview) -> None:
    """With every compiled or remembered answer computed again, as by HANDFUL_CHECK=1."""
    solved = loaded(talk.game)
    before = self_check.enable(True)
    try:
        for at in [*range(len(talk.pairs))] * 2:
            talk.equal("checked_twice", at, asked(solved, *talk.pairs[at]))
    except self_check.Disagreement as error:
        talk.differ("checked_twice", at, str(error))
    finally:
        self_check.enable(before)


def threads(talk: Interview) -> None:
    """On two threads that share a ruleset."""
    solved = loaded(talk.game)
    order = [*range(len(talk.pairs))] * 2
    with ThreadPoolExecutor(2) as pool:
        found = [*pool.map(lambda at: asked(solved, *talk.pairs[at]), order)]
    for at, answer in zip(order, found, strict=True):
        talk.equal("threads", at, answer)


def small_budget(talk: Interview) -> None:
    """With a small budget: the same refusal, independent of earlier questions."""
    at, budget = talk.some(), int(10 ** talk.rng.uniform(1.5, 4.5))
    question, policy = talk.pairs[at]

    def ask() -> Answer:
        return answered(lambda: odds(bound(solved, question), policy=policy, budget=budget, solved=solved))

    solved = loaded(talk.game)
    first = ask()
    for other in (talk.some(), talk.some(), at, at):
        asked(solved, *talk.pairs[other])
        talk.ways["small_budget"] += 1
        if (found := ask()) != first:
            talk.differ(f"budget {budget}", at, f"{found!r:.300}, but cold {first!r:.300}")


def table(talk: Interview) -> None:
    """As cells of a table, and as the value that gives a chance."""
    at = talk.some()
    question, policy = talk.pairs[at]
    names = [name for name in question.params if name.startswith(TABLED)]
    if not names:
        return
    name = talk.rng.choice(names)
    values = [value for value in talk.game.params[name].values if value][:MOST_CELLS]
    cells = [asked(loaded(talk.game), _with(question, name, value), policy) for value in values]
    exact = [one for one in cells if not isinstance(one, str)]
    shows = "success" if exact and exact[0].success is not None else "mean"
    figures = [getattr(one, shows) for one in exact]
    if len(exact) < max(len(values), 2) or None in figures:
        return
    solved = loaded(talk.game)
    if talk.rng.random() < 0.5:
        asked(solved, question, policy)
    typed = {**question.params, name: "|".join(values)}
    how = {"options": question.options, "shows": shows, "policy": policy, "solved": solved}
    found = sweep(solved.ruleset, "c", question.sides, typed, **how)  # type: ignore[arg-type]
    talk.ways["table"] += len(figures)
    if [*found.cells.values()] != figures:
        talk.differ("table", at, f"{name}={values}: {found.cells}, but cold {figures}")
    _inverse(talk, at, solved.ruleset, name, figures, {**how, "within": typed[name]})


def _with(question: Question, name: str, value: str) -> Question:
    return Question({**question.params, name: value}, question.sides, question.options)


def _inverse(talk: Interview, at: int, rules: Ruleset, name: str, figures: Sequence[Any], how: Any) -> None:
    question, _ = talk.pairs[at]
    chance = talk.rng.choice(figures)
    params = {key: value for key, value in question.params.items() if key != name}
    found = solve(rules, "c", name, chance, question.sides, params, **how)
    ordered = figures if figures[-1] >= figures[0] else figures[::-1]
    talk.ways["inverse"] += 1
    if found.figure != next(figure for figure in ordered if figure >= chance):
        talk.differ("inverse", at, f"{name} for {chance}: {found.figure} of {figures}")


def sheet(talk: Interview) -> None:
    """By a character: an attribute in place of a number, a trait for a number left out."""
    at = talk.some()
    question, policy = talk.pairs[at]
    numbers = {name: value for name, value in question.params.items() if name.startswith("number")}
    picked = next((name for name, value in numbers.items() if 0 <= int(value) <= 9), None)
    left_out = {name for name in talk.game.params if name.startswith("number")} - {*numbers}
    given = min(left_out, default=None)
    if talk.game.sides or picked is None:
        return
    text = _with_sheet(talk.game.toml, picked, given)
    game = Library(SolvedRules(load([Source("generated.toml", text)])))
    character = {
        "format": 1,
        "ruleset": "generated",
        "name": "Jo",
        "attributes": {"wit": int(numbers[picked])},
        "traits": ["lucky"] if given else [],
    }
    typed = {**question.params, picked: "wit"}

    def ask() -> Odds:
        check = game.bind("c", character=character, options=question.options, **typed)
        return odds(check, policy=policy, budget=WORK)

    plain = {**question.params, **({given: "1"} if given else {})}
    expected = asked(loaded(talk.game), Question(plain, (), question.options), policy)
    talk.ways["sheet"] += 1
    if (found := answered(ask)) != expected:
        talk.differ("sheet", at, f"{found!r:.400}, but without a sheet {expected!r:.400}")


def _with_sheet(toml: str, picked: str, given: str | None) -> str:
    trait = f"[sheet.traits.lucky]\ntitle = {{ en = 'Lucky' }}\ngives = [{{ {given} = 1 }}]\n"
    return (
        f"{toml}\n[sheet.attribute]\nmin = 0\nmax = 9\n[sheet.attributes]\n"
        "wit = { title = { en = 'Wit' } }\n"
        f"[sheet.picks.{picked}]\nattributes = {{ {picked} = 'value' }}\n{trait if given else ''}"
    )
