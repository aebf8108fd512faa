"""Rule text -> `Program`.

The text is a subset of Python's syntax, read with `ast` and checked against a whitelist; it is
never executed.  Effects inside an expression (throws, questions, calls) are lifted out in reading
order, so that every stop of a rule is an instruction of its own.
All mistakes of a text are collected; `Compiler.errors` has them in reading order.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from handful.dice import MOST_SIDES, die
from handful.errors import RuleError, did_you_mean, listed
from handful.rules import functions
from handful.rules.functions import FUNCTIONS, OPERATORS
from handful.rules.program import (
    Ask,
    Branch,
    Call,
    Choose,
    Code,
    Env,
    Event,
    Expr,
    Instruction,
    Jump,
    Let,
    Loop,
    Modify,
    Program,
    Refuse,
    Reroll,
    Result,
    Roll,
    Turn,
    Value,
)

LONGEST_TEXT = 20_000
LONGEST_NAME = 60
MOST_MISTAKES = 20  # of one text; whoever made more mends these first
DEEPEST = 100  # levels of nesting in a text; ordinary rules need a dozen
ROLES = ("regular", "wild", "reroll", "extra")
KEEPS = ("better", "new", "worse")
EFFECTS = ("roll", "reroll", "choose", "ask")
STATEMENTS = ("result", "event", "modify", "turn", "refuse")
RESERVED = {*FUNCTIONS, *EFFECTS, *STATEMENTS, "options", "tables", "sides"}
ARGUMENTS = {"clamp": 3, "highest": 2, "lowest": 2, "read": 2}  # the others take one, or any number
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_DIE = re.compile(r"d([1-9][0-9]{0,5})\Z")


class Names:
    """What a rule text may refer to by name: rules, options, tables, wording."""

    def __init__(
        self,
        *,
        rules: Mapping[str, Sequence[str]],
        options: Sequence[str],
        tables: Mapping[str, Value],
        decisions: Sequence[str],
        events: Sequence[str],
        words: Sequence[str],
    ) -> None:
        self.rules, self.options, self.tables = rules, options, tables
        self.decisions, self.events, self.words = decisions, events, words


class _Mistake(Exception):
    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


class Compiler:
    """Translates one rule; use `program` and then look at `errors`."""

    def __init__(
        self, name: str, params: Sequence[str], names: Names, *, file: str = "", first_line: int = 0
    ) -> None:
        self.name, self.params, self.names = name, tuple(params), names
        self.file, self.first_line = file, first_line
        self.code: Code = []
        self.errors: list[RuleError] = []
        self.known: set[str] = set(params)
        self.text = ""
        self._lines: list[str] = []
        self.tree: ast.Module | None = None
        self._no_effects = ""
        self._fresh = 0

    def program(self, text: str) -> Program:
        self.text, self._lines = text, text.split("\n")
        tree = self._parse(text)
        if tree is not None:
            self.tree = tree
            names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
            self.known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            self._block(tree.body)
        return Program(self.name, self.params, self.code, text, self.file, self.first_line)

    # -- reading

    def _parse(self, text: str) -> ast.Module | None:
        if len(text) > LONGEST_TEXT:
            self._report(0, 0, f"a rule text may have at most {LONGEST_TEXT:,} characters")
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python's advice is not for writers of rules
                tree = ast.parse(text)
        except SyntaxError as error:
            self._report(error.lineno or 0, error.offset or 0, f"cannot be read: {error.msg}")
            return None
        except (RecursionError, MemoryError, ValueError):
            self._report(0, 0, "is nested too deeply, or holds characters that no rule can hold")
            return None
        if _depth(tree) > DEEPEST:
            self._report(0, 0, f"is nested more than {DEEPEST} levels deep")
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and len(node.id) > LONGEST_NAME:
                column = self._column(node.lineno, node.col_offset)
                self._report(
                    node.lineno,
                    column,
                    f"a name may have at most {LONGEST_NAME} characters",
                    "use a shorter one",
                )
                return None
        return tree

    def _column(self, line: int, offset: int) -> int:
        """Where a character stands in its line; `ast` counts bytes."""
        known = 0 < line <= len(self._lines)
        before = self._lines[line - 1].encode()[:offset] if known else b""
        return len(before.decode(errors="ignore")) + 1

    def _report(self, line: int, column: int, message: str, hint: str = "") -> None:
        lines = self._lines
        self.errors.append(
            RuleError(
                message,
                hint=hint,
                file=self.file,
                rule=self.name,
                line=self.first_line + line if self.first_line else line,
                column=column,
                source=lines[line - 1] if 0 < line <= len(lines) else "",
            )
        )

    # -- statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if len(self.errors) >= MOST_MISTAKES:
                return
            try:
                self._statement(statement)
            except _Mistake as mistake:
                node = mistake.node
                line = getattr(node, "lineno", statement.lineno)
                column = self._column(line, getattr(node, "col_offset", statement.col_offset))
                self._report(line, column, mistake.message, mistake.hint)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([ast.Name() as target], value):
                self._assign(target, value)
            case ast.AugAssign(ast.Name(name) as target, ast.Add() | ast.Sub() as op, value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                self._assign(target, ast.copy_location(ast.BinOp(read, op, value), node))
            case ast.If(test, body, orelse):
                self._if(node, test, body, orelse)
            case ast.While(test, body, []):
                self._while(node, test, body)
            case ast.For(ast.Name() as target, items, body, []):
                self._for(node, target, items, body)
            case ast.Expr(ast.Call(ast.Name(name)) as call) if name in STATEMENTS:
                self._call_statement(call, name)
            case ast.Pass():
                pass
            case _:
                raise _Mistake(node, f"a rule cannot say {_shortened(node)!r}", _STATEMENT_HINT)

    def _assign(self, target: ast.Name, value: ast.expr) -> None:
        name = target.id
        if name in self.params:
            raise _Mistake(
                target, f"the parameter {name!r} cannot be given another value", "use a new name"
            )
        self._free(target)
        before = len(self.code)
        expr = self._expr(value)
        last = self.code[-1] if len(self.code) > before else None
        if (
            last is not None
            and last.writes is not None
            and expr.reads == {last.writes}
            and (isinstance(value, ast.Call) and _called(value) not in FUNCTIONS)
        ):
            last.var = name  # type: ignore[attr-defined]
        else:
            self._emit(value, Let(name, expr))

    def _free(self, target: ast.Name) -> None:
        """Refuses a name for a variable that already means something else."""
        name = target.id
        if name in self.params or name in RESERVED or name in self.names.rules or _DIE.match(name):
            raise _Mistake(target, f"the name {name!r} is taken", "use another name")

    def _if(
        self, node: ast.stmt, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> None:
        branch = Branch(self._expr(test))
        self._emit(node, branch)
        self._block(body)
        if orelse:
            jump = Jump()
            self._emit(node, jump)
            branch.otherwise = len(self.code)
            self._block(orelse)
            jump.to = len(self.code)
        else:
            branch.otherwise = len(self.code)

    def _while(self, node: ast.stmt, test: ast.expr, body: list[ast.stmt]) -> None:
        head = len(self.code)
        self._emit(node, Loop())
        branch = Branch(self._quiet(test, "the test of a loop"))
        self._emit(node, branch)
        self._block(body)
        self._emit(node, Jump(head))
        branch.otherwise = len(self.code)

    def _for(self, node: ast.stmt, target: ast.Name, items: ast.expr, body: list[ast.stmt]) -> None:
        entries, index = self._temporary(), self._temporary()
        self._emit(node, Let(entries, self._expr(items)))
        self._emit(node, Let(index, _constant(0)))
        head = len(self.code)
        over = Expr(
            lambda env: env[index] < functions.FUNCTIONS["len"](env[entries]),
            frozenset((index, entries)),
        )
        branch = Branch(over)
        self._emit(node, branch)
        self._free(target)
        entry = Expr(lambda env: env[entries][env[index]], frozenset((index, entries)))
        self._emit(node, Let(target.id, entry))
        self._emit(node, Let(index, Expr(lambda env: env[index] + 1, frozenset((index,)))))
        self._block(body)
        self._emit(node, Jump(head))
        branch.otherwise = len(self.code)

    def _call_statement(self, call: ast.Call, name: str) -> None:
        _once(call)
        if name == "result":
            if call.args or any(k.arg is None for k in call.keywords):
                raise _Mistake(call, "a result has named fields only", "result(total = total)")
            fields = tuple((str(k.arg), self._expr(k.value)) for k in call.keywords)
            self._emit(call, Result(fields))
            return
        if call.keywords:
            raise _Mistake(call, f"{name} takes no named arguments")
        wanted = 3 if name == "modify" else 1
        if len(call.args) != wanted:
            raise _Mistake(call, f"{name} takes {wanted} argument{'s' * (wanted > 1)}")
        if name == "event":
            self._emit(call, Event(self._word(call.args[0], "event", self.names.events)))
        elif name == "refuse":
            self._emit(call, Refuse(self._word(call.args[0], "word", self.names.words)))
        elif name == "turn":
            self._emit(call, Turn(self._expr(call.args[0])))
        else:
            source = self._word(call.args[0], "word", self.names.words)
            unit = self._word(call.args[2], "word", self.names.words)
            self._emit(call, Modify(source, self._expr(call.args[1]), unit))

    def _word(self, node: ast.expr, kind: str, known: Sequence[str]) -> str:
        """A name of something that the file declares, written as a text."""
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            raise _Mistake(node, f"the name of the {kind} must stand here in quotation marks")
        if node.value not in known:
            raise _Mistake(
                node,
                f"there is no {kind} {node.value!r}",
                did_you_mean(node.value, known) or f"declare it: [{kind}s.{node.value}]",
            )
        return node.value

    # -- effects

    def _effect(self, call: ast.Call, name: str) -> Expr:
        _once(call)
        if self._no_effects:
            raise _Mistake(
                call,
                f"{name} cannot stand inside {self._no_effects}",
                f"give it a name on a line before: x = {name}(…)",
            )
        make: Callable[[ast.Call, str], Instruction] = {
            "roll": self._roll,
            "reroll": self._reroll,
            "choose": self._choose,
            "ask": self._ask,
        }.get(name, self._call)
        var = self._temporary()
        self._emit(call, make(call, var))
        return Expr(lambda env: env[var], frozenset((var,)), bare=frozenset((var,)))

    def _roll(self, call: ast.Call, var: str) -> Instruction:
        named = self._keywords(call, "more", "again")
        if not 2 <= len(call.args) <= 3 or len(named) > 1:
            raise _Mistake(
                call,
                "roll takes how many, which die and perhaps a role",
                'roll(3, d6), roll(1, d6, "wild"), roll(3, d6, more = 6)',
            )
        role = self._literal(call.args[2], "role", ROLES) if len(call.args) == 3 else "regular"
        endless = self._expr(next(iter(named.values()))) if named else None
        what, shape = self._expr(call.args[0]), self._expr(call.args[1])
        return Roll(var, what, shape, role, endless, "again" in named)

    def _reroll(self, call: ast.Call, var: str) -> Instruction:
        named = self._keywords(call, "keep")
        if len(call.args) != 2:
            raise _Mistake(call, "reroll takes a pool and a die", "reroll(chosen, d6)")
        keep = self._literal(named["keep"], "keep", KEEPS) if named else "better"
        return Reroll(var, self._expr(call.args[0]), self._expr(call.args[1]), keep)

    def _choose(self, call: ast.Call, var: str) -> Instruction:
        named = self._keywords(call, "usual")
        if len(call.args) != 3:
            raise _Mistake(
                call,
                "choose takes a decision, a pool and how many dice at most",
                'choose("reroll", pool, 2)',
            )
        decision = self._word(call.args[0], "decision", self.names.decisions)
        usual = self._quiet(named["usual"], "a policy") if named else None
        return Choose(var, decision, self._expr(call.args[1]), self._expr(call.args[2]), usual)

    def _ask(self, call: ast.Call, var: str) -> Instruction:
        named = self._keywords(call, "usual", "never")
        if len(call.args) != 2:
            raise _Mistake(
                call,
                "ask takes a decision and a list of options",
                'ask("ruling", ["cancel", "complication"])',
            )
        decision = self._word(call.args[0], "decision", self.names.decisions)
        usual = self._quiet(named["usual"], "a policy") if "usual" in named else None
        never = self._quiet(named["never"], "a policy") if "never" in named else None
        return Ask(var, decision, self._expr(call.args[1]), usual, never)

    def _call(self, call: ast.Call, var: str) -> Instruction:
        rule = _called(call)
        params = self.names.rules[rule]
        if call.args:
            raise _Mistake(
                call,
                f"arguments of {rule} are given by name",
                f"{rule}({', '.join(f'{p} = …' for p in params)})",
            )
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in params:
                raise _Mistake(
                    keyword.value,
                    f"the rule {rule!r} has no parameter {keyword.arg!r}",
                    did_you_mean(keyword.arg, params) or f"it has {listed(params)}",
                )
        given = [k.arg for k in call.keywords if k.arg is not None]
        missing = [p for p in params if p not in given]
        spread = tuple(self._expr(k.value) for k in call.keywords if k.arg is None)
        if missing and not spread:
            raise _Mistake(call, f"the rule {rule!r} also needs {', '.join(missing)}")
        args = tuple((k.arg, self._expr(k.value)) for k in call.keywords if k.arg is not None)
        return Call(var, rule, args, spread)

    def _keywords(self, call: ast.Call, *allowed: str) -> dict[str, ast.expr]:
        for keyword in call.keywords:
            if keyword.arg not in allowed:
                raise _Mistake(
                    keyword.value,
                    f"{_called(call)} does not know {keyword.arg!r}",
                    f"it knows {listed(allowed)}",
                )
        return {str(k.arg): k.value for k in call.keywords}

    def _literal(self, node: ast.expr, what: str, allowed: Sequence[str]) -> str:
        if isinstance(node, ast.Constant) and node.value in allowed:
            return str(node.value)
        raise _Mistake(node, f"the {what} must be {listed(repr(name) for name in allowed)}")

    # -- expressions

    def _quiet(self, node: ast.expr, place: str) -> Expr:
        """An expression at a place where nothing may be thrown or asked."""
        before, self._no_effects = self._no_effects, place
        try:
            return self._expr(node)
        finally:
            self._no_effects = before

    def _expr(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value):
                return self._constant(node, value)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Call():
                return self._function(node)
            case ast.BinOp(left, op, right) if type(op) in SYMBOLS:
                return _binary(OPERATORS[SYMBOLS[type(op)]], self._expr(left), self._expr(right))
            case ast.Compare(left, [op], [right]) if type(op) in SYMBOLS:
                return _comparison(SYMBOLS[type(op)], self._expr(left), self._expr(right))
            case ast.Compare(_, [_, _, *_], _):
                raise _Mistake(node, "comparisons cannot be chained", "write: a <= b and b <= c")
            case ast.BoolOp(op, values):
                return self._bool(op, values)
            case ast.UnaryOp(ast.USub(), value):
                return _unary(functions.negate, self._expr(value))
            case ast.UnaryOp(ast.UAdd(), value):
                return self._expr(value)
            case ast.UnaryOp(ast.Not(), value):
                return _unary(lambda v: not functions.is_true(v), self._expr(value))
            case ast.IfExp(test, yes, no):
                place = "… if … else …"
                return _choice(*(self._quiet(part, place) for part in (test, yes, no)))
            case ast.List(items):
                return _list([self._expr(item) for item in items])
            case ast.Attribute(base, name):
                return self._attribute(node, base, name)
            case ast.Subscript(base, key):
                return _binary(functions.item, self._expr(base), self._expr(key))
        raise _Mistake(node, f"a rule cannot say {_shortened(node)!r}")

    def _constant(self, node: ast.expr, value: object) -> Expr:
        if isinstance(value, float):
            if not -functions.LARGEST <= value <= functions.LARGEST:
                raise _Mistake(node, f"a rule may not count beyond {functions.LARGEST:,}")
            return _constant(functions.plain(_exact(node, self._segment(node))))
        if value is None or isinstance(value, (bool, str)):
            return _constant(value)
        if isinstance(value, int):
            if abs(value) > functions.LARGEST:
                raise _Mistake(node, f"a rule may not count beyond {functions.LARGEST:,}")
            return _constant(value)
        raise _Mistake(node, f"a rule cannot say {_shortened(node)!r}")

    def _segment(self, node: ast.expr) -> str:
        line = self._lines[node.lineno - 1].encode()
        return line[node.col_offset : node.end_col_offset].decode(errors="ignore")

    def _name(self, node: ast.expr, name: str) -> Expr:
        if (found := _DIE.match(name)) and name not in self.known:
            sides = int(found[1])
            if not 2 <= sides <= MOST_SIDES:
                raise _Mistake(node, f"a die has 2 to {MOST_SIDES} sides")
            return _constant(die(sides))
        if name not in self.known:
            if name in ("options", "tables"):
                raise _Mistake(node, f"{name} is used with a name", f"{name}.something")
            hint = did_you_mean(name, [*self.known, *FUNCTIONS, *self.names.rules])
            raise _Mistake(node, f"the name {name!r} has no value here", hint)
        return Expr(lambda env: env[name], frozenset((name,)), bare=frozenset((name,)))

    def _attribute(self, node: ast.expr, base: ast.expr, name: str) -> Expr:
        if isinstance(base, ast.Name) and base.id == "options" and "options" not in self.known:
            if name not in self.names.options:
                raise _Mistake(
                    node,
                    f"there is no option {name!r}",
                    did_you_mean(name, self.names.options) or f"declare [options.{name}]",
                )
            return Expr(lambda env: env["@options"][name], frozenset(), frozenset((name,)))
        if isinstance(base, ast.Name) and base.id == "tables" and "tables" not in self.known:
            if name not in self.names.tables:
                raise _Mistake(
                    node,
                    f"there is no table {name!r}",
                    did_you_mean(name, self.names.tables) or f"declare [tables.{name}]",
                )
            return _constant(self.names.tables[name])
        record = self._expr(base)
        field = _unary(lambda record: functions.attribute(record, name), record)
        if isinstance(base, ast.Name):
            own = (base.id, name)
            return replace(field, fields=frozenset((own,)), bare=frozenset(), select=own)
        return field

    def _bool(self, op: ast.boolop, values: list[ast.expr]) -> Expr:
        first = self._expr(values[0])
        rest = [self._quiet(value, "and / or") for value in values[1:]]
        tests = [part.value for part in (first, *rest)]
        is_true = functions.is_true
        if isinstance(op, ast.And):
            return _joined(lambda env: all(is_true(test(env)) for test in tests), [first, *rest])
        return _joined(lambda env: any(is_true(test(env)) for test in tests), [first, *rest])

    def _function(self, node: ast.Call) -> Expr:
        name = _called(node)
        if name in EFFECTS or name in self.names.rules:
            return self._effect(node, name)
        if name in STATEMENTS:
            raise _Mistake(node, f"{name} stands on a line of its own")
        if name not in FUNCTIONS:
            hint = did_you_mean(name, [*FUNCTIONS, *EFFECTS, *STATEMENTS, *self.names.rules])
            raise _Mistake(node, f"there is no function or rule {name or _shortened(node)!r}", hint)
        if node.keywords:
            raise _Mistake(node, f"{name} takes no named arguments")
        wanted = ARGUMENTS.get(name, 1)
        if not node.args or (len(node.args) != wanted and name not in ("min", "max")):
            raise _Mistake(node, f"{name} takes {wanted} argument{'s' * (wanted > 1)}")
        args = [self._expr(arg) for arg in node.args]
        function, values = FUNCTIONS[name], [arg.value for arg in args]
        if len(values) == 1:
            return _unary(function, args[0])
        if len(values) == 2:
            return _binary(function, *args)
        return _joined(lambda env: function(*[value(env) for value in values]), args)

    # -- emitting

    def _emit(self, node: ast.AST, instruction: Instruction) -> None:
        instruction.line = getattr(node, "lineno", 0)
        instruction.column = self._column(instruction.line, getattr(node, "col_offset", 0))
        self.code.append(instruction)

    def _temporary(self) -> str:
        self._fresh += 1
        return f"#{self._fresh}"


_STATEMENT_HINT = "it knows: name = …, if, while, for … in …, " + ", ".join(
    f"{name}(…)" for name in STATEMENTS
)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _once(call: ast.Call) -> None:
    """Python itself finds a repeated name only later than here."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    for keyword in call.keywords:
        if names.count(keyword.arg or "") > 1:
            raise _Mistake(keyword, f"{keyword.arg!r} is given twice", "leave one of them out")


