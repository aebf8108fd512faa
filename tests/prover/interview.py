"""One game, its questions and their cold answers: what every other way is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from handful.errors import HandfulError
from handful.odds import Odds, odds
from handful.roll import BoundCheck, bind
from handful.rules.load import Source, load
from handful.solver.solver import BUDGET, SolvedRules
from prover.games import Game, Question
from prover.oracle import Oracle, SequentialTests

WORK = BUDGET // 20  # for a question; what takes longer is refused in every way alike
LONE = 1000  # the number of an interview that is no part of a run
Answer = Odds | str  # what was answered, or in which words it was refused


@dataclass
class Difference(Exception):
    """Two ways to one answer disagree: a bug."""

    way: str
    question: Question
    policy: str
    found: str

    def __str__(self) -> str:
        return f"{self.way}, {self.policy}: {self.question}: {self.found}"


def answered(ask: Callable[[], Odds]) -> Answer:
    """Return the answer to a question, or the text of its refusal."""
    try:
        return ask()
    except HandfulError as error:
        return f"{type(error).__name__}: {error}"


def loaded(game: Game) -> SolvedRules:
    """The game as a new process would have it: nothing solved, nothing compiled."""
    return SolvedRules(load([Source("generated.toml", game.toml)]))


def bound(solved: SolvedRules, question: Question) -> BoundCheck:
    return bind(solved.ruleset, "c", question.sides, question.params, question.options)


def asked(solved: SolvedRules, question: Question, policy: str) -> Answer:
    return answered(lambda: odds(bound(solved, question), policy=policy, budget=WORK, solved=solved))


class Interview:
    """Asks one game; `ways` counts the questions by the way in which they were asked."""

    def __init__(
        self,
        game: Game,
        rng: Random,
        *,
        ways: Counter[str] | None = None,
        tests: SequentialTests | None = None,
        questions: int = 3,
    ) -> None:
        self.game, self.rng = game, rng
        self.ways: Counter[str] = Counter() if ways is None else ways
        self.tests = tests or SequentialTests.of_part(LONE)
        self.oracle = Oracle(game)
        drawn = [game.question(rng) for _ in range(questions)]
        self.pairs = [(one, policy) for one in drawn for policy in ("usual", "never")]
        self.cold = [asked(loaded(game), *pair) for pair in self.pairs]

    def some(self) -> int:
        """The place of one of the questions."""
        return self.rng.randrange(len(self.pairs))

    def equal(self, way: str, at: int, found: Answer) -> None:
        """Count an answer, which must be the cold one."""
        self.ways[way] += 1
        if found != self.cold[at]:
            self.differ(way, at, f"{found!r:.600}, but cold {self.cold[at]!r:.600}")

    def differ(self, way: str, at: int, found: str) -> None:
        raise Difference(way, *self.pairs[at], found)
