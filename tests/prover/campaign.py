"""A run of the prover: games by seed, each solved by every method, with counts and differences.

Any difference is a bug.  It is shrunk to a small ruleset and saved in `tests/prover/found`, where
`tests/properties/test_generated_games.py` asks it again from then on.
"""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from handful.errors import HandfulError
from handful.rules.load import BadRuleset
from prover import circumstances, comparisons, processes
from prover.coverage import Coverage
from prover.games import Game, Question
from prover.interview import Difference, Interview
from prover.oracle import SequentialTests
from prover.shapes import write
from prover.shrinking import shrunk

FOUND = Path(__file__).parent / "found"
TOGETHER = 60  # games that are asked in one new process
TRACED = 40  # of so many games one is traced, when somebody wants to know the coverage
WAYS: tuple[Callable[[Interview], None], ...] = (
    comparisons.enumeration,
    circumstances.warm,
    circumstances.interpreted,
    circumstances.checked_twice,
    circumstances.threads,
    circumstances.small_budget,
    circumstances.table,
    circumstances.sheet,
    comparisons.play,
    comparisons.icepool,
    comparisons.middle,
    comparisons.best,
    comparisons.simulation,
    comparisons.same_seed,
)


@dataclass
class Campaign:
    """Counts of a run, and the differences it has found."""

    games: Counter[str] = field(default_factory=Counter)  # by shape
    questions: Counter[str] = field(default_factory=Counter)  # by shape
    ways: Counter[str] = field(default_factory=Counter)
    tests: SequentialTests = field(default_factory=SequentialTests)
    found: list[tuple[int, Difference]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)  # processor time and seed
    coverage: Coverage = field(default_factory=Coverage)
    _waiting: list[processes.Asked] = field(default_factory=list)

    def run(self, seeds: Iterable[int], *, keep: bool = False) -> None:
        """Ask the game of each seed; what differs is kept as a file if wanted."""
        for seed in seeds:
            began = time.process_time()
            game = write(seed)
            before = self.ways.total()
            try:
                with self.coverage.of(seed):
                    self._ask(game, seed)
            except BadRuleset:
                self.ways["does not load"] += 1
            except Exception as error:
                difference = error if isinstance(error, Difference) else _crash(error)
                self.found.append((seed, difference))
                if keep:
                    save_found(game, seed, difference)
            self.games[game.shape] += 1
            self.questions[game.shape] += self.ways.total() - before
            self.slowest = max(self.slowest, (time.process_time() - began, seed))
            if self.games.total() % TOGETHER == 0:
                self._elsewhere(seed % 2**32)
        self._elsewhere(1)

    def add(self, other: Campaign) -> None:
        """Take in what another run has counted and found."""
        self.games += other.games
        self.questions += other.questions
        self.ways += other.ways
        self.tests.tests += other.tests.tests
        self.found += other.found
        self.slowest = max(self.slowest, other.slowest)
        self.coverage.add(other.coverage)

    def _ask(self, game: Game, seed: int) -> None:
        talk = interview(game, seed, ways=self.ways, tests=self.tests)
        self.coverage.note(game)
        self._waiting += processes.of(talk)

    def _elsewhere(self, hash_seed: int) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            processes.ask_elsewhere(waiting, hash_seed)
            self.ways["process"] += len(waiting)
        except Difference as difference:
            self.found.append((hash_seed, difference))

    def summary(self) -> str:
        """Return the numbers of questions by shape and method, and the differences found."""
        shapes = sorted(self.questions.items(), key=lambda one: -one[1])
        lines = [f"{self.games.total():,} games, {self.ways.total():,} questions; by shape:"]
        lines += [f"  {name:20} {self.games[name]:7,} games {n:10,} questions" for name, n in shapes]
        lines += ["by way:", *(f"  {name:24} {n:10,}" for name, n in self.ways.most_common())]
        lines += [f"{self.tests.tests:,} sequential tests", *self.coverage.lines()]
        seconds, seed = self.slowest
        lines.append(f"slowest: seed {seed}, {seconds:.1f} s of processor time")
        lines += [f"seed {seed}: {difference}" for seed, difference in self.found]
        lines.append(f"{len(self.found)} differences")
        return "\n".join(lines)


def _crash(error: Exception) -> Difference:
    """An error that is none of Handful's own, as a difference."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    return Difference("crash", Question({}), "", text)


def asked_lot(seeds: Iterable[int], end: float, number: int) -> Campaign:
    """A part of a run that ends in time; what differs is kept as files."""
    campaign = Campaign(coverage=Coverage(each=TRACED), tests=SequentialTests.of_part(number))
    campaign.run((seed for seed in seeds if time.monotonic() < end), keep=True)
    return campaign


def interview(
    game: Game,
    seed: int,
    *,
    ways: Counter[str] | None = None,
    tests: SequentialTests | None = None,
) -> Interview:
    """Ask a game in every way, with chance from its seed."""
    talk = Interview(game, Random(seed), ways=ways, tests=tests)
    for way in WAYS:
        way(talk)
    return talk


def save_found(game: Game, seed: int, difference: Difference) -> Path:
    """Shrink a game that shows a bug, and keep it."""

    def fails(smaller: Game) -> bool:
        try:
            interview(smaller, seed)
        except HandfulError:
            return False
        except Exception as error:
            found = error if isinstance(error, Difference) else _crash(error)
            return found.way == difference.way
        return False

    small = shrunk(game, fails)
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{game.shape}-{hashlib.sha256(small.toml.encode()).hexdigest()[:8]}.json"
    data = {
        "way": difference.way,
        "found": difference.found,
        "seed": seed,
        "shape": game.shape,
        "toml": small.toml.split("\n"),
        "endless": game.endless,
        "sides": game.sides,
        "params": {name: list(one.values) for name, one in game.params.items()},
        "side_params": {name: list(one.values) for name, one in game.side_params.items()},
        "options": {name: list(values) for name, values in game.options.items()},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return path


def read_found(path: Path) -> tuple[Game, int]:
    """A game that was kept, and its seed."""
    from prover.parameters import Parameter

    data = json.loads(path.read_text(encoding="utf-8"))
    toml = "\n".join(data["toml"])

    def known(values: dict[str, list[str]], head: str) -> dict[str, Parameter]:
        named = {name: Parameter(name, "", tuple(one)) for name, one in values.items()}
        return {name: one for name, one in named.items() if f"{head}.{name}]" in toml}

    game = Game(
        data["shape"],
        toml,
        known(data["params"], "[checks.c.params"),
        {n: tuple(v) for n, v in data["options"].items() if f"[options.{n}]" in toml},
        known(data["side_params"], "[checks.c.params"),
        tuple(data["sides"]) if data["sides"] else None,
        data["endless"],
    )
    return game, data["seed"]
