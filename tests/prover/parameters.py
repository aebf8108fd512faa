"""Parameters of generated checks: how they are declared, typed and read in a rule.

An `Inputs` object hands out expressions for whole numbers in a range.  Behind an expression
stands a literal, a parameter of any type, a field of the ladder, a row of a table or a house rule,
so every mechanic reads its numbers from everywhere an author would.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from random import Random

LADDER = ("easy", "hard", "legendary")
TEXTS = ("bold", "calm", "wild")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a check: its TOML, and values as people type them."""

    name: str
    declared: str
    values: tuple[str, ...]


@dataclass
class Inputs:
    """Everything that a check reads beside its dice; `prefix` keeps two sets of names apart."""

    rng: Random
    prefix: str = ""
    options_allowed: bool = True
    params: dict[str, Parameter] = field(default_factory=dict)
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)  # options and tables: their TOML
    rungs: dict[str, tuple[int, ...]] = field(default_factory=dict)  # fields of the ladder

    def amount(self, low: int, high: int) -> str:
        """An expression for a whole number from `low` to `high`."""
        kinds: list[tuple[int, Callable[[int, int], str]]] = [
            (4, self._literal),
            (5, self._number),
            (5, self._rung),
            (2, self._halves),
            (2, self._by_truth),
            (3, self._by_choice),
            (2, self._row),
            (3, self._from_list),
            (2, self._optional),
        ]
        if self.options_allowed:
            kinds.append((3, self._option))
        if 0 <= low and high <= 4:
            kinds.append((5, self._code))
        weights = [weight for weight, _ in kinds]
        return self.rng.choices([make for _, make in kinds], weights)[0](low, high)

    def flag(self) -> str:
        """An expression for a truth."""
        return self.rng.choice((self._truth, self._choice_is, self._option_is))()

    def only(self, words: Set[str]) -> None:
        """Forget what no rule reads: a ruleset that declares something in vain is refused."""
        for known in (self.params, self.options, self.declared, self.rungs):
            for name in [*known]:
                if name not in words:
                    del known[name]  # type: ignore[attr-defined]

    # -- kinds of numbers

    def _values(self, low: int, high: int, count: int) -> tuple[int, ...]:
        return tuple(self.rng.randint(low, high) for _ in range(count))

    def _literal(self, low: int, high: int) -> str:
        return str(self.rng.randint(low, high))

    def _number(self, low: int, high: int) -> str:
        left_out = low <= 0 <= high and self.rng.random() < 0.5
        return self.number(low, high, "\ndefault = 0" if left_out else "")

    def number(self, low: int, high: int, default: str = "") -> str:
        """A parameter that is a whole number; with a default it may be left out."""
        name = self._name("number")
        typed = tuple(str(value) for value in range(low, high + 1))
        declared = f"type = 'number'\nmin = {low}\nmax = {high}{default}"
        self._add(name, declared, ("", *typed) if default else typed)
        return name

    def _halves(self, low: int, high: int) -> str:
        name = self._name("halves")
        steps = range(2 * low, 2 * high + 1)
        typed = tuple(f"{step / 2:g}" for step in steps)
        self._add(name, f"type = 'halves'\nmin = {low}\nmax = {high}", typed)
        return f"{self.rng.choice(('floor', 'ceil'))}({name})"

    def _rung(self, low: int, high: int) -> str:
        return ".".join(self.rung(low, high))

    def rung(self, low: int, high: int) -> tuple[str, str]:
        """A ladder parameter, and the name of a field of it."""
        name, own = f"{self.prefix}difficulty", self._fresh(f"{self.prefix}rung", self.rungs)
        self.rungs[own] = self._values(low, high, len(LADDER))
        self._add(name, "type = 'ladder'", LADDER)
        return name, own

    def _code(self, low: int, high: int) -> str:
        return f"{self.code(low, high)}.{self.rng.choice(('dice', 'pips'))}"

    def code(self, low: int, high: int) -> str:
        """A parameter that is a die code; both of its numbers lie in the range."""
        name = self._name("code")
        typed = tuple(f"{n}D+{self.rng.randint(low, high)}" for n in range(low, high + 1))
        self._add(name, "type = 'die_code'\nmin = 0\nmax = 9", typed)
        return name

    def _by_truth(self, low: int, high: int) -> str:
        a, b = self._values(low, high, 2)
        return f"({a} if {self._truth()} else {b})"

    def _by_choice(self, low: int, high: int) -> str:
        a, b = self._values(low, high, 2)
        return f"({a} if {self._choice_is()} else {b})"

    def _row(self, low: int, high: int) -> str:
        """A table that is looked up by a choice."""
        table = self._fresh(f"{self.prefix}row", self.declared)
        rows = "\n".join(f"{text} = {self.rng.randint(low, high)}" for text in TEXTS)
        self.declared[table] = f"[tables.{table}]\n{rows}\n"
        return f"tables.{table}[{self._choice()}]"

    def _from_list(self, low: int, high: int) -> str:
        return self.rng.choice(("{0}[0]", "max({0})", "min({0})")).format(self.list_of(low, high))

    def list_of(self, low: int, high: int) -> str:
        """A parameter that is a list of one to three numbers."""
        name = self._name("list")
        lists = [self._values(low, high, length) for length in (1, 2, 3)]
        typed = tuple(",".join(map(str, one)) for one in lists)
        self._add(name, f"type = 'number'\nlist = ','\nmin = {low}\nmax = {high}", typed)
        return name

    def _optional(self, low: int, high: int) -> str:
        name, other = self._name("given"), self.rng.randint(low, high)
        typed = ("", *(str(value) for value in range(low, high + 1)))
        self._add(name, f"type = 'number'\nmin = {low}\nmax = {high}\noptional = true", typed)
        return f"({name} if given({name}) else {other})"

    def _option(self, low: int, high: int) -> str:
        name = self._fresh("house", self.options)
        self.options[name] = tuple(str(value) for value in range(low, high + 1))
        self.declared[name] = (
            f"[options.{name}]\nmin = {low}\nmax = {high}\ndefault = {low}\nlabel = {{ en = 'House rule' }}\n"
        )
        return f"options.{name}"

    # -- kinds of truths

    def _truth(self) -> str:
        name = self._name("truth")
        self._add(name, "type = 'truth'", ("yes", "no"))
        return name

    def _choice(self) -> str:
        name = self._name("choice")
        self._add(name, f"type = 'choice'\nvalues = {list(TEXTS)}", TEXTS)
        return name

    def _choice_is(self) -> str:
        return f"{self._choice()} == '{self.rng.choice(TEXTS)}'"

    def _option_is(self) -> str:
        if not self.options_allowed:
            return self._truth()
        name = self._fresh("rule", self.options)
        self.options[name] = ("plain", "strict")
        self.declared[name] = (
            f"[options.{name}]\nvalues = ['plain', 'strict']\ndefault = 'plain'\nlabel = {{ en = 'Rule' }}\n"
        )
        return f"options.{name} == 'strict'"

    # -- names

    def _name(self, kind: str) -> str:
        """A parameter of a kind: often one that is there already would do, but ranges differ."""
        return self._fresh(f"{self.prefix}{kind}", self.params)

    def _fresh(self, word: str, taken: dict[str, object] | dict[str, str]) -> str:
        return next(f"{word}{n}" for n in range(1, 100) if f"{word}{n}" not in taken)

    def _add(self, name: str, declared: str, values: tuple[str, ...]) -> None:
        self.params[name] = Parameter(name, declared, values)
