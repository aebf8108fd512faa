"""Generator of random rule programs, small enough to be played with every face of every die.

A `Writer` writes one text line by line and knows which names hold numbers, fractions, truths and
pools. It counts the ways in which the dice of the text can fall at most, and throws no more when
they would be too many. Rules that a text calls are written when they are first called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from rule_expressions import Expressions

MOST_WAYS = 3000


@dataclass
class Shape:
    """A generated rule: its parameters, its fields and the number of ways its dice can fall."""

    name: str
    params: tuple[str, ...]
    text: str
    ways: int
    gives_pool: bool


class Writer(Expressions):
    """Generator of one rule text; `rules` are shared by all texts of a game."""

    def __init__(self, rng: Random, rules: dict[str, Shape], *, endless: bool, depth: int) -> None:
        super().__init__(rng)
        self.rules, self.endless, self.depth = rules, endless, depth
        self.lines: list[str] = []
        self.margin = ""
        self.ways = 1
        self.times = 1  # how often this place is passed at most
        self.fresh = 0
        self.most_ways = MOST_WAYS if depth == 2 else 40

    # -- the text

    def check(self) -> str:
        self.throw()
        for _ in range(self.rng.randint(1, 5)):
            self.statement()
        self.result("total", "success")
        return "\n".join(self.lines)

    def rule(self) -> str:
        self.names.numbers.append("a")
        if "p" in self.params():
            self.names.pools["p"] = 2
        for _ in range(self.rng.randint(1, 3)):
            self.statement()
        self.result("x", "y")
        return "\n".join(self.lines)

    def params(self) -> tuple[str, ...]:
        return self._params

    _params: tuple[str, ...] = ()
    gives_pool = False

    def say(self, line: str) -> None:
        self.lines.append(self.margin + line)

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    @contextmanager
    def inside(self, head: str, times: int = 1) -> Iterator[None]:
        """Write a block; names assigned in it are dropped after it."""
        self.say(head)
        before = self.margin, self.names.copy(), self.times
        self.margin += "    "
        self.times *= times
        yield
        self.margin, kept, self.times = before
        for pool, size in self.names.pools.items():
            if pool in kept.pools:
                kept.pools[pool] = max(kept.pools[pool], size)
        self.names = kept

    # -- statements

    def statement(self) -> None:
        kinds = [
            self.throw,
            self.throw,
            self.let_number,
            self.let_number,
            self.let_truth,
            self.let_pool,
            self.redo,
            self.pick,
            self.ruling,
            self.branch,
            self.branch,
            self.for_loop,
            self.while_loop,
            self.event,
            self.let_fraction,
        ]
        if self.depth:
            kinds += [self.call, self.call]
        if self.endless:
            kinds += [self.endless_throw, self.endless_loop]
        if len(self.margin) > 8:
            kinds = [self.let_number, self.throw, self.event]
        self.rng.choice(kinds)()

    def affordable(self, ways: int) -> bool:
        """Return whether the budget allows so many more outcomes, and charge them to it."""
        if self.ways * ways**self.times > self.most_ways:
            return False
        self.ways *= ways**self.times
        return True

    def throw(self) -> None:
        die, faces = self.die()
        count, size = self.count()
        if self.rng.random() < 0.15 and self.names.pools:
            pool, size = self.pool()
            count = pool
        if not self.affordable(faces**size):
            self.let_number()
            return
        name = self.name()
        if self.names.pools and self.rng.random() < 0.3:
            number = self.rng.choice(("sum", "size"))
            self.say(f"{name} = {number}(roll({count}, {die})) + {self.number(1)}")
            self.names.numbers.append(name)
        else:
            self.say(f"{name} = roll({count}, {die})")
            self.names.pools[name] = size

    def let_number(self) -> None:
        value = self.number(3)
        numbers = [name for name in self.names.numbers if name[0] == "v" and "." not in name]
        if numbers and self.rng.random() < 0.5:
            name = self.rng.choice(numbers)
            self.say(f"{name} {self.rng.choice(('=', '+=', '-='))} {value}")
        else:
            name = self.name()
            self.say(f"{name} = {value}")
            self.names.numbers.append(name)

    def let_fraction(self) -> None:
        name = self.name()
        self.say(f"{name} = {self.number(2)} / {self.rng.choice((2, 3, -2))}")
        self.names.fractions.append(name)

    def let_truth(self) -> None:
        name = self.name()
        self.say(f"{name} = {self.truth(2)}")
        self.names.truths.append(name)

    def let_pool(self) -> None:
        if not self.names.pools:
            return self.throw()
        value, size = self.pool()
        pools = [name for name in self.names.pools if name[0] == "v" and "." not in name]
        name = self.rng.choice(pools) if pools and self.rng.random() < 0.3 else self.name()
        self.say(f"{name} = {value}")
        self.names.pools[name] = size

    def redo(self) -> None:
        """Write a rerolling of dice of a pool."""
        if not self.names.pools:
            return self.throw()
        pool, size = self.variable()
        part = self.part(pool)
        die, faces = self.die()
        if not self.affordable(faces**size):
            return self.let_pool()
        keep = self.rng.choice(("", ', keep = "new"', ', keep = "worse"', ', keep = "better"'))
        name = self.name()
        if self.rng.random() < 0.5:
            self.say(f"{name} = reroll({part}, {die}{keep})")
        else:
            self.say(f"{name} = {pool} - {part} + reroll({part}, {die}{keep})")
        self.names.pools[name] = size

    def pick(self) -> None:
        """Write a decision that picks dice to reroll."""
        if not self.names.pools:
            return self.throw()
        pool, size = self.variable()
        eligible = self.rng.choice((pool, f"({pool} {self.comparison()} {self.small()})"))
        most = self.rng.choice(("1", "2", self.number(1)))
        part = self.rng.choice((eligible, f"({eligible} {self.comparison()} {self.small()})"))
        which = self.rng.choice(("lowest", "lowest", "highest"))
        usual = self.rng.choice(("", f", usual = {which}({part}, {most})"))
        die, faces = self.die()
        if not self.affordable(faces**size):
            return self.let_pool()
        chosen, name = self.name(), self.name()
        self.say(f'{chosen} = choose("pick", {eligible}, {most}{usual})')
        self.say(f"{name} = {pool} - {chosen} + reroll({chosen}, {die})")
        self.names.pools |= {name: size, chosen: size}

    def ruling(self) -> None:
        name = self.name()
        usual = self.rng.choice(("", ', usual = "no"', f', usual = "no" if {self.truth(1)} else "yes"'))
        self.say(f'{name} = ask("ruling", ["yes", "no"]{usual})')
        with self.inside(f'if {name} == "yes":'):
            self.let_number()
            self.statement()

    def branch(self) -> None:
        with self.inside(f"if {self.truth(2)}:"):
            for _ in range(self.rng.randint(1, 2)):
                self.statement()
            if self.rng.random() < 0.15 and self.depth == 2:
                self.result("total", "success")
        if self.rng.random() < 0.3:
            with self.inside(f"elif {self.truth(1)}:"):
                self.statement()
                self.let_number()
        if self.rng.random() < 0.4:
            with self.inside("else:"):
                self.statement()
                self.let_number()

    def for_loop(self) -> None:
        times = self.rng.randint(1, 3)
        entry = self.name()
        if self.rng.random() < 0.5:
            over = f"range(clamp({self.number(1)}, 0, {times}))"
        else:
            over = f"[{', '.join(self.number(1) for _ in range(times))}]"
        total = self.tally()
        with self.inside(f"for {entry} in {over}:", times):
            self.names.numbers.append(entry)
            self.statement()
            self.say(f"{total} += {self.number(2)}")

    def while_loop(self) -> None:
        times = self.rng.randint(1, 3)
        turn, total = self.tally(), self.tally()
        self.names.numbers.remove(turn)
        test = f"{turn} < {times}" + (f" and {self.truth(1)}" if self.rng.random() < 0.5 else "")
        with self.inside(f"while {test}:", times):
            self.throw()
            self.say(f"{turn} += 1")
            self.say(f"{total} += {self.number(2)}")
        self.names.numbers.append(turn)

    def tally(self) -> str:
        name = self.name()
        self.say(f"{name} = 0")
        self.names.numbers.append(name)
        return name

    def event(self) -> None:
        with self.inside(f"if {self.truth(2)}:"):
            self.say(f'event("{self.rng.choice(("boom", "bang"))}")')

    def call(self) -> None:
        known = sorted(self.rules)
        if known and self.rng.random() < 0.5:
            shape = self.rules[self.rng.choice(known)]
        else:
            shape = write_rule(self.rng, self.rules, self.depth - 1)
        if not self.affordable(shape.ways):
            return self.let_number()
        args = [f"a = {self.number(1)}"]
        if "p" in shape.params:
            pool = f"highest({self.pool()[0]}, 2)" if self.names.pools else "lowest(roll(1, d2), 0)"
            if not self.names.pools and not self.affordable(2):
                return self.let_number()
            args.append(f"p = {pool}")
        name = self.name()
        self.say(f"{name} = {shape.name}({', '.join(args)})")
        self.names.numbers += [f"{name}.x", f"{name}.y"]
        if shape.gives_pool:
            self.names.pools[f"{name}.q"] = 4

    # -- without end

    def endless_throw(self) -> None:
        die, sides = self.rng.choice((("d3", 3), ("d4", 4), ("d6", 6), ("d4 >= 4", 1), ("d6 >= 5", 1)))
        name, word = self.name(), self.rng.choice(("more", "again"))
        if self.times > 1 or not self.affordable(9):
            return self.let_number()
        self.say(f"{name} = sum(roll({self.rng.randint(1, 2)}, {die}, {word} = {sides}))")
        self.names.numbers.append(name)

    def endless_loop(self) -> None:
        if self.margin or not self.affordable(9):
            return self.let_number()
        sides = self.rng.choice((2, 3, 4))
        total, last = self.tally(), self.tally()
        with self.inside(f"while {last} != {sides}:"):
            self.say(f"{last} = sum(roll(1, d{sides}))")
            self.names.numbers = [last, total]
            change = self.rng.choice(("1", last, f"2 * {last}", f"{last} // 2", f"{last} % 2"))
            if self.rng.random() < 0.3:
                with self.inside(f"if {last} == 1:"):
                    self.say(self.rng.choice((f"{total} = 0", f"{total} += 3", 'event("boom")')))
            self.say(f"{total} += {change}")

    # -- the end

    def result(self, main: str, second: str) -> None:
        value = self.amount(2)
        if second == "y":
            pool = f", q = {self.variable()[0]}" if self.gives_pool else ""
            self.say(f"result(x = {self.number(2)}, y = {self.number(1)}{pool})")
        else:
            truth = self.rng.choice((self.truth(2), self.truth(2), "None"))
            self.say(f"result({main} = {value}, {second} = {truth})")


def write_rule(rng: Random, rules: dict[str, Shape], depth: int) -> Shape:
    """Generate a rule and add it to the others."""
    writer = Writer(rng, rules, endless=False, depth=depth)
    params = ("a", "p") if rng.random() < 0.4 else ("a",)
    writer._params, writer.gives_pool = params, "p" in params and rng.random() < 0.5
    text = writer.rule()
    name = f"r{len(rules) + 1}"
    rules[name] = Shape(name, params, text, writer.ways, writer.gives_pool)
    return rules[name]


def write_game(
    rng: Random,
    *,
    endless: bool = False,
    numbers: Sequence[str] = (),
    most_ways: int = MOST_WAYS,
) -> tuple[str, dict[str, tuple[tuple[str, ...], str]]]:
    """Return the text of a check and the rules that it calls; `numbers` are names it may read."""
    rules: dict[str, Shape] = {}
    writer = Writer(rng, rules, endless=endless, depth=2)
    writer.names.numbers += numbers
    writer.most_ways = most_ways
    text = writer.check()
    called = text
    for shape in reversed([*rules.values()]):  # a rule calls only those that were written before
        if f"{shape.name}(" in called:
            called += shape.text
        else:
            del rules[shape.name]
    return text, {shape.name: (shape.params, shape.text) for shape in rules.values()}
