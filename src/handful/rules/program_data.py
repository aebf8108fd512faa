"""Compiled rules as plain data, to be kept in a file and read back without parsing any rule text.

An instruction is a list: its kind, its line and column, and its fields; an expression is its tree.
Invariant: `read_program` accepts only what `write_program` can have written.  Data never name anything but
instructions and functions of the language, so that no data can make the program run something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from handful.dice import Die
from handful.rules import operators, program
from handful.rules.expression_tree import Expr, Tree
from handful.rules.functions import FUNCTIONS
from handful.rules.program import Instruction, Program, Record

Data = Any  # what JSON can hold
KINDS: dict[str, type[Instruction]] = {
    kind.__name__: kind
    for kind in (
        program.Let,
        program.JumpUnless,
        program.Jump,
        program.LoopHead,
        program.LoopExit,
        program.RollDice,
        program.Reroll,
        program.Choose,
        program.Ask,
        program.Call,
        program.Modify,
        program.EmitEvent,
        program.SetSide,
        program.Refuse,
        program.Result,
    )
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **FUNCTIONS,
    **operators.OPERATORS,
    "negate": operators.negate,
    "get_item": operators.get_item,
    "make_list": operators.make_list,
}
_SYMBOLS = ("==", "!=", "<", "<=", ">", ">=")


class BadData(ValueError):
    """These data are not a program."""


# -- write


def write_program(one: Program) -> Data:
    """Return a program as plain data."""
    names = _function_names()
    code = [_write_instruction(step, names) for step in one.code]
    return [one.name, list(one.params), code, one.first_line]


def _function_names() -> dict[Any, str]:
    return {function: name for name, function in _FUNCTIONS.items()}


def _write_instruction(step: Instruction, names: Mapping[Any, str]) -> Data:
    own: tuple[str, ...] = step.__match_args__
    fields = [_write_field(getattr(step, name), names) for name in own]
    return [type(step).__name__, step.line, step.column, *fields]


def _write_field(value: Any, names: Mapping[Any, str]) -> Data:
    if isinstance(value, Expr):
        return {"expr": _write_tree(value.tree, names)}
    if type(value) is tuple:
        return [_write_field(part, names) for part in value]
    return value


def _write_tree(tree: Tree, names: Mapping[Any, str]) -> Data:
    match tree:
        case ("const", value):
            return ["const", _write_value(value)]
        case ("name" | "option" as kind, name):
            return [kind, name]
        case ("field", inner, name):
            return ["field", _write_tree(inner, names), name]
        case ("call", function, parts):
            return ["call", names[function], [_write_tree(part, names) for part in parts]]
        case ("compare", symbol, left, right):
            return ["compare", symbol, _write_tree(left, names), _write_tree(right, names)]
        case ("and" | "or" | "list" as kind, parts):
            return [kind, [_write_tree(part, names) for part in parts]]
        case ("not", inner):
            return ["not", _write_tree(inner, names)]
        case ("if", test, yes, no):
            return ["if", _write_tree(test, names), _write_tree(yes, names), _write_tree(no, names)]
    raise BadData(tree)


def _write_value(value: Any) -> Data:
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is Fraction:
        return {"fraction": [value.numerator, value.denominator]}
    if type(value) is Die:
        return {"die": list(value)}
    if type(value) is tuple:
        return [_write_value(part) for part in value]
    if type(value) is Record:
        return {"record": [[_write_value(name), _write_value(part)] for name, part in value.items()]}
    raise BadData(value)


# -- read


def read_program(data: Data, text: str, file: str) -> Program:
    """Return the program of some data; raise `BadData` if they are none."""
    try:
        name, params, code, first_line = data
        if not all(type(one) is str for one in (name, *params)) or type(first_line) is not int:
            raise BadData(name)
        steps = [_read_instruction(step, len(code)) for step in code]
    except (TypeError, ValueError, KeyError, RecursionError, ZeroDivisionError) as error:
        raise BadData("not a program") from error
    return Program(name, tuple(params), steps, text, file, first_line)


def _read_instruction(data: Data, size: int) -> Instruction:
    kind_name, line, column, *fields = data
    kind = KINDS[kind_name]
    if type(line) is not int or type(column) is not int or len(fields) != len(kind.__match_args__):
        raise BadData(kind_name)
    step = kind(*[_read_field(value) for value in fields], line=line, column=column)
    target = getattr(step, "target", 0)
    if type(target) is not int or not 0 <= target <= size:
        raise BadData(kind_name)
    return step


def _read_field(value: Data) -> Any:
    if type(value) is dict:
        (tree,) = value.values()
        return Expr(_read_tree(tree))
    return tuple([_read_field(part) for part in value]) if type(value) is list else value


def _read_tree(data: Data) -> Tree:
    kind = data[0]
    if kind == "const":
        return "const", _read_value(data[1])
    if kind == "call":
        _, name, parts = data
        return "call", _FUNCTIONS[name], tuple([_read_tree(part) for part in parts])
    if kind in ("name", "option"):
        _, name = data
        return kind, str(name)
    if kind == "field":
        _, inner, name = data
        return "field", _read_tree(inner), str(name)
    if kind == "compare":
        _, symbol, left, right = data
        return "compare", _SYMBOLS[_SYMBOLS.index(symbol)], _read_tree(left), _read_tree(right)
    if kind in ("and", "or", "list"):
        _, parts = data
        return kind, tuple([_read_tree(part) for part in parts])
    if kind in ("not", "if"):
        return kind, *[_read_tree(part) for part in data[1:]]
    raise BadData(kind)


def _read_value(data: Data) -> Any:
    if type(data) is list:
        return tuple([_read_value(part) for part in data])
    if type(data) is not dict:
        return data
    ((kind, parts),) = data.items()
    if kind == "fraction":
        return Fraction(*parts)
    if kind == "die":
        return Die(parts)
    if kind == "record":
        return Record((_read_value(name), _read_value(part)) for name, part in parts)
    raise BadData(kind)
