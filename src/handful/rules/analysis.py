"""Looks over a whole ruleset: what no single rule text can show.

Theory of operation.  Each check is read as if it were rolled, but with shapes (`rules.shapes`) in
place of values: `flow` walks the statements, `values` and `effects` the expressions in them, and a
rule that is called is read once per combination of shapes.  All of them write to one `Findings`.
What they never touch is declared in vain, and that is found here.
The one invariant: a ruleset in order has no mistakes, so whatever is uncertain passes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from handful.errors import RuleError
from handful.rules.compiler import Compiler
from handful.rules.findings import AnalysisStopped, Findings
from handful.rules.grammar import BY_GM, BY_RULE, GM, ROLES
from handful.rules.ruleset import Check, Ruleset, word_keys
from handful.rules.shapes import CONVERSION_HINTS, describe_shape, shapes_of_check, shapes_of_formulas
from handful.rules.type_checker import TypeChecker

MAX_CALL_DEPTH = 8  # rules that call rules that call rules …

# Makes a mistake of a part of the file, or none where the part is inherited from a base: an
# edition is not to blame for what it takes over and does not need.
MakeError = Callable[[str, Sequence[str], str], RuleError | None]


def analyze(
    ruleset: Ruleset, compiled: Mapping[str, Compiler], make_error: MakeError | None = None
) -> list[RuleError]:
    """Every mistake that is left when each part by itself is in order."""
    findings = Findings(ruleset, compiled)
    texts = _CallGraph(findings)
    try:
        texts.tangles()
        if not findings.errors:
            _type_check(findings)
            findings.judge()
    except AnalysisStopped:
        return list(findings.errors.values())
    except RecursionError:
        return [_nesting_error(next(iter(compiled.values())))]
    vain = _unused_declarations(findings, texts, make_error or _error_without_line)
    return [*findings.errors.values(), *vain]


def _nesting_error(compiler: Compiler) -> RuleError:
    return RuleError(
        "the rules are nested too deeply to be looked over",
        hint="use more lines and fewer brackets",
        file=compiler.file,
        rule=compiler.name,
        line=compiler.first_line,
    )


def _error_without_line(message: str, path: Sequence[str], hint: str) -> RuleError:
    return RuleError(message, hint=hint, rule=".".join(path[:2]))


def _rollable_checks(ruleset: Ruleset) -> list[Check]:
    return [check for check in ruleset.checks.values() if check.program is not None]


def _entry_points(ruleset: Ruleset) -> list[str]:
    """What is run by itself: the rules of checks, and the formulas of the sheet."""
    formulas = ruleset.sheet.formulas() if ruleset.sheet else {}
    return [*(check.name for check in _rollable_checks(ruleset)), *formulas]


def _type_check(findings: Findings) -> None:
    for check in _rollable_checks(findings.ruleset):
        TypeChecker(findings, check.name, shapes_of_check(check), check).result()
    if findings.ruleset.sheet is None:
        return
    for name, start, kind in shapes_of_formulas(findings.ruleset.sheet):
        got = TypeChecker(findings, name, start).result().field("value")
        if got is not None and got.value_kinds and got.value_kinds != {kind}:
            findings.report(
                name,
                findings.tree(name),
                f"a {kind} is needed here, not {describe_shape(got)}",
                CONVERSION_HINTS.get((kind, min(got.value_kinds)), f"let it come to a {kind}"),
                at=(2, 0),
            )


class _CallGraph:
    """What the texts of the rules name, and who calls whom."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        rules = findings.ruleset.rules
        self.calls = {
            name: {
                node.func.id: node
                for node in ast.walk(findings.tree(name))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in rules
            }
            for name in findings.compiled
        }
        self.reached = self._from(_entry_points(findings.ruleset))

    def nodes(self) -> Iterable[ast.AST]:
        """Every part of every text that a check can come to."""
        for name in sorted(self.reached):
            yield from ast.walk(self.findings.tree(name))

    def _from(self, names: Iterable[str]) -> set[str]:
        """These and everything that they call, directly or not."""
        reached: set[str] = set()
        todo = list(names)
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo.extend(self.calls[name])
        return reached

    def tangles(self) -> None:
        """Notes calls in a circle, and chains of calls that are too long."""
        level = set(_entry_points(self.findings.ruleset))
        for _ in range(MAX_CALL_DEPTH):
            level = {called for name in level for called in self.calls[name]}
        too_deep = [name for name in sorted(level) if self.calls[name]]
        if not too_deep or self._circles():
            return
        for name in too_deep:
            called, node = next(iter(self.calls[name].items()))
            self.findings.report(
                name,
                node,
                f"{called!r} is called more than {MAX_CALL_DEPTH} rules deep",
                "let the rules call each other less deeply",
            )

    def _circles(self) -> bool:
        for name in sorted(self.reached):
            for called, node in self.calls[name].items():
                way = self._way(called, name)
                if way:
                    self.findings.report(
                        name,
                        node,
                        f"these rules call each other in a circle: {' → '.join(way)}",
                        "rules may not call each other in a circle; use a loop",
                    )
                    return True
        return False

    def _way(self, start: str, end: str) -> list[str]:
        """How one rule comes to call another: `a, b, a`."""
        before = {start: end}
        todo = [start]
        for name in todo:
            for called in self.calls[name]:
                if called not in before:
                    before[called] = name
                    todo.append(called)
        if end not in before:
            return []
        way = [end]
        while len(way) == 1 or way[-1] != end:
            way.append(before[way[-1]])
        return way[::-1]


