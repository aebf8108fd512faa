"""Static analysis of a whole ruleset: type errors, call cycles, unused declarations.

Theory of operation.  This is an abstract interpretation: each check is run with shapes
(`rules.shapes`) in place of values.  `type_checker` walks the statements, `expression_types` and
`effect_types` the expressions in them; a called rule is analyzed once per combination of argument
shapes.  All of them write to one `AnalysisState`.  Declarations that no reachable rule uses are reported.
The one invariant: no false positives.  Uncertain code passes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from handful.errors import Message, RuleError, Text
from handful.rules.analysis_state import AnalysisState, AnalysisStopped
from handful.rules.compiler import Compiler
from handful.rules.grammar import BY_GM, BY_RULE, GM, ROLES, THE_GM
from handful.rules.ruleset import Check, Ruleset, word_keys
from handful.rules.shapes import (
    CONVERSION_HINTS,
    KIND_NAMES,
    describe_shape,
    shapes_of_check,
    shapes_of_formulas,
)
from handful.rules.type_checker import TypeChecker

MAX_CALL_DEPTH = 8  # levels of rules calling rules

# Builds an error at a part of the file; None if the part is inherited: a ruleset is not to blame
# for declarations of its base that it does not use.
MakeError = Callable[[Message, Sequence[str], Text], RuleError | None]


def analyze(
    ruleset: Ruleset, compiled: Mapping[str, Compiler], make_error: MakeError | None = None
) -> list[RuleError]:
    """Return the errors of a ruleset whose parts are each valid by themselves."""
    state = AnalysisState(ruleset, compiled)
    graph = _CallGraph(state)
    try:
        graph.report_bad_calls()
        if not state.errors:
            _type_check(state)
            state.report_constant_comparisons()
    except AnalysisStopped:
        return list(state.errors.values())
    except RecursionError:
        return [_nesting_error(next(iter(compiled.values())))]
    unused = _unused_declarations(state, graph, make_error or _error_without_line)
    return [*state.errors.values(), *unused]


def _nesting_error(compiler: Compiler) -> RuleError:
    return RuleError(
        Message("ruleset.limit.rules_nested_too_deeply"),
        hint=Message("ruleset_advice.fewer_brackets"),
        file=compiler.file,
        rule=compiler.name,
        line=compiler.first_line,
    )


def _error_without_line(message: Message, path: Sequence[str], hint: Text) -> RuleError:
    return RuleError(message, hint=hint, rule=".".join(path[:2]))


def _rollable_checks(ruleset: Ruleset) -> list[Check]:
    return [check for check in ruleset.checks.values() if check.program is not None]


def _entry_points(ruleset: Ruleset) -> list[str]:
    """Return the programs that run by themselves: the rules of checks, and the formulas of the sheet."""
    formulas = ruleset.sheet.formulas() if ruleset.sheet else {}
    return [*(check.name for check in _rollable_checks(ruleset)), *formulas]


def _type_check(state: AnalysisState) -> None:
    for check in _rollable_checks(state.ruleset):
        TypeChecker(state, check.name, shapes_of_check(check), check).result()
    if state.ruleset.sheet is None:
        return
    for name, inputs, kind in shapes_of_formulas(state.ruleset.sheet):
        shape = TypeChecker(state, name, inputs).result().field("value")
        if shape is not None and shape.value_kinds and shape.value_kinds != {kind}:
            state.report(
                name,
                state.tree(name),
                Message("ruleset.type.needed_here", kind=KIND_NAMES[kind], found=describe_shape(shape)),
                CONVERSION_HINTS.get(
                    (kind, min(shape.value_kinds)), Message("ruleset_advice.give_kind", kind=KIND_NAMES[kind])
                ),
                at=(2, 0),
            )


class _CallGraph:
    """Call graph of the rules, and the rules reachable from the entry points."""

    def __init__(self, state: AnalysisState) -> None:
        self.state = state
        rules = state.ruleset.rules
        self.calls = {
            name: {
                node.func.id: node
                for node in ast.walk(state.tree(name))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in rules
            }
            for name in state.compiled
        }
        self.reachable = self._reachable(_entry_points(state.ruleset))

    def nodes(self) -> Iterable[ast.AST]:
        """Yield every syntax node of every reachable rule."""
        for name in sorted(self.reachable):
            yield from ast.walk(self.state.tree(name))

    def _reachable(self, names: Iterable[str]) -> set[str]:
        """Return these rules and all that they call, transitively."""
        reachable: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in reachable:
                reachable.add(name)
                pending.extend(self.calls[name])
        return reachable

    def report_bad_calls(self) -> None:
        """Report call cycles, and call chains deeper than MAX_CALL_DEPTH."""
        level = set(_entry_points(self.state.ruleset))
        for _ in range(MAX_CALL_DEPTH):
            level = {called for name in level for called in self.calls[name]}
        too_deep = [name for name in sorted(level) if self.calls[name]]
        if not too_deep or self._report_cycle():
            return
        for name in too_deep:
            called, node = next(iter(self.calls[name].items()))
            self.state.report(
                name,
                node,
                Message("ruleset.limit.calls_too_deep", rule=called, most=MAX_CALL_DEPTH),
                Message("ruleset_advice.fewer_calls"),
            )

    def _report_cycle(self) -> bool:
        for name in sorted(self.reachable):
            for called, node in self.calls[name].items():
                chain = self._call_chain(called, name)
                if chain:
                    self.state.report(
                        name,
                        node,
                        Message("ruleset.circle.rules", chain=" → ".join(chain)),
                        Message("ruleset_advice.use_a_loop"),
                    )
                    return True
        return False

    def _call_chain(self, start: str, end: str) -> list[str]:
        """Return the shortest chain of calls from a rule to another, as `a, b, a`; empty if none."""
        before = {start: end}
        pending = [start]
        for name in pending:
            for called in self.calls[name]:
                if called not in before:
                    before[called] = name
                    pending.append(called)
        if end not in before:
            return []
        chain = [end]
        while len(chain) == 1 or chain[-1] != end:
            chain.append(before[chain[-1]])
        return chain[::-1]


# -- unused declarations


def _round_options(ruleset: Ruleset) -> set[str]:
    """Return the options that configure rounds; no rule reads them."""
    rounds = ruleset.rounds
    return {*rounds.settings.values()} if rounds else set()


def _unused_declarations(state: AnalysisState, graph: _CallGraph, make_error: MakeError) -> list[RuleError]:
    ruleset = state.ruleset
    tables = next(iter(state.compiled.values())).declarations.tables if state.compiled else {}
    nodes = list(graph.nodes())
    literals = {node.value for node in nodes if isinstance(node, ast.Constant)}
    errors = [
        *_unused(
            make_error,
            "rules",
            ruleset.rules,
            graph.reachable,
            lambda name: Message("ruleset.unused.rule", name=name),
            lambda _: Message("ruleset_advice.call_it"),
        ),
        *_unused(
            make_error,
            "options",
            ruleset.options,
            _fields_read("options", nodes) | _round_options(ruleset),
            lambda name: Message("ruleset.unused.option", name=name),
            lambda name: Message("ruleset_advice.read_option", name=name),
        ),
        *_unused(
            make_error,
            "tables",
            tables,
            _fields_read("tables", nodes),
            lambda name: Message("ruleset.unused.table", name=name),
            lambda name: Message("ruleset_advice.look_up", name=name),
        ),
        *_unused(
            make_error,
            "decisions",
            ruleset.decisions,
            literals,
            lambda name: Message("ruleset.unused.decision", name=name),
            lambda _: Message("ruleset_advice.choose_or_ask"),
        ),
        *_unused(
            make_error,
            "events",
            ruleset.events,
            literals,
            lambda name: Message("ruleset.unused.event", name=name),
            lambda name: Message("ruleset_advice.emit_event", name=name),
        ),
        *_unused(
            make_error,
            "words",
            ruleset.words,
            literals | _displayed_words(ruleset, nodes),
            lambda name: Message("ruleset.unused.word", name=name),
            lambda _: Message("ruleset_advice.use_in_rule"),
        ),
    ]
    for check in _rollable_checks(ruleset):
        errors += _unused_parameters(state, check, make_error)
    return errors


def _unused(
    make_error: MakeError,
    part: str,
    declared: Iterable[str],
    used: Iterable[object],
    message: Callable[[str], Message],
    hint: Callable[[str], Message],
) -> list[RuleError]:
    used_names = set(used)
    errors = [
        make_error(message(name), (part, name), hint(name)) for name in declared if name not in used_names
    ]
    return [error for error in errors if error is not None]


def _fields_read(name: str, nodes: Iterable[ast.AST]) -> set[str]:
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def _displayed_words(ruleset: Ruleset, nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names for which a screen or prompt looks up a word."""
    words = {
        *ROLES,
        GM,
        THE_GM,
        BY_RULE,
        BY_GM,
        *(node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg),
    }
    for check in _rollable_checks(ruleset):
        for param in check.params.values():
            words |= {param.name, param.unit}
            for value in (*param.values, *param.words):
                words |= {*word_keys(param.name, value)}
    words |= {*ruleset.decisions}
    for option in ruleset.options.values():
        for value in option.values:
            words |= {*word_keys(option.name, value)}
    return words


def _unused_parameters(state: AnalysisState, check: Check, make_error: MakeError) -> list[RuleError]:
    """Return an error for each parameter of a check that nothing reads."""
    read = state.facts(check.name).reads
    errors = []
    for param in check.params.values():
        is_overall = not check.sides or param.whole
        # An error elsewhere can hide a read of a side, so nothing is reported then.
        sides_read = state.errors or (check.name, param.name) in state.side_fields
        if param.name in read if is_overall else sides_read:
            continue
        path = ("checks", check.name, "params", param.name)
        errors.append(
            make_error(
                Message("ruleset.unused.parameter", name=param.name, check=check.name),
                path,
                Message("ruleset_advice.read_parameter"),
            )
        )
    return [error for error in errors if error is not None]