def _shortened(node: ast.AST) -> str:
    try:
        text = ast.unparse(node).split("\n")[0]
    except (ValueError, RecursionError):
        text = "…"  # a number with thousands of digits
    return text if len(text) <= 40 else text[:39] + "…"


def _depth(tree: ast.AST) -> int:
    deepest, todo = 0, [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return deepest


def _exact(node: ast.expr, text: str) -> Fraction:
    try:
        # An exponent could ask for a number that fills the machine.
        return Fraction("" if "e" in text.lower() else text.replace("_", ""))
    except ValueError:
        raise _Mistake(node, f"cannot read the number {text!r}") from None


def _constant(value: Value) -> Expr:
    return Expr(lambda env: value, frozenset())


def _joined(value: Callable[[Env], Value], parts: Sequence[Expr]) -> Expr:
    return Expr(
        value,
        frozenset().union(*(part.reads for part in parts)),
        frozenset().union(*(part.options for part in parts)),
        frozenset().union(*(part.fields for part in parts)),
        frozenset().union(*(part.bare for part in parts)),
    )


def _unary(function: Callable[[Value], Value], part: Expr) -> Expr:
    inner = part.value
    return _joined(lambda env: function(inner(env)), [part])


def _binary(function: Callable[[Value, Value], Value], left: Expr, right: Expr) -> Expr:
    a, b = left.value, right.value
    return _joined(lambda env: function(a(env), b(env)), [left, right])


def _comparison(symbol: str, left: Expr, right: Expr) -> Expr:
    a, b, compare = left.value, right.value, functions.compare
    return _joined(lambda env: compare(symbol, a(env), b(env)), [left, right])


def _choice(test: Expr, yes: Expr, no: Expr) -> Expr:
    asked, one, other, is_true = test.value, yes.value, no.value, functions.is_true
    return _joined(lambda env: one(env) if is_true(asked(env)) else other(env), [test, yes, no])


def _list(items: Sequence[Expr]) -> Expr:
    values = [item.value for item in items]
    return _joined(lambda env: tuple([value(env) for value in values]), items)
