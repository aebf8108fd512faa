"""Whole rulesets by chance: the mechanics that authors write, each with its numbers from anywhere.

A `Game` is a TOML text and what may be asked of it.  Most games follow a shape from the cookbook,
the tutorial or the families; some are random statements (`rule_generator`).  All are small enough to
be enumerated die by die.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import toy_rulesets

from prover.parameters import LADDER, Inputs, Parameter

HEAD = """language = 1
id = "generated"
title = { en = "Generated" }
about = { en = "A game that nobody plays" }
"""
DECLARED = {
    **toy_rulesets.DECLARED,
    '"luck"': "[decisions.luck]\nby = 'player'\nquestion = { en = '?' }\nusual = { en = '-' }\n",
    '"push"': "[decisions.push]\nby = 'player'\nquestion = { en = '?' }\nusual = { en = '-' }\n"
    "answers.push = { en = 'Push' }\nanswers.stay = { en = 'Stay' }\n",
    '"bonus"': "[words.bonus]\nen = 'Bonus'\n",
    '"points"': "[words.points]\nen = 'points'\n",
}
Typed = Mapping[str, str]  # parameters or options as people type them


@dataclass(frozen=True)
class Question:
    """One question about a check: what is typed."""

    params: Typed
    sides: tuple[Typed, ...] = ()
    options: Typed = field(default_factory=dict)

    def __str__(self) -> str:
        sides = " vs ".join(_words(side) for side in self.sides)
        return f"{_words(self.params)} {sides} [{_words(self.options)}]".strip()


def _words(typed: Typed) -> str:
    return " ".join(f"{name}={value}" for name, value in typed.items())


@dataclass(frozen=True)
class Game:
    """A generated ruleset with one check `c`, and what its parameters and house rules can be."""

    shape: str
    toml: str
    params: Mapping[str, Parameter]
    options: Mapping[str, tuple[str, ...]]
    side_params: Mapping[str, Parameter] = field(default_factory=dict)
    sides: tuple[int, int] | None = None
    endless: bool = False
    counterpart: tuple[str, int, str, str] | None = None  # a plain throw: see `by_icepool`

    def question(self, rng: Random) -> Question:
        options = {name: rng.choice(values) for name, values in self.options.items()}
        if rng.random() < 0.4:
            options = {}
        sides = ()
        if self.sides is not None:
            sides = tuple(_drawn(rng, self.side_params) for _ in range(rng.randint(*self.sides)))
        return Question(_drawn(rng, self.params), sides, options)


def _drawn(rng: Random, params: Mapping[str, Parameter]) -> dict[str, str]:
    drawn = {name: rng.choice(one.values) for name, one in params.items()}
    return {name: value for name, value in drawn.items() if value}


class GameWriter:
    """Writes one game: a mechanic (`shapes`), then an ending that compares, adds and tells."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.inputs = Inputs(rng)
        self.per_side = Inputs(rng, "own_", options_allowed=False)
        self.lines: list[str] = []
        self.rules: dict[str, tuple[tuple[str, ...], list[str]]] = {}
        self.tables: list[str] = []
        self.sides: tuple[int, int] | None = None
        self.endless = False
        self.counterpart: tuple[str, int, str, str] | None = None

    def game(self, shapes: Mapping[str, int]) -> Game:
        """A game in one of these shapes, drawn by their weights."""
        (shape,) = self.rng.choices([*shapes], [*shapes.values()])
        getattr(self, shape)()
        bodies = (line for _, lines in self.rules.values() for line in lines)
        words = {*re.findall(r"\w+", "\n".join([*self.lines, *bodies]))}
        for inputs in (self.inputs, self.per_side):
            inputs.only(words | ({*self.per_side.params} if inputs is self.per_side else set()))
        return Game(
            shape,
            self.toml(),
            self.inputs.params,
            self.inputs.options,
            self.per_side.params,
            self.sides,
            self.endless,
            self.counterpart,
        )

    # -- the file

    def toml(self) -> str:
        text = "\n".join(self.lines)
        every = "\n".join([text, *("\n".join(lines) for _, lines in self.rules.values())])
        parts = [HEAD, *(part for word, part in DECLARED.items() if word in every)]
        parts += [*self.inputs.declared.values(), *self.per_side.declared.values(), *self.tables]
        parts += self._ladder()
        for name, (params, lines) in self.rules.items():
            body = "\n".join(lines)
            parts.append(f'[rules.{name}]\nparams = {list(params)}\ndoes = """\n{body}\n"""\n')
        parts.append('[checks.c]\ntitle = { en = "C" }\nhelp = { en = "C" }\nmain = "total"\n')
        if self.sides is not None:
            low, high = self.sides
            parts.append(f"sides = {{ word = 'vs', min = {low}, max = {high} }}\n")
        parts.append(f'does = """\n{text}\n"""\n')
        whole = "whole = true\n" if self.sides is not None else ""
        parts += [_declared(one, whole) for one in self.inputs.params.values()]
        parts += [_declared(one, "") for one in self.per_side.params.values()]
        return "".join(parts)

    def _ladder(self) -> list[str]:
        rungs = {**self.inputs.rungs, **self.per_side.rungs}
        if not rungs:
            return []
        return [
            f"[ladder.{step}]\n"
            + "".join(f"{name} = {values[at]}\n" for name, values in rungs.items())
            + f"title = {{ en = '{step}' }}\n"
            for at, step in enumerate(LADDER)
        ]

    # -- pieces

    def say(self, *lines: str) -> None:
        self.lines += lines

    def maybe(self, chance: float = 0.5) -> bool:
        return self.rng.random() < chance

    def amount(self, low: int, high: int) -> str:
        """A number that is read here, or named before the dice fall and used later."""
        return self.named(self.inputs.amount(low, high))

    def named(self, expression: str) -> str:
        if self.maybe(0.7):
            return expression
        name = f"x{len(self.lines) + 1}"
        self.say(f"{name} = {expression}")
        return name

    def die(self) -> tuple[str, int, int]:
        """A die, its sides, and how many of them are still few enough."""
        sides, most = self.rng.choice(((4, 4), (6, 3), (6, 4), (8, 3), (10, 3), (2, 6)))
        return f"d{sides}", sides, most

    def count(self, most: int) -> str:
        return self.amount(1, most)

    def ending(self, total: str, pool: str = "") -> None:
        """Add, tell and compare, in any order, and end with a result."""
        if self.maybe(0.4):
            bonus = self.inputs.amount(-2, 3)
            self.say(f"value = {total} + {bonus}")
            if self.maybe(0.3):
                self.say(f'modify("bonus", {bonus}, "points")')
            total = "value"
        if self.maybe(0.3):
            self.say(f"if {self.inputs.flag()}:", f'    event("{self.event()}")')
        if self.maybe(0.4):
            self.say(f"if {total} >= {self.inputs.amount(1, 9)}:", f'    event("{self.event()}")')
        if pool and self.maybe(0.3):
            self.say(f"if size({pool} == 1) > {self.inputs.amount(0, 1)}:", '    event("bang")')
        kind = self.rng.random()
        target = self.inputs.amount(1, 9)
        if kind < 0.15:
            self.say(f"result(total = {total}, success = None)")
        elif kind < 0.3:
            self.say(f"result(total = {total})")
        elif kind < 0.45:
            self.say(
                f"goal = {target}",
                f"result(total = {total}, success = {total} >= goal, margin = {total} - goal)",
            )
        elif kind < 0.55:
            self.say(f"if {self.inputs.flag()}:")
            self.say(f"    result(total = {total}, success = {total} > {target})")
            self.say(f"result(total = {total}, success = {total} >= {target})")
        else:
            self.say(f"result(total = {total}, success = {total} >= {target})")

    def event(self) -> str:
        return self.rng.choice(("boom", "bang"))


def _declared(one: Parameter, more: str) -> str:
    return f"[checks.c.params.{one.name}]\n{one.declared}\n{more}label = {{ en = '{one.name}' }}\n"
