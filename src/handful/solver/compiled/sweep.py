"""Compiles a rule for many values of one argument: loop-invariant code motion on the emitted source.

Statements that depend neither on the argument nor on anything computed from it run once; the others go
into a loop over the argument's values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from handful.rules.codegen.source import NotCompilable, SourceBuilder
from handful.rules.grammar import parse_source

OUT, RESULTS, VALUES = "out", "results", "values"


def compile_sweep(source: SourceBuilder, argument: str) -> Callable[..., Any]:
    """Return `solve(runtime, decided, args, values)`: the parts for each value, or None if a guard fails."""
    try:
        (function,) = parse_source("\n".join(source.lines)).body
    except (SyntaxError, RecursionError, MemoryError):
        raise NotCompilable from None
    assert isinstance(function, ast.FunctionDef)
    *body, last = function.body
    name, body = _remove_argument(source, body, argument)
    if not _returns(last, OUT) or any(_returns(node, OUT) for one in body for node in ast.walk(one)):
        raise NotCompilable
    inside = _dependent_statements(body, {name, OUT})
    invariant = [one for at, one in enumerate(body) if at not in inside]
    repeated = [one for at, one in enumerate(body) if at in inside]
    loop = parse_source(f"for {name} in {VALUES}:\n {OUT} = {{}}\n {RESULTS}.append({OUT})").body[0]
    assert isinstance(loop, ast.For)
    loop.body[1:1] = repeated
    begin, end = parse_source(f"{RESULTS} = []").body[0], parse_source(RESULTS).body[0]
    assert isinstance(end, ast.Expr)
    function.body = [*invariant, begin, loop, ast.Return(end.value)]
    function.args.args[-1].arg = VALUES
    return source.compile_text(ast.unparse(ast.fix_missing_locations(function)))


def _remove_argument(
    source: SourceBuilder, body: list[ast.stmt], argument: str
) -> tuple[str, list[ast.stmt]]:
    """Return the local that holds the argument, and the statements without its assignment."""
    keys = {name for name, value in source.values.items() if value == argument}
    found: list[str] = []
    others: list[ast.stmt] = []
    for one in body:
        match one:
            case ast.Assign(
                targets=[ast.Name(id=local)],
                value=ast.Subscript(value=ast.Name(id="args"), slice=ast.Name(id=key)),
            ) if key in keys:
                found.append(local)
            case _:
                others.append(one)
    reads = [node.id for one in others for node in ast.walk(one) if isinstance(node, ast.Name)]
    if len(found) != 1 or keys & {*reads}:
        raise NotCompilable  # the argument is not just one number
    return found[0], others


def _returns(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Return(value=ast.Name(id=found)):
            return found == name
    return False


def _dependent_statements(body: list[ast.stmt], dependent: set[str]) -> set[int]:
    """Return the statements that depend on the names `dependent`, directly or through other names."""
    inside: set[int] = set()
    while True:
        more = {at for at, one in enumerate(body) if at not in inside and _names(one) & dependent}
        if not more:
            return inside
        inside |= more
        for at in more:
            dependent |= _assigned(body[at])


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, and the lists that it appends to."""
    assigned = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                assigned.add(name)
            case ast.Attribute(value=ast.Name(id=name), attr="append"):
                assigned.add(name)
            case ast.Call(func=ast.Name(id="add_part"), args=[ast.Name(id=name), *_]):
                assigned.add(name)
    return assigned
