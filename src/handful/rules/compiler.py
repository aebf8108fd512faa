"""Compiles a rule source to a `Program`.

The source is a subset of Python's syntax, parsed with `ast` and checked against a whitelist; it is
never executed.  Effects inside an expression (rolls, decisions, calls) are lifted out in evaluation
order, so that each is an instruction of its own.
Compilation does not stop at an error: `Compiler.errors` has all of them, in source order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from handful.errors import Message, RuleError, Text
from handful.rules import operators
from handful.rules.effect_compiler import EffectCompiler
from handful.rules.expression_compiler import ExpressionCompiler, constant_expr, min_or_max
from handful.rules.expression_tree import Expr
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import DIE_NAME, RESERVED, STATEMENTS, Declarations
from handful.rules.parse_hints import syntax_hint
from handful.rules.program import (
    Code,
    EmitEvent,
    Instruction,
    Jump,
    JumpUnless,
    Let,
    LoopExit,
    LoopHead,
    Modify,
    Program,
    Refuse,
    Result,
    SetSide,
)
from handful.rules.syntax_trees import (
    CompileError,
    abbreviate,
    called_name,
    parse_source,
    read_declared_name,
    reject_repeated_keywords,
    tree_depth,
)

MAX_SOURCE_LENGTH = 20_000
MAX_NAME_LENGTH = 60
MAX_ERRORS = 20  # per source; further errors appear once these are fixed
MAX_NESTING = 100  # levels; ordinary rules need a dozen

_STATEMENT_HINT = Message("ruleset_advice.statements", names=[f"{name}(…)" for name in STATEMENTS])


class Compiler:
    """Compiles one rule: call `compile`, then read `errors`."""

    def __init__(
        self,
        name: str,
        params: Sequence[str],
        declarations: Declarations,
        *,
        file: str = "",
        first_line: int = 0,
        inline_start: tuple[int, str, int] = (0, "", 0),
    ) -> None:
        self.name, self.params, self.declarations = name, tuple(params), declarations
        self.file, self.first_line = file, first_line
        # A source that starts in the middle of a line of the file: number of the source line, the
        # full line of the file, and the column offset.
        self._inline_start = inline_start
        self.code: Code = []
        self.errors: list[RuleError] = []
        self.variables: set[str] = set(params)
        self.text = ""
        self._lines: list[str] = []
        self.tree: ast.Module | None = None
        self._temporaries = 0
        self._loop_depth = 0  # loops around the current statement

    def compile(self, text: str) -> Program:
        """Compile a source; the program is complete only if `errors` stays empty."""
        self.text, self._lines = text, text.split("\n")
        tree = self._parse(text)
        if tree is not None:
            self.tree = tree
            names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
            self.variables |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            self._expressions = ExpressionCompiler(
                self._lines, self.variables, self.declarations, self._effect
            )
            self._effects = EffectCompiler(self._expressions, self.declarations)
            self._block(tree.body)
        return Program(self.name, self.params, self.code, text, self.file, self.first_line)

    # -- parsing

    def _parse(self, text: str) -> ast.Module | None:
        if len(text) > MAX_SOURCE_LENGTH:
            self._report(0, 0, Message("ruleset.limit.source_too_long", most=MAX_SOURCE_LENGTH))
            return None
        try:
            tree = parse_source(text)
        except SyntaxError as error:
            message = re.sub(r" on line \d+$", "", error.msg)  # it counts lines of the rule, not of the file
            hint = syntax_hint(message)
            self._report(
                error.lineno or 0,
                error.offset or 0,
                Message("ruleset.syntax.unreadable", reason=Message("foreign_text", text=message)),
                hint,
            )
            return None
        except (RecursionError, MemoryError, ValueError):
            self._report(0, 0, Message("ruleset.limit.source_nested"))
            return None
        if tree_depth(tree) > MAX_NESTING:
            self._report(0, 0, Message("ruleset.limit.levels", most=MAX_NESTING))
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and len(node.id) > MAX_NAME_LENGTH:
                column = self._column(node.lineno, node.col_offset)
                self._report(
                    node.lineno,
                    column,
                    Message("ruleset.limit.name_too_long", most=MAX_NAME_LENGTH),
                    Message("ruleset_advice.shorter_name"),
                )
                return None
        return tree

    def _column(self, line: int, offset: int) -> int:
        """Convert the byte offset of `ast` to a column, from 1."""
        in_source = 0 < line <= len(self._lines)
        before = self._lines[line - 1].encode()[:offset] if in_source else b""
        return len(before.decode(errors="ignore")) + 1

    def make_error(
        self, message: Message, hint: Text, line: int, column: int, end: tuple[int, int] = (0, 0)
    ) -> RuleError:
        """Build an error with its position in the file, from a position in the source."""
        lines, (start, file_line, offset) = self._lines, self._inline_start
        source = file_line if line == start else lines[line - 1] if 0 < line <= len(lines) else ""
        last, end_column = end
        return RuleError(
            message,
            hint=hint,
            file=self.file,
            rule=self.name,
            line=self.first_line + line,
            column=column + offset * (line == start and column > 0),
            source=source,
            end=(self.first_line + last, end_column + offset * (last == start)) if last else (0, 0),
        )

    def span(self, node: ast.AST, at: tuple[int, int] | None = None) -> tuple[int, int, tuple[int, int]]:
        """Return line and column of a node, or of the position `at`, and the end of the node."""
        line, offset = at or (getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        last = getattr(node, "end_lineno", None) or 0
        end = (last, self._column(last, getattr(node, "end_col_offset", 0))) if last else (0, 0)
        return line, self._column(line, offset), end

    def _report(self, line: int, column: int, message: Message, hint: Text = "") -> None:
        self.errors.append(self.make_error(message, hint, line, column))

    # -- statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if len(self.errors) >= MAX_ERRORS:
                return
            try:
                self._statement(statement)
            except CompileError as error:
                node = error.node if hasattr(error.node, "lineno") else statement
                self.errors.append(self.make_error(error.problem, error.advice, *self.span(node)))

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
                raise CompileError(
                    node, Message("ruleset.syntax.not_in_language", text=abbreviate(node)), _STATEMENT_HINT
                )

    def _assign(self, target: ast.Name, value: ast.expr) -> None:
        """Emit an assignment; an effect assigned directly writes to the variable without a temporary."""
        name = target.id
        if name in self.params:
            raise CompileError(
                target,
                Message("ruleset.parameter-set.assigned", name=name),
                Message("ruleset_advice.new_name"),
            )
        self._require_free_name(target)
        before = len(self.code)
        expr = self._expressions.compile(value)
        last = self.code[-1] if len(self.code) > before else None
        if (
            last is not None
            and last.writes is not None
            and expr.reads == {last.writes}
            and (isinstance(value, ast.Call) and called_name(value) not in FUNCTIONS)
        ):
            last.var = name  # type: ignore[attr-defined]
        else:
            self._emit(value, Let(name, expr))

    def _require_free_name(self, target: ast.Name) -> None:
        """Reject a variable name that is already taken."""
        name = target.id
        if name in self.params or name in RESERVED or name in self.declarations.rules or DIE_NAME.match(name):
            raise CompileError(
                target, Message("ruleset.name-taken.taken", name=name), Message("advice.use_another_name")
            )

    def _if(self, node: ast.stmt, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        match body, orelse:
            case [ast.Assign([ast.Name(name) as target], value)], [] if function := min_or_max(
                test, value, ast.Name(name, ast.Load())
            ):
                current = ast.Name(name, ast.Load())
                call = ast.Call(ast.Name(function, ast.Load()), [current, value], [])
                for created in (current, call, call.func):
                    ast.copy_location(created, target)
                self._assign(target, call)
                return
        branch = JumpUnless(self._expressions.compile(test))
        self._emit(node, branch)
        self._block(body)
        if orelse:
            jump = Jump()
            self._emit(node, jump)
            branch.target = len(self.code)
            self._block(orelse)
            jump.target = len(self.code)
        else:
            branch.target = len(self.code)

    def _while(self, node: ast.stmt, test: ast.expr, body: list[ast.stmt]) -> None:
        head = len(self.code)
        self._emit(node, LoopHead())
        branch = JumpUnless(self._expressions.compile_pure(test, Message("part.loop_test")))
        self._emit(node, branch)
        self._loop_depth += 1
        self._block(body)
        self._loop_depth -= 1
        self._emit(node, Jump(head))
        branch.target = len(self.code)
        if not self._loop_depth:
            self._emit(node, LoopExit())

    def _for(self, node: ast.stmt, target: ast.Name, items: ast.expr, body: list[ast.stmt]) -> None:
        items_var, index_var = self._temporary(), self._temporary()
        self._emit(node, Let(items_var, self._expressions.compile(items)))
        self._emit(node, Let(index_var, constant_expr(0)))
        head = len(self.code)
        items_tree, position = ("name", items_var), ("name", index_var)
        length = ("call", FUNCTIONS["len"], (items_tree,))
        branch = JumpUnless(Expr(("compare", "<", position, length)))
        self._emit(node, branch)
        self._require_free_name(target)
        self._emit(node, Let(target.id, Expr(("call", operators.get_item, (items_tree, position)))))
        self._emit(node, Let(index_var, Expr(("call", operators.add, (position, ("const", 1))))))
        self._block(body)
        self._emit(node, Jump(head))
        branch.target = len(self.code)

    def _call_statement(self, call: ast.Call, name: str) -> None:
        reject_repeated_keywords(call)
        if name == "result":
            if call.args or any(k.arg is None for k in call.keywords):
                raise CompileError(call, Message("ruleset.syntax.named_fields"), "result(total = total)")
            fields = tuple((str(k.arg), self._expressions.compile(k.value)) for k in call.keywords)
            self._emit(call, Result(fields))
            return
        if call.keywords:
            raise CompileError(call, Message("ruleset.arguments.no_keywords", name=name))
        wanted = 3 if name == "modify" else 1
        if len(call.args) != wanted:
            raise CompileError(call, Message("ruleset.arguments.count", name=name, count=wanted))
        if name == "event":
            self._emit(call, EmitEvent(read_declared_name(call.args[0], "event", self.declarations.events)))
        elif name == "refuse":
            self._emit(call, Refuse(read_declared_name(call.args[0], "word", self.declarations.words)))
        elif name == "turn":
            self._emit(call, SetSide(self._expressions.compile(call.args[0])))
        else:
            source = read_declared_name(call.args[0], "word", self.declarations.words)
            unit = read_declared_name(call.args[2], "word", self.declarations.words)
            self._emit(call, Modify(source, self._expressions.compile(call.args[1]), unit))

    # -- effects

    def _effect(self, call: ast.Call, name: str) -> Expr:
        reject_repeated_keywords(call)
        var = self._temporary()
        self._emit(call, self._effects.compile(call, name, var))
        return Expr(("name", var))

    # -- emitting

    def _emit(self, node: ast.AST, instruction: Instruction) -> None:
        instruction.line = getattr(node, "lineno", 0)
        instruction.column = self._column(instruction.line, getattr(node, "col_offset", 0))
        self.code.append(instruction)

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"#{self._temporaries}"
