"""Rules without dice and questions, written out as Python functions.

They compute with the same functions as everywhere (`rules.functions`), so known and open numbers
may come in.  A function takes a set for events and then the rule's parameters in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import TooBig
from handful.rules.functions import FUNCTIONS, compare, is_true
from handful.rules.program import (
    FAULTS,
    FUEL,
    Branch,
    Call,
    Code,
    Event,
    Instruction,
    Jump,
    Left,
    Let,
    Loop,
    Record,
    Refusal,
    Refuse,
    Result,
    Turn,
)
from handful.rules.trees import Expr, Tree
from handful.solver.plan import Plan
from handful.solver.written.page import Page, Unwritten

Quiet = Callable[..., dict[str, Any]]
TRUTHS = ("compare", "and", "or", "not")  # where a truth is needed, these give one
QUICK = {"==", "!=", "<", "<=", ">", ">="}


def folded(tree: Tree, options: Record) -> Tree:
    """The expression with its options filled in, and what follows from them worked out."""
    match tree:
        case ("option", name):
            return ("const", options[name])
        case ("and" | "or" as kind, parts):
            return _folded_truths(kind, [folded(part, options) for part in parts])
        case ("if", test, yes, no):
            asked = folded(test, options)
            if asked[0] == "const":
                return folded(yes if is_true(asked[1]) else no, options)
            return ("if", asked, folded(yes, options), folded(no, options))
        case ("field", inner, name):
            return ("field", folded(inner, options), name)
        case ("list", parts):
            return ("list", tuple(folded(part, options) for part in parts))
        case ("not", inner):
            return _computed(("not", folded(inner, options)), lambda v: not is_true(v))
        case ("compare", symbol, left, right):
            pair = ("compare", symbol, folded(left, options), folded(right, options))
            return _computed(pair, lambda a, b: compare(symbol, a, b))
        case ("call", function, parts):
            made = ("call", function, tuple(folded(part, options) for part in parts))
            return _computed(made, function)
    return tree


def _computed(tree: Tree, function: Callable[..., Any]) -> Tree:
    """The value of an expression whose parts are all known, if it has one."""
    parts = tree[2] if tree[0] == "call" else tree[1:] if tree[0] == "not" else tree[2:]
    if any(part[0] != "const" for part in parts):
        return tree
    try:
        return ("const", function(*(value for _, value in parts)))
    except (*FAULTS, TooBig):
        return tree  # its place is found out when it is run


def _folded_truths(kind: str, parts: list[Tree]) -> Tree:
    ends = kind == "or"  # what settles it
    kept: list[Tree] = []
    for part in parts:
        if part[0] != "const" or type(part[1]) is not bool:
            kept.append(part)
        elif part[1] is ends:
            kept.append(part)
            break
    if kept and all(part[0] == "const" for part in kept) and type(kept[-1][1]) is bool:
        return kept[-1]
    return (kind, tuple(kept)) if kept else ("const", not ends)


class Flow:
    """Where a rule can go under some options."""

    def __init__(self, code: Code, options: Record) -> None:
        self.code = code
        self.tests = {
            pc: folded(step.test.tree, options)
            for pc, step in enumerate(code)
            if isinstance(step, Branch)
        }

    def following(self, pc: int) -> list[int]:
        step = self.code[pc]
        if isinstance(step, Branch):
            test = self.tests[pc]
            if test[0] == "const":
                return [pc + 1 if test[1] is True else step.otherwise]
            return [pc + 1, step.otherwise]
        if isinstance(step, Jump):
            return [step.to]
        return [] if isinstance(step, (Result, Refuse)) else [pc + 1]

    def reached(self) -> set[int]:
        """The instructions that can be reached."""
        seen: set[int] = set()
        todo = [0]
        while todo:
            pc = todo.pop()
            if pc not in seen:
                seen.add(pc)
                todo += self.following(pc)
        return seen

    def heads(self) -> list[int]:
        """Where straight runs of instructions begin."""
        heads = {0}
        for pc in self.reached():
            following = self.following(pc)
            if following != [pc + 1]:
                heads.update(following)
        return sorted(heads)


class QuietRule:
    """Writes one rule; `called` gives the functions of the rules that it calls."""

    def __init__(
        self,
        plan: Plan,
        options: Record,
        called: Callable[[str, frozenset[str] | None], tuple[Quiet, tuple[str, ...]]],
    ) -> None:
        self.plan, self.options, self.called = plan, options, called
        self.names = {name: f"p{at}" for at, name in enumerate(plan.program.params)}
        parameters = "".join(f", {name}" for name in self.names.values())
        values = {"Record": Record, "TooBig": TooBig, "Refusal": Refusal, "is_true": is_true}
        self.page = Page(f"def solve(events{parameters}):", {**values, "compare": compare})
        self.flow = Flow(plan.code, options)

    def function(self) -> Quiet:
        flow, heads = self.flow, self.flow.heads()
        turns = any(after <= pc for pc in flow.reached() for after in flow.following(pc))
        self.page.line("at = 0")
        with self.page.block(f"for _ in range({FUEL}):" if turns else "if True:"):
            for pc in heads:
                with self.page.block(f"if at == {pc}:"):
                    self._block(pc, heads)
        name = self.page.constant(f"the rule {self.plan.program.name!r} goes on without end")
        self.page.line(f"raise TooBig({name})")
        return self.page.function()

    def _block(self, pc: int, heads: list[int]) -> None:
        while True:
            step = self.plan.code[pc]
            if isinstance(step, Branch) and self.flow.tests[pc][0] != "const":
                test = self._truth(self.flow.tests[pc])
                self.page.line(f"at = {pc + 1} if {test} else {step.otherwise}")
                return self._turn_back(pc, step.otherwise)
            self._instruction(step)
            if isinstance(step, (Result, Refuse)):
                return None
            (following,) = self.flow.following(pc)
            if following in heads:
                self.page.line(f"at = {following}")
                return self._turn_back(pc, following)
            pc = following

    def _turn_back(self, pc: int, to: int) -> None:
        if to <= pc:
            self.page.line("continue")

    def _instruction(self, step: Instruction) -> None:
        page = self.page
        match step:
            case Let(var, expr):
                page.line(f"{self._var(var)} = {self._text(folded(expr.tree, self.options))}")
            case Event(name):
                page.line(f"events.add({page.constant(name)})")
            case Refuse(word):
                page.line(f"raise Refusal({page.constant(word)})")
            case Call(var, rule):
                page.line(f"{self._var(var)} = {self._call(step, rule)}")
            case Result(fields):
                entries = ", ".join(
                    f"{page.constant(name)}: {self._expr(expr)}" for name, expr in fields
                )
                # Asked for some fields, nobody can get hold of the record itself.
                whole = self.plan.wanted is None
                page.line(f"return Record({{{entries}}})" if whole else f"return {{{entries}}}")
            case Jump() | Turn() | Loop() | Left() | Branch():
                pass
            case _:
                raise Unwritten

    def _call(self, step: Call, rule: str) -> str:
        function, params = self.called(rule, self.plan.fields[step.var])
        named = {name: self._expr(expr) for name, expr in step.args}
        spread = [self._expr(expr) for expr in step.spread]
        args = [named.get(name) or _spread(self.page.constant(name), spread) for name in params]
        return f"{self.page.constant(function)}({', '.join(['events', *args])})"

    # -- expressions

    def _var(self, name: str) -> str:
        if name not in self.names:
            self.names[name] = self.page.fresh("v")
        return self.names[name]

    def _expr(self, expr: Expr) -> str:
        return self._text(folded(expr.tree, self.options))

    def _truth(self, tree: Tree) -> str:
        text = self._text(tree)
        return text if tree[0] in TRUTHS else f"is_true({text})"

    def _text(self, tree: Tree) -> str:
        page = self.page
        match tree:
            case ("const", value):
                return page.constant(value)
            case ("name", name):
                return self._var(name)
            case ("field", inner, name):
                return f"{self._text(inner)}[{page.constant(name)}]"
            case ("not", inner):
                return f"(not {self._truth(inner)})"
            case ("and" | "or" as kind, parts):
                return f"({f' {kind} '.join(self._truth(part) for part in parts)})"
            case ("if", test, yes, no):
                return f"({self._text(yes)} if {self._truth(test)} else {self._text(no)})"
            case ("list", parts):
                return f"({''.join(f'{self._text(part)}, ' for part in parts)})"
            case ("call", function, parts):
                if function is FUNCTIONS["given"]:
                    return f"({self._text(parts[0])} is not None)"
                args = ", ".join(self._text(part) for part in parts)
                return f"{page.constant(function)}({args})"
            case ("compare", symbol, left, right):
                return self._comparison(symbol, left, right)
        raise AssertionError(tree)

    def _comparison(self, symbol: str, left: Tree, right: Tree) -> str:
        a, b = self._text(left), self._text(right)
        slow = f"compare({self.page.constant(symbol)}, {a}, {b})"
        if left[0] != "name" or symbol not in QUICK:
            return slow
        if right[0] == "const" and type(right[1]) is int:
            return f"({a} {symbol} {b} if {a}.__class__ is int else {slow})"
        if right[0] == "name":
            both = f"{a}.__class__ is int and {b}.__class__ is int"
            return f"({a} {symbol} {b} if {both} else {slow})"
        return slow


def _spread(name: str, records: list[str]) -> str:
    """A parameter that comes from spread records; the last that has it counts."""
    if not records:
        raise Unwritten
    text = f"{records[0]}[{name}]"
    for record in records[1:]:
        text = f"({record}[{name}] if {name} in {record} else {text})"
    return text
