"""Three-address code: each operation of a rule becomes an instruction of its own.

The expressions of a plan are flattened, so that every intermediate number or pool has a name and is
forgotten as soon as nothing reads it.  Tests become jumps, and decisions become what the policy answers.
The result is cached for each rule; `residual` specialises it for the arguments of a question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.rules.expression_tree import Expr, Tree
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import Value, add, compare, get_field, get_item, is_true, subtract
from handful.rules.program import (
    Ask,
    Call,
    Choose,
    EmitEvent,
    Instruction,
    Jump,
    JumpUnless,
    Let,
    Refuse,
    Reroll,
    Result,
    RollDice,
)
from handful.solver.plan import Plan
from handful.solver.walk.values import EMPTY

OPTIONS = "@options"
WAVE = ("~landed", "~count", "~base")  # variables of a throw in progress


class Var(str):
    """Name of a variable, as an operand; every other operand is a constant."""

    __slots__ = ()


class Flat:
    """One instruction: `kind`, the variable it writes, a function with operands, and what follows.

    Kinds: "op", "if" (goes to `other` if its operand is false), "roll", "reroll", "call", "decided",
    "event", "refuse" and "end".
    """

    __slots__ = (
        "args",
        "dst",
        "fn",
        "kind",
        "leaves",
        "live",
        "live_own",
        "next",
        "other",
        "pc",
        "plan",
        "step",
        "turns",
    )

    def __init__(
        self, kind: str, dst: str | None, fn: Any, args: tuple[Any, ...], plan: Plan, pc: int
    ) -> None:
        self.kind, self.dst, self.fn, self.args = kind, dst, fn, args
        self.plan, self.pc, self.step = plan, pc, plan.code[pc]
        self.next, self.other = -1, -1
        self.live: tuple[str, ...] = ()  # variables live before the instruction
        self.live_own: tuple[str, ...] = ()  # those that are not parameters
        self.turns: frozenset[str] = frozenset()  # of the head of a loop: variables that its body writes
        self.leaves = -1  # of a test that may leave a loop: place of the loop's head

    @property
    def successors(self) -> tuple[int, ...]:
        return tuple(at for at in (self.next, self.other) if at >= 0)


class _Label:
    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


def negation(value: Value) -> bool:
    return not is_true(value)


def read_option(options: Value, name: str) -> Value:
    return options[name]


def copy(value: Value) -> Value:
    return value


def make_tuple(*values: Value) -> tuple[Value, ...]:
    return values


def make_record(names: tuple[str, ...], *values: Value) -> Value:
    from handful.rules.program import Record

    return Record(zip(names, values, strict=True))


class FlatCode:
    """The flat code of a plan under a policy; `entry` and `entry_after` map its instructions."""

    def __init__(self, plan: Plan, policy: str) -> None:
        self.plan, self.never = plan, policy == "never"
        self.code: list[Flat] = []
        self.entry: list[int] = []
        self._labels: list[tuple[Flat, str, _Label]] = []
        self._temporaries = 0
        self._pc = 0
        self._resumed: dict[int, int] = {}
        self._starts = [_Label() for _ in range(len(plan.code) + 1)]
        for pc, step in enumerate(plan.code):
            self._pc = pc
            self._place(self._starts[pc])
            self._instruction(step)
        self._place(self._starts[-1])
        self._pc = len(plan.code) - 1
        self._emit("refuse", None, None, ())  # no result was reached
        self._connect()
        self.entry = [label.at for label in self._starts]
        _add_liveness(self.code, frozenset(plan.program.params))
        _mark_loops(self.code)

    def resumed(self, pc: int) -> int:
        """Return the place where a throw in progress goes on, with the variables of `WAVE`."""
        if pc not in self._resumed:
            step = self.plan.code[pc]
            assert isinstance(step, RollDice)
            assert step.explodes_from is not None
            self._pc, self._resumed[pc] = pc, len(self.code)
            landed, count, base = [Var(name) for name in WAVE]
            bound = self._operand(step.explodes_from.tree)
            thrown = self._temporary()
            self._emit("roll", thrown, None, (count, self._operand(step.die.tree), bound, base))
            self._emit("op", step.var, add, (landed, Var(thrown)))
            self._emit("op", None, None, ()).next = self.entry[pc + 1]
            self._connect()
            _add_liveness(self.code, frozenset(self.plan.program.params))
        return self._resumed[pc]

    # -- emitting

    def _connect(self) -> None:
        """Let jumps and tests lead to where their labels have been placed."""
        for flat, slot, label in self._labels:
            setattr(flat, slot, label.at)
        self._labels.clear()

    def _emit(self, kind: str, dst: str | None, fn: Any, args: tuple[Any, ...]) -> Flat:
        flat = Flat(kind, dst, fn, args, self.plan, self._pc)
        if kind not in ("end", "refuse"):
            flat.next = len(self.code) + 1
        self.code.append(flat)
        return flat

    def _place(self, label: _Label) -> None:
        label.at = len(self.code)

    def _jump(self, label: _Label) -> None:
        """Go on at a label: an instruction without effect, which specialisation removes."""
        self._labels.append((self._emit("op", None, None, ()), "next", label))

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"~{self._temporaries}"

    def _op(self, fn: Callable[..., Value], *args: Any) -> Var:
        name = self._temporary()
        self._emit("op", name, fn, args)
        return Var(name)

    # -- expressions

    def _operand(self, tree: Tree) -> Any:
        """Emit the code of an expression; return the operand that holds its value."""
        match tree:
            case ("const", value):
                return value
            case ("name", name):
                return Var(name)
            case ("option", name):
                return self._op(read_option, Var(OPTIONS), name)
            case ("field", record, name):
                return self._op(get_field, self._operand(record), name)
            case ("call", function, trees):
                return self._op(function, *[self._operand(part) for part in trees])
            case ("compare", symbol, left, right):
                return self._op(compare, symbol, self._operand(left), self._operand(right))
            case ("not", inner):
                return self._op(negation, self._operand(inner))
            case ("list", trees):
                return self._op(make_tuple, *[self._operand(part) for part in trees])
            case ("if", test, yes, no):
                return self._either(test, yes, no)
        return self._either(tree, ("const", True), ("const", False))  # and, or

    def _either(self, test: Tree, yes: Tree, no: Tree) -> Var:
        name, on_true, on_false, end = self._temporary(), _Label(), _Label(), _Label()
        self._test(test, on_true, on_false)
        self._place(on_true)
        self._emit("op", name, copy, (self._operand(yes),))
        self._jump(end)
        self._place(on_false)
        self._emit("op", name, copy, (self._operand(no),))
        self._place(end)
        return Var(name)

    def _test(self, tree: Tree, on_true: _Label, on_false: _Label) -> None:
        """Emit the jumps of a test; what follows the test is placed by the caller."""
        match tree:
            case ("not", inner):
                self._test(inner, on_false, on_true)
            case (("and" | "or") as kind, trees):
                *first, last = trees
                for part in first:
                    following = _Label()
                    if kind == "and":
                        self._test(part, following, on_false)
                    else:
                        self._test(part, on_true, following)
                    self._place(following)
                self._test(last, on_true, on_false)
            case _:
                operand = self._operand(tree)
                branch = self._emit("if", None, None, (operand,))
                self._labels += [(branch, "next", on_true), (branch, "other", on_false)]

    # -- instructions

    def _instruction(self, step: Instruction) -> None:
        match step:
            case Let(var, expr):
                self._let(var, expr)
            case JumpUnless(test, target):
                on_true = _Label()
                self._test(test.tree, on_true, self._starts[target])
                self._place(on_true)
            case Jump(target):
                self._jump(self._starts[target])
            case RollDice(var, dice, die, _, explodes_from):
                bound = None if explodes_from is None else self._operand(explodes_from.tree)
                self._emit("roll", var, None, (self._operand(dice.tree), self._operand(die.tree), bound))
            case Reroll(var, pool, die, keep):
                self._emit("reroll", var, None, (self._operand(pool.tree), self._operand(die.tree), keep))
            case Choose():
                self._choose(step)
            case Ask():
                self._ask(step)
            case Call(var, _, args, spread):
                named = tuple(self._operand(expr.tree) for _, expr in args)
                records = tuple(self._operand(expr.tree) for expr in spread)
                self._emit("call", var, len(records), (*records, *named))
            case EmitEvent(name):
                self._emit("event", None, name, ())
            case Refuse():
                self._emit("refuse", None, None, ())
            case Result(fields):
                operands = tuple(self._operand(expr.tree) for _, expr in fields)
                self._emit("end", None, tuple(name for name, _ in fields), operands)

    def _let(self, var: str, expr: Expr) -> None:
        before = len(self.code)
        operand = self._operand(expr.tree)
        last = self.code[-1] if len(self.code) > before else None
        if (
            last is not None
            and last.dst == operand
            and last.kind == "op"
            and last.fn is not copy
            and type(operand) is Var
        ):
            last.dst = var
        else:
            self._emit("op", var, copy, (operand,))

    def _choose(self, step: Choose) -> None:
        """Emit what the policy picks; nothing if there is nothing to pick from."""
        most, pool = self._operand(step.at_most.tree), self._operand(step.pool.tree)
        if self.never:
            self._emit("decided", None, step.decision, (most, pool))
            self._emit("op", step.var, copy, (EMPTY,))
            return
        self._emit("decided", None, step.decision, (most, pool))
        if step.usual is None:
            self._emit("op", step.var, FUNCTIONS["lowest"], (pool, most))
            return
        choice, nothing, end = _Label(), _Label(), _Label()
        bound: Tree = ("name", str(most)) if type(most) is Var else ("const", most)
        some: Tree = ("compare", ">", bound, ("const", 0))
        if not _is_part(step.usual.tree, step.pool.tree):
            size = ("call", FUNCTIONS["size"], (step.pool.tree,))
            some = ("and", (some, ("compare", ">", size, ("const", 0))))
        self._test(some, choice, nothing)
        self._place(choice)
        self._let(step.var, step.usual)
        self._jump(end)
        self._place(nothing)
        self._emit("op", step.var, copy, (EMPTY,))
        self._place(end)

    def _ask(self, step: Ask) -> None:
        options = self._operand(step.choices.tree)
        count = self._op(FUNCTIONS["len"], options)
        several, single, end = _Label(), _Label(), _Label()
        self._test(("compare", "==", ("name", str(count)), ("const", 1)), single, several)
        self._place(several)
        self._emit("decided", None, step.decision, (None, None))
        chosen = (step.never if self.never else None) or step.usual
        if chosen is None:
            self._emit("op", step.var, get_item, (options, 0))
        else:
            self._let(step.var, chosen)
        self._jump(end)
        self._place(single)
        self._emit("op", step.var, get_item, (options, 0))
        self._place(end)


def _is_part(tree: Tree, pool: Tree) -> bool:
    """Return True if an expression can only give dice of a pool."""
    if tree == pool:
        return True
    match tree:
        case ("compare", _, inner, _):
            return _is_part(inner, pool)
        case ("call", function, (inner, *_)):
            chosen = [FUNCTIONS[name] for name in ("highest", "lowest", "widest")]
            return function in (*chosen, subtract) and _is_part(inner, pool)
        case ("if", _, yes, no):
            return _is_part(yes, pool) and _is_part(no, pool)
    return False


def _add_liveness(code: list[Flat], params: frozenset[str]) -> None:
    """Find the variables live before each instruction, by a fixed-point iteration."""
    live: list[frozenset[str]] = [frozenset() for _ in code]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(code))):
            flat = code[at]
            names: frozenset[str] = frozenset().union(*[live[to] for to in flat.successors])
            if flat.dst is not None:
                names -= {flat.dst}
            names |= {str(one) for one in flat.args if type(one) is Var and one != OPTIONS}
            if names != live[at]:
                live[at], changed = names, True
    for flat, names in zip(code, live, strict=True):
        flat.live = tuple(sorted(names))
        flat.live_own = tuple(name for name in flat.live if name not in params)


def _mark_loops(code: list[Flat]) -> None:
    """Mark the heads of loops, where a jump leads back to, and the tests that leave a loop."""
    for last, jump in enumerate(code):
        if jump.kind != "op" or jump.fn is not None or jump.next > last:
            continue
        head, body = jump.next, code[jump.next : last]
        code[head].turns |= {flat.dst for flat in body if flat.dst is not None}
        for flat in body:
            if flat.kind == "if" and any(not head <= to <= last for to in flat.successors):
                flat.leaves = head
