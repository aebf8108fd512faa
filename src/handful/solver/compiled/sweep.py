"""A written rule for many values of one argument: what does not depend on it is done once.

The page of a written rule is taken apart into its statements.  Those that neither use the argument
nor anything made from it stay in front; the others go into a loop over its values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from handful.rules.codegen.source import Page, Unwritten
from handful.rules.grammar import parse_source

OUT, MADE, VALUES = "out", "made", "values"


def along(page: Page, argument: str) -> Callable[..., Any]:
    """`solve(ask, decided, args, values)`: what was noted for each value, or None as before."""
    try:
        (function,) = parse_source("\n".join(page.lines)).body
    except (SyntaxError, RecursionError, MemoryError):
        raise Unwritten from None
    assert isinstance(function, ast.FunctionDef)
    *body, last = function.body
    name, body = _without(page, body, argument)
    if not _gives(last, OUT) or any(_gives(node, OUT) for one in body for node in ast.walk(one)):
        raise Unwritten
    late = _late(body, {name, OUT})
    first = [one for at, one in enumerate(body) if at not in late]
    again = [one for at, one in enumerate(body) if at in late]
    loop = parse_source(f"for {name} in {VALUES}:\n {OUT} = {{}}\n {MADE}.append({OUT})").body[0]
    assert isinstance(loop, ast.For)
    loop.body[1:1] = again
    begin, end = parse_source(f"{MADE} = []").body[0], parse_source(MADE).body[0]
    assert isinstance(end, ast.Expr)
    function.body = [*first, begin, loop, ast.Return(end.value)]
    function.args.args[-1].arg = VALUES
    return page.compiled(ast.unparse(ast.fix_missing_locations(function)))


def _without(page: Page, body: list[ast.stmt], argument: str) -> tuple[str, list[ast.stmt]]:
    """The local that holds the argument, and the statements without the one that makes it."""
    keys = {name for name, value in page.values.items() if value == argument}
    found: list[str] = []
    left: list[ast.stmt] = []
    for one in body:
        match one:
            case ast.Assign(
                targets=[ast.Name(id=local)],
                value=ast.Subscript(value=ast.Name(id="args"), slice=ast.Name(id=key)),
            ) if key in keys:
                found.append(local)
            case _:
                left.append(one)
    reads = [node.id for one in left for node in ast.walk(one) if isinstance(node, ast.Name)]
    if len(found) != 1 or keys & {*reads}:
        raise Unwritten  # it is looked at in other ways than as one number
    return found[0], left


def _gives(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Return(value=ast.Name(id=found)):
            return found == name
    return False


def _late(body: list[ast.stmt], touched: set[str]) -> set[int]:
    """Statements that use what is touched, with all that they touch in turn."""
    late: set[int] = set()
    while True:
        more = {at for at, one in enumerate(body) if at not in late and _names(one) & touched}
        if not more:
            return late
        late |= more
        for at in more:
            touched |= _changed(body[at])


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _changed(statement: ast.stmt) -> set[str]:
    """Names that a statement binds, and lists that it adds to."""
    changed = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                changed.add(name)
            case ast.Attribute(value=ast.Name(id=name), attr="append"):
                changed.add(name)
            case ast.Call(func=ast.Name(id="put"), args=[ast.Name(id=name), *_]):
                changed.add(name)
    return changed