# -- what is declared in vain


def _round_options(ruleset: Ruleset) -> set[str]:
    """The options that say how rounds go; no rule reads them."""
    rounds = ruleset.rounds
    return {*rounds.settings.values()} if rounds else set()


def _unused_declarations(findings: Findings, texts: _CallGraph, make_error: MakeError) -> list[RuleError]:
    ruleset = findings.ruleset
    tables = next(iter(findings.compiled.values())).names.tables if findings.compiled else {}
    nodes = list(texts.nodes())
    said = {node.value for node in nodes if isinstance(node, ast.Constant)}
    errors = [
        *_unused(
            make_error,
            "rules",
            ruleset.rules,
            texts.reached,
            "nothing calls the rule {}",
            "call it, or leave it out",
        ),
        *_unused(
            make_error,
            "options",
            ruleset.options,
            _fields_read("options", nodes) | _round_options(ruleset),
            "the option {} changes nothing: no rule reads it",
            "read it: options.{}",
        ),
        *_unused(
            make_error,
            "tables",
            tables,
            _fields_read("tables", nodes),
            "no rule looks anything up in the table {}",
            "look it up: tables.{}[…]",
        ),
        *_unused(
            make_error,
            "decisions",
            ruleset.decisions,
            said,
            "no rule asks for the decision {}",
            "use it with choose or ask, or leave it out",
        ),
        *_unused(
            make_error,
            "events",
            ruleset.events,
            said,
            "the event {} never happens",
            'let a rule say event("{}"), or leave it out',
        ),
        *_unused(
            make_error,
            "words",
            ruleset.words,
            said | _displayed_words(ruleset, nodes),
            "nothing uses the word {}",
            "use it in a rule, or leave it out",
        ),
    ]
    for check in _rollable_checks(ruleset):
        errors += _unused_parameters(findings, check, make_error)
    return errors


def _unused(
    make_error: MakeError, part: str, declared: Iterable[str], used: Iterable[object], message: str, hint: str
) -> list[RuleError]:
    known = set(used)
    faults = [
        make_error(message.format(repr(name)), (part, name), hint.format(name))
        for name in declared
        if name not in known
    ]
    return [report for report in faults if report is not None]


def _fields_read(name: str, nodes: Iterable[ast.AST]) -> set[str]:
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def _displayed_words(ruleset: Ruleset, nodes: Iterable[ast.AST]) -> set[str]:
    """Names for which a screen or prompt looks up a word."""
    shown = {
        *ROLES,
        GM,
        BY_RULE,
        BY_GM,
        *(node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg),
    }
    for check in _rollable_checks(ruleset):
        for param in check.params.values():
            shown |= {param.name, param.unit}
            for value in (*param.values, *param.words):
                shown |= {*word_keys(param.name, value)}
    shown |= {*ruleset.decisions}
    for option in ruleset.options.values():
        for value in option.values:
            shown |= {*word_keys(option.name, value)}
    return shown


def _unused_parameters(findings: Findings, check: Check, make_error: MakeError) -> list[RuleError]:
    """The parameters of a check that make no difference."""
    read = findings.facts(check.name).reads
    faults = []
    for param in check.params.values():
        own = not check.sides or param.whole
        # A mistake elsewhere can hide who reads a side, so then nothing is said.
        sides_read = findings.errors or (check.name, param.name) in findings.side_fields
        if param.name in read if own else sides_read:
            continue
        path = ("checks", check.name, "params", param.name)
        faults.append(
            make_error(
                f"the parameter {param.name!r} of {check.name!r} changes nothing",
                path,
                "read it in the rule, or leave it out",
            )
        )
    return [report for report in faults if report is not None]
