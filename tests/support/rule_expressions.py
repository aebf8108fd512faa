"""Random expressions of the rule language over the assigned names.

Everything here gives text; `Expressions.names` says what may stand in it at the place at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class Names:
    """Names that hold a value at some place of a text; pools with their largest size."""

    numbers: list[str] = field(default_factory=list)
    fractions: list[str] = field(default_factory=list)
    truths: list[str] = field(default_factory=list)
    pools: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Names:
        return Names([*self.numbers], [*self.fractions], [*self.truths], dict(self.pools))


class Expressions:
    """Generator of expressions: whole numbers, fractions, truths, dice and pools."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.names = rng, Names()

    def one_of(self, *choices: Callable[[], str]) -> str:
        return self.rng.choice(choices)()

    def count(self) -> tuple[str, int]:
        if self.names.numbers and self.rng.random() < 0.25:
            return f"clamp({self.number(1)}, 0, 2)", 2
        n = self.rng.choice((1, 1, 2, 2, 3))
        return str(n), n

    def die(self) -> tuple[str, int]:
        sides = self.rng.choice((2, 3, 4, 4, 6))
        kind = self.rng.random()
        if kind < 0.4:
            return f"d{sides}", sides
        if kind < 0.7:
            return f"d{sides} >= {self.rng.randint(2, sides)}", sides
        row = [self.rng.choice((-2, -1, 0, 0, 1, 1, 2, 3, 5)) for _ in range(sides)]
        return f"read(d{sides}, {row})", sides

    def small(self) -> str:
        return str(self.rng.randint(-1, 5))

    def comparison(self) -> str:
        return self.rng.choice(COMPARISONS)

    def number(self, depth: int) -> str:
        """Write a whole number."""
        names, rng = self.names, self.rng
        simple = [self.small]
        if names.numbers:
            simple += [lambda: rng.choice(names.numbers)] * 4
        if names.pools:
            simple += [lambda: f"{rng.choice(('sum', 'sum', 'size'))}({self.pool()[0]})"] * 3
        if names.fractions:
            simple.append(lambda: f"{rng.choice(('floor', 'ceil'))}({rng.choice(names.fractions)})")
        if depth <= 0 or rng.random() < 0.3:
            return rng.choice(simple)()

        def part() -> str:
            return self.number(depth - 1)

        return self.one_of(
            lambda: f"({part()} {rng.choice('+-')} {part()})",
            lambda: f"({part()} {rng.choice('+-')} {part()})",
            lambda: f"{part()} * {rng.choice((2, 3, -1, 0))}",
            lambda: f"{part()} * ({part()})",
            lambda: f"({part()}) // {rng.choice((2, 3, -2))}",
            lambda: f"({part()}) % {rng.choice((2, 3, -3))}",
            lambda: f"{rng.choice(('min', 'max'))}({part()}, {part()})",
            lambda: f"{rng.choice(('min', 'max', 'sum'))}([{part()}, {part()}, {part()}])",
            lambda: f"clamp({part()}, {rng.randint(-1, 1)}, {rng.randint(2, 6)})",
            lambda: f"abs({part()})",
            lambda: f"({part()} if {self.truth(depth - 1)} else {part()})",
            lambda: f"[{part()}, {part()}, {part()}][clamp({part()}, 0, 2)]",
        )

    def amount(self, depth: int) -> str:
        """Write a number, perhaps a fraction."""
        if self.names.fractions and self.rng.random() < 0.5:
            return self.rng.choice(self.names.fractions)
        return self.number(depth)

    def truth(self, depth: int) -> str:
        rng = self.rng
        if self.names.truths and rng.random() < 0.25:
            return rng.choice(self.names.truths)
        if depth > 0 and rng.random() < 0.25:
            word = rng.choice(("and", "or"))
            return f"({self.truth(depth - 1)} {word} {self.truth(depth - 1)})"
        if rng.random() < 0.1:
            return f"not {self.truth(depth - 1)}"
        if rng.random() < 0.05:
            return f"[{self.number(1)}, 1] == [{self.number(1)}, 1]"
        left = self.amount(depth)
        if not re.search("v|a\\b", left):  # no test of a rule may always come out the same
            left = rng.choice([*self.names.numbers, *(f"sum({p})" for p in self.names.pools)])
        return f"{left} {self.comparison()} {self.amount(depth)}"

    def variable(self) -> tuple[str, int]:
        name = self.rng.choice(sorted(self.names.pools))
        return name, self.names.pools[name]

    def part(self, pool: str) -> str:
        """Write a subset of the dice of a named pool."""
        return self.rng.choice(
            (
                pool,
                f"({pool} {self.comparison()} {self.small()})",
                f"lowest({pool}, {self.rng.randint(0, 2)})",
                f"highest({pool}, {self.rng.randint(0, 2)})",
                f"lowest(({pool} {self.comparison()} {self.small()}), 1)",
            )
        )

    def pool(self) -> tuple[str, int]:
        pool, size = self.variable()
        other, more = self.variable()
        kind = self.rng.random()
        if kind < 0.3:
            return pool, size
        if kind < 0.65:
            return self.part(pool), size
        if kind < 0.75 and other != pool and size + more <= 4:
            return f"({pool} + {other})", size + more
        if kind < 0.85:
            return f"({pool} - {self.part(pool)})", size
        which, k = self.rng.choice(("highest", "lowest")), f"clamp({self.number(0)}, 0, 3)"
        return f"{which}({pool}, {k})", size
