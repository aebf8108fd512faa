"""Type checker for the statements of a rule, with unreachable code and endless loops.

`TypeChecker` walks one rule with one set of argument shapes.  After each statement `env` maps the
variables to their shapes; where two paths join, a variable assigned on only one of them is marked
UNSET.  Loops are iterated to a fixed point, at most MAX_PASSES times.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from handful.errors import Message, Text
from handful.rules.analysis_state import AnalysisState
from handful.rules.effect_types import EffectTypes
from handful.rules.ruleset import Check
from handful.rules.shapes import (
    ABSENT,
    DIE,
    LIST,
    MAX_DEPTH,
    MAX_WEIGHT,
    NONE,
    NUMBER,
    POOL,
    TRUTH,
    UNKNOWN,
    UNSET,
    Shape,
    is_too_large,
    join,
    join_all,
    record_of,
)

MAX_PASSES = 8  # a loop without a fixed point by then has none
Env = dict[str, Shape]


class TypeChecker(EffectTypes):
    """One pass over one rule; `check` is set if it is the rule of a check."""

    def __init__(self, state: AnalysisState, rule: str, inputs: Env, check: Check | None = None) -> None:
        super().__init__(state, rule)
        self.env = dict(inputs)
        self.check = check
        self.ended = False
        self.results: list[Shape] = []

    def result(self) -> Shape:
        """Walk the rule and return the shape of its result."""
        tree = self.state.tree(self.rule)
        self._block(tree.body)
        if not self.ended:
            last: ast.AST = tree.body[-1] if tree.body else tree
            self.report(
                last,
                Message("ruleset.no-result.path", rule=self.rule),
                Message("ruleset_advice.end_paths"),
            )
        return join_all(self.results)

    def call_rule(self, rule: str, args: Env, node: ast.Call) -> Shape:
        shapes = tuple(args.values())
        self.state.step(self.rule, node, sum(shape.weight for shape in shapes) // 8)
        results = self.state.results
        if (rule, shapes) not in results:
            results[rule, shapes] = UNKNOWN
            results[rule, shapes] = TypeChecker(self.state, rule, args).result()
        return results[rule, shapes]

    # -- statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.ended:
                self.report(
                    statement,
                    Message("ruleset.unreachable.code"),
                    Message("ruleset_advice.paths_have_ended"),
                )
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        self.state.step(self.rule, node)
        match node:
            case ast.Assign([ast.Name(name)], value):
                self.env[name] = self.shape_of(value)
            case ast.AugAssign(ast.Name(name, ctx=_) as target, op, value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                both = ast.copy_location(ast.BinOp(read, op, value), node)
                self.env[name] = self.shape_of(both)
            case ast.If():
                self._if(node)
            case ast.While():
                self._while(node)
            case ast.For(ast.Name(name)):
                self._for(node, name)
            case ast.Expr(ast.Call(ast.Name(name)) as call):
                self._call_statement(call, name)

    def _call_statement(self, call: ast.Call, name: str) -> None:
        match name:
            case "result":
                self._result(call)
            case "refuse":
                self.ended = True
            case "modify":
                self.require(call.args[1], self.shape_of(call.args[1]), NUMBER, what="modify")
            case "turn":
                self.require(call.args[0], self.shape_of(call.args[0]), NUMBER, what="turn")

    def _if(self, node: ast.If) -> None:
        self.check_test(node.test)
        before = self._branch(node)
        with self.assuming(self.facts.conditions(node.test)):
            self._block(node.body)
        after, ended = self.env, self.ended
        self.env, self.ended = before, False
        with self.assuming(self.facts.negated_conditions(node.test)):
            self._block(node.orelse)
        if self.ended:
            self.env = after
        elif not ended:
            self.env = _merge_paths(after, self.env)
        self.ended = self.ended and ended

    def _branch(self, node: ast.AST) -> Env:
        """Return a copy of `env` for another path."""
        self.state.step(self.rule, node, len(self.env) // 4)
        return dict(self.env)

    def _while(self, node: ast.While) -> None:
        for _ in range(MAX_PASSES):
            self._loop_test(node.test)
            before = self._branch(node)
            self._block(node.body)
            ended, self.ended = self.ended, False
            self.env = before if ended else _merge_paths(before, self.env)
            if self.env == before:
                break
        if not ended:
            self._check_endless(node)

    def _loop_test(self, test: ast.expr) -> None:
        if _is_literal_true(test):
            return  # reported by `_check_endless`
        self.check_test(test)

    def _check_endless(self, node: ast.While) -> None:
        """Report a loop whose test depends on nothing that the loop changes."""
        read = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        parts = [part for statement in node.body for part in ast.walk(statement)]
        changed = {part.id for part in parts if isinstance(part, ast.Name) and _is_assigned(part)}
        if not read & changed and (read or _is_literal_true(node.test)):
            self.report(
                node,
                Message("ruleset.endless.loop"),
                Message("ruleset_advice.change_test"),
            )

    def _for(self, node: ast.For, name: str) -> None:
        items = self.shape_of(node.iter)
        self.require(node.iter, items, LIST, what="for … in …")
        for _ in range(MAX_PASSES):
            before = self._branch(node)
            self.env[name] = items.entry_shape()
            self._block(node.body)
            after, ended, self.ended = self.env, self.ended, False
            self.env = before if ended else _merge_paths(before, after)
            if self.env == before or ended:
                break
        # The body of a loop over a non-empty list runs at least once.
        if items.non_empty and not ended:
            self.env = after

    # -- results

    def _result(self, call: ast.Call) -> None:
        nodes = {str(keyword.arg): keyword.value for keyword in call.keywords}
        fields = {name: self.shape_of(node) for name, node in nodes.items()}
        self.results.append(record_of(fields))
        self.ended = True
        if is_too_large(fields.values()):
            self.report(
                call,
                Message("ruleset.limit.result_too_large", most=MAX_WEIGHT, levels=MAX_DEPTH),
                Message("ruleset_advice.smaller_result"),
            )
        if self.check is None:
            return
        main = self.check.main
        if main not in fields:
            self.report(
                call,
                Message("ruleset.no-result.main", main=main, name=self.check.name),
                Message("ruleset_advice.add_main", main=main),
            )
        for name, shape in fields.items():
            self._check_result_field(nodes[name], name, shape)

    def _check_result_field(self, node: ast.expr, name: str, shape: Shape) -> None:
        """Check that a result field of a check has a kind that can be displayed."""
        if name == "success":
            self._require_kinds(node, shape, "success", (TRUTH, NONE, LIST), TRUTH)
        elif name == "margin":
            self._require_kinds(node, shape, "margin", (NUMBER, NONE))
        elif name == "wins" and self.check and not self.check.sides:
            self.report(node, Message("ruleset.type.wins"), Message("ruleset_advice.use_success"))
        elif name == "wins":
            self._require_kinds(node, shape, "wins", (LIST,), TRUTH)
        elif self.check and name == self.check.main:
            main = Message("part.main_result", name=name)
            self._require_kinds(node, shape, main, (NUMBER, TRUTH, NONE))
        elif shape.value_kinds & {DIE, POOL}:
            self.require(node, shape, NUMBER, what=Message("part.result", name=name))

    def _require_kinds(
        self, node: ast.expr, shape: Shape, what: Text, kinds: tuple[str, ...], entry: str = ""
    ) -> None:
        if shape.kinds - {ABSENT, *kinds}:
            value_kinds = [kind for kind in kinds if kind != NONE]
            self.require(node, shape.without_kinds(frozenset((ABSENT,))), *value_kinds, what=what)
        elif LIST in shape.kinds:
            self.require(node, shape.entry_shape(), entry, what=Message("part.entry_of", what=what))


def _is_literal_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and test.value is True


def _is_assigned(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _merge_paths(a: Env, b: Env) -> Env:
    """Join the environments of two paths."""
    if a == b:
        return a
    return {
        name: join(a[name], b[name])
        if name in a and name in b
        else (a.get(name) or b.get(name) or UNKNOWN).with_kind(UNSET)
        for name in {**a, **b}
    }
