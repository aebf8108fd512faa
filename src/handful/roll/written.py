"""Rules written out as Python for whole rolls: dice, decisions by a policy, and all notes.

A function can go on from wherever a roll can be at rest: it takes the course of the roll, the
side, the place to go on from, the result of the rule that was called there, and the variables.
Options are looked up while it runs, because the trace names those that were looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from handful.roll.course import NO_DICE
from handful.roll.node import Modifier
from handful.roll.terms import PlayedTerms
from handful.rules.operators import same
from handful.rules.program import (
    FUEL,
    MOST_REPEATS,
    Ask,
    Branch,
    Call,
    Choose,
    Event,
    Instruction,
    Jump,
    Left,
    Let,
    Loop,
    Modify,
    Program,
    Record,
    Refuse,
    Reroll,
    Result,
    Roll,
    Turn,
    Value,
)
from handful.rules.ruleset import Ruleset
from handful.rules.trees import Expr, Tree, parts
from handful.rules.written.folding import Flow, folded
from handful.rules.written.page import Unwritten

STOPS = (Roll, Reroll, Choose, Ask)
MOST_TURNS = MOST_REPEATS // 2  # so few that the machine's limits are further away in any case
VALUES = {
    "Modifier": Modifier,
    "NO_DICE": NO_DICE,
    "Unwritten": Unwritten,
    "same": same,
    "made": tuple.__new__,
}


class Played(NamedTuple):
    """A written rule; `needed` are the variables without which it cannot go on from a place."""

    function: Callable[..., Record]
    names: tuple[str, ...]
    needed: dict[int, set[str]]
    depth: int  # of the rules that it calls

    def variables(self, pc: int, env: Mapping[str, Value]) -> tuple[Value, ...]:
        """The variables with which it goes on from a place."""
        if pc not in self.needed or not self.needed[pc] <= env.keys():
            raise Unwritten
        return tuple(map(env.get, self.names))


class Script:
    """The rules of a ruleset under one choice of options and one policy, as far as written."""

    def __init__(self, ruleset: Ruleset, options: Record, policy: str) -> None:
        self.ruleset, self.options, self.never = ruleset, options, policy == "never"
        self._played: dict[Program, Played | None] = {}
        self._stops: dict[Program, bool] = {}

    def played(self, program: Program) -> Played:
        """A rule as a function; refused if it, or one that it calls, cannot be written."""
        if program not in self._played:
            self._played[program] = None  # a rule that calls itself is never written
            self._played[program] = PlayedRule(self, program).played()
        played = self._played[program]
        if played is None:
            raise Unwritten
        return played

    def stops(self, program: Program) -> bool:
        """Whether a rule, or one that it calls, may throw or ask."""
        if program not in self._stops:
            self._stops[program] = False
            self._stops[program] = any(map(self.rests, program.code))
        return self._stops[program]

    def rests(self, step: Instruction) -> bool:
        """Whether a roll can be at rest there."""
        if isinstance(step, Call):
            return self.stops(self.ruleset.program(step.rule))
        return isinstance(step, STOPS)


class PlayedRule(PlayedTerms):
    """Writes one rule."""

    def __init__(self, script: Script, program: Program) -> None:
        self.script, self.program, self.depth = script, program, 0
        flow, code = Flow(program.code), program.code
        self.calls = [pc for pc in flow.reached() if isinstance(code[pc], Call)]
        rests = {pc + isinstance(code[pc], Call) for pc in flow.reached() if script.rests(code[pc])}
        self.needed = {pc: names for pc, names in flow.needed().items() if pc in rests}
        kept = set().union(*self.needed.values()).difference(program.params)
        names = {name: f"p{at}" for at, name in enumerate((*program.params, *sorted(kept)))}
        given = "".join(f", {name}=None" for name in names.values())
        head = f"def solve(t, side, at, inner{given}):"
        super().__init__(flow, dict(names), head, script.options, VALUES)
        self.variables = tuple(names)

    def played(self) -> Played:
        code = self.program.code
        with self.page.block("if inner is not None:"):
            for pc in self.calls:
                if pc + 1 in self.needed:
                    self.page.line(f"if at == {pc + 1}: {self.var(code[pc].writes or '')} = inner")
        loops = sum(isinstance(step, Loop) for step in code)
        turns = min(FUEL // len(code), MOST_TURNS // max(loops, 1))
        self.blocks(turns, self.needed)
        self.page.line("raise Unwritten")
        return Played(self.page.function(), self.variables, self.needed, self.depth)

    # -- instructions

    def instruction(self, step: Instruction, pc: int) -> None:
        page = self.page
        match step:
            case Let(var, expr):
                page.line(f"{self.var(var)} = {self.expr(expr)}")
            case Modify():
                self._modify(step)
            case Event(name):
                page.line(f"t.events.add({page.constant(name)})")
            case Turn(number):
                page.line(f"side = {self.expr(number)}")
            case Call(var, rule):
                called = self.script.ruleset.program(rule)
                played = self.script.played(called)
                self.depth = max(self.depth, played.depth + 1)
                args = ", ".join(["t, side, 0, None", *self.arguments(step, called.params)])
                page.line(f"{self.var(var)} = {page.constant(played.function)}({args})")
            case Result(fields):
                entries = (f"{page.constant(name)}: {self.expr(expr)}" for name, expr in fields)
                page.line(f"return Record({{{', '.join(entries)}}})")
            case Refuse():
                page.line("raise Unwritten")
            case Jump() | Loop() | Left() | Branch():
                pass
            case _:
                self._stop(step)

    def _modify(self, step: Modify) -> None:
        page = self.page
        amount, source, unit = page.fresh("x"), page.constant(step.source), page.constant(step.unit)
        page.line(f"{amount} = {self.expr(step.amount)}")
        changes = f"{amount} != 0 if {amount}.__class__ is int else not same({amount}, 0)"
        with page.block(f"if {changes}:"):
            line = f"({source}, {amount}, {unit}, side)"
            page.line(f"t.modifiers.append(made(Modifier, {line}))")

    def _stop(self, step: Instruction) -> None:
        constant = self.page.constant
        match step:
            case Roll(var, what, die, role, None):
                args = f"{self.expr(what)}, {self.expr(die)}, {constant(role)}, side"
                self.page.line(f"{self.var(var)} = t.roll({args})")
            case Roll(var, what, die, role, endless, same_die, adds):
                assert endless is not None
                if _mentions_options(endless.tree):
                    raise Unwritten  # looked up only once dice have landed
                args = f"{self.expr(what)}, {self.expr(die)}, {constant(role)}, side"
                more = f"{self.expr(endless)}, {constant(same_die)}, {constant(adds)}"
                self.page.line(f"{self.var(var)} = t.endless({args}, {more})")
            case Reroll(var, pool, die, keep):
                args = f"{self.expr(pool)}, {self.expr(die)}, side, {constant(keep)}"
                self.page.line(f"{self.var(var)} = t.reroll({args})")
            case Choose():
                self._choose(step)
            case Ask():
                self._ask(step)
            case _:
                raise AssertionError(step)

    def _choose(self, step: Choose) -> None:
        page, var = self.page, self.var(step.var)
        dice, most = page.fresh("x"), page.fresh("x")
        page.line(f"{dice} = {self.expr(step.pool)}")
        page.line(f"{most} = {self.expr(step.at_most)}")
        kinds = f"{dice}.__class__ is not Pool or {most}.__class__ is not int"
        page.line(f"if {kinds}: raise Unwritten")
        usual = self._policy(step.usual) if step.usual else f"{dice}.lowest({most})"
        picks = "NO_DICE" if self.script.never else usual
        with page.block(f"if {dice} and {most} > 0:"):
            page.line(f"{var} = t.chosen({self._asked(step)}, {dice}, {most}, {picks})")
        page.line(f"else: {var} = NO_DICE")

    def _ask(self, step: Ask) -> None:
        page, var, options = self.page, self.var(step.var), self.page.fresh("x")
        page.line(f"{options} = {self.expr(step.choices)}")
        policy = (step.never if self.script.never else None) or step.usual
        picks = self._policy(policy) if policy else f"{options}[0]"
        with page.block(f"if len({options}) == 1:"):
            page.line(f"{var} = {options}[0]")
        with page.block("else:"):
            page.line(f"{var} = t.picked({self._asked(step)}, {options}, {picks})")

    def _asked(self, step: Choose | Ask) -> str:
        decision = self.script.ruleset.decisions[step.decision]
        return f"{self.page.constant(decision.name)}, {self.page.constant(decision.by)}, side"

    def _policy(self, expr: Expr) -> str:
        """What a policy looks at decides nothing about the rule: it is not noted."""
        return self.text(folded(expr.tree, self.script.options))


def _mentions_options(tree: Tree) -> bool:
    return tree[0] == "option" or any(map(_mentions_options, parts(tree)))
